// Checks a log in its file form: the chain, the signatures, and whether the books were kept by the rules.
import { ZERO_HASH, chainHash, sha256Hex } from '../chain.ts';
import { verifyHead } from '../heads.ts';
import type { SignedHead } from '../heads.ts';
import type { KeyRing } from '../keys.ts';
import type { QueueBooks } from '../queues.ts';
import { LogFault, fault, shorten, wholeNumber } from './fault.ts';
import { LINE_LIMITS, splitLines } from './lines.ts';
import { parseEvent, parseJson } from './parse.ts';
import type { NumberedEvent } from './parse.ts';
import { readBookText } from './read-book.ts';
import { Rules } from './rules.ts';

export interface VerifyOptions {
  /** The venue's keys. Without them the signatures of heads are not checked. */
  keys?: KeyRing;
  /** Begin with the first checkpoint at or after this event; before it only the chain is checked. */
  fromSeq?: number;
  /** Heads that were kept from earlier: the log must still lead to them. */
  heads?: readonly SignedHead[];
  /** Is called after each event whose meaning was checked, with the books as it left them. */
  onEvent?: (event: NumberedEvent, books: QueueBooks) => void;
}

export type Verdict =
  | {
      ok: true;
      /** How many events are chained to each other, the first and the last number, the last hash. */
      events: number;
      firstSeq: number;
      lastSeq: number;
      lastHash: string;
      /** The checkpoint from which on the meaning of every event was checked. */
      meaningFromSeq: number;
      trades: number;
      /** Heads met, and the last event that one of them covers; 0 if there was none. */
      heads: number;
      headSeq: number;
      signaturesChecked: boolean;
    }
  | {
      ok: false;
      /** The first wrong line, counted from 1 over all files. */
      line: number;
      /** The last event that was right. */
      afterSeq: number;
      message: string;
    };

const HASH = /^[0-9a-f]{64}$/;

type Fields = Readonly<Record<string, unknown>>;

const hasExactly = (fields: Fields, names: readonly string[]): boolean =>
  Object.keys(fields).length === names.length &&
  names.every((name) => typeof fields[name] === 'string');

/** Takes one line after the other. `end` gives the verdict; after a fault, lines are ignored. */
export class Verifier {
  readonly #options: VerifyOptions;
  readonly #kept = new Map<number, SignedHead[]>();
  #line = 0;
  #events = 0;
  #trades = 0;
  #heads = 0;
  #headSeq = 0;
  #firstSeq = 0;
  /** The last event: its number and hash. -1 before the first line. */
  #seq = -1;
  #hash = ZERO_HASH;
  /** A checkpoint whose books are to come in the next line. */
  #checkpoint: Extract<NumberedEvent, { type: 'checkpoint' }> | undefined;
  #rules: Rules | undefined;
  #meaningFrom = 0;
  #verdict: Verdict | undefined;

  constructor(options: VerifyOptions = {}) {
    this.#options = options;
    for (const head of options.heads ?? []) {
      const seq = Number(head.seq);
      this.#kept.set(seq, [...(this.#kept.get(seq) ?? []), head]);
    }
  }

  get isDone(): boolean {
    return this.#verdict !== undefined;
  }

  take(line: string): void {
    if (this.#verdict !== undefined) return;
    this.#line += 1;
    this.attempt(() => this.#read(line));
  }

  /** Runs something that may find a fault in the line after the last one that was taken whole. */
  attempt(run: () => void): void {
    try {
      run();
    } catch (error) {
      if (!(error instanceof LogFault)) throw error;
      this.#verdict ??= {
        ok: false,
        line: error.line ?? this.#line,
        afterSeq: Math.max(0, this.#seq),
        message: error.message,
      };
    }
  }

  /** The stream broke off within the next line. */
  break(error: LogFault): void {
    this.#line += 1;
    this.attempt(() => {
      throw error;
    });
  }

  end(): Verdict {
    if (this.#verdict === undefined) this.attempt(() => this.#finish());
    return this.#verdict!;
  }

  #finish(): void {
    if (this.#events === 0) fault('there is no event to check');
    if (this.#rules === undefined) {
      fault('no checkpoint with its books was found, so nothing but the chain could be checked');
    }
    this.#rules.checkCrossed();
    for (const [seq, [head]] of this.#kept) {
      if (seq > this.#seq)
        fault(`the log ends before event ${seq}, of which there is a head (${head!.hash})`);
    }
    this.#verdict = {
      ok: true,
      events: this.#events,
      firstSeq: this.#firstSeq,
      lastSeq: this.#seq,
      lastHash: this.#hash,
      meaningFromSeq: this.#meaningFrom,
      trades: this.#trades,
      heads: this.#heads,
      headSeq: this.#headSeq,
      signaturesChecked: this.#options.keys !== undefined,
    };
  }

  #read(line: string): void {
    const isBook = line.startsWith('{"book":');
    const max = isBook ? LINE_LIMITS.book : LINE_LIMITS.line;
    if (line.length > max) fault(`a line like this has at most ${max} characters`);
    const fields = (parseJson(line) ?? {}) as Fields;
    const awaited = this.#checkpoint;
    this.#checkpoint = undefined;
    if (hasExactly(fields, ['text', 'hash'])) {
      this.#event(fields['text'] as string, fields['hash'] as string);
    } else if (hasExactly(fields, ['book'])) this.#book(fields['book'] as string, awaited);
    else if (typeof fields['head'] === 'object' && Object.keys(fields).length === 1) {
      this.#head(fields['head'] as Fields | null);
    } else if (typeof fields['previous'] === 'object' && Object.keys(fields).length === 1) {
      this.#previous(fields['previous'] as Fields | null);
    } else {
      fault(
        `a line is an event with "text" and "hash", or a "head", or a "book", or the "previous" hash at the beginning, as text: ${shorten(line)}`,
      );
    }
  }

  /** The hash that comes before a stretch, without which its first event could not be checked. */
  #previous(fields: Fields | null): void {
    if (this.#seq !== -1) fault('the previous hash stands at the beginning and nowhere else');
    if (fields === null || !hasExactly(fields, ['seq', 'hash'])) {
      fault('"previous" has "seq" and "hash", as text');
    }
    const { seq, hash } = fields as { seq: string; hash: string };
    if (!HASH.test(hash)) fault('a hash has 64 hexadecimal digits');
    this.#seq = wholeNumber('seq', seq);
    if (this.#seq === 0 && hash !== ZERO_HASH) fault('before the first event there are 64 zeros');
    this.#hash = hash;
  }

  #event(text: string, hash: string): void {
    const event = parseEvent(text);
    const seq = wholeNumber('seq', event.seq);
    if (this.#seq === -1) {
      if (seq !== 1) {
        fault(
          `the log begins with event ${seq}, so its first line must be {"previous":{"seq":"${seq - 1}","hash":"…"}}`,
        );
      }
      this.#seq = 0;
    }
    if (seq !== this.#seq + 1) fault(`event ${this.#seq + 1} must come here, but this is ${seq}`);
    const expected = chainHash(this.#hash, text);
    if (expected !== hash) {
      fault(
        `the hash of event ${seq} must be ${expected}, but is ${shorten(hash)}: this text, an earlier one or this hash was changed`,
      );
    }
    for (const head of this.#kept.get(seq) ?? []) this.#checkHead(head, seq, hash);
    if (seq === 1 && event.type !== 'checkpoint') fault('a log begins with a checkpoint');
    if (this.#rules !== undefined) {
      this.#rules.take(event, this.#line);
      if (event.type === 'trade') this.#trades += 1;
    }
    if (event.type === 'checkpoint') this.#checkpoint = event;
    this.#seq = seq;
    this.#hash = hash;
    this.#events += 1;
    if (this.#firstSeq === 0) this.#firstSeq = seq;
    if (this.#rules !== undefined) this.#options.onEvent?.(event, this.#rules.books);
  }

  #book(
    text: string,
    checkpoint: Extract<NumberedEvent, { type: 'checkpoint' }> | undefined,
  ): void {
    if (checkpoint === undefined) fault('books stand right after their checkpoint');
    const hash = sha256Hex(text);
    if (hash !== checkpoint.bookHash) {
      fault(`these books hash to ${hash}, but the checkpoint before says ${checkpoint.bookHash}`);
    }
    // Later checkpoints were compared with the books that the events led to.
    if (this.#rules !== undefined || this.#seq < (this.#options.fromSeq ?? 0)) return;
    const engineSeq = wholeNumber('engineSeq', checkpoint.engineSeq);
    this.#rules = new Rules(readBookText(text), engineSeq, wholeNumber('time', checkpoint.time));
    this.#meaningFrom = this.#seq;
  }

  #head(fields: Fields | null): void {
    if (fields === null || !hasExactly(fields, ['seq', 'hash', 'time', 'keyId', 'signature'])) {
      fault('a head has "seq", "hash", "time", "keyId" and "signature", as text');
    }
    const head = fields as unknown as SignedHead;
    const seq = wholeNumber('seq', head.seq);
    if (seq !== this.#seq) {
      fault(
        `a head stands right after its event, but this one is of event ${seq} and stands after ${Math.max(0, this.#seq)}`,
      );
    }
    this.#checkHead(head, seq, this.#hash);
    this.#heads += 1;
    this.#headSeq = seq;
  }

  #checkHead(head: SignedHead, seq: number, hash: string): void {
    const { keys } = this.#options;
    const wrong = keys === undefined ? undefined : verifyHead(head, keys);
    if (wrong !== undefined) fault(wrong);
    if (head.hash !== hash) {
      fault(
        `the venue signed that event ${seq} has the hash ${shorten(head.hash)}, but here it is ${hash}: what came before was written anew`,
      );
    }
  }
}

/** Checks lines that are there. For a file, `verifyStream` holds only one line at a time. */
export function verifyLog(lines: Iterable<string>, options?: VerifyOptions): Verdict {
  const verifier = new Verifier(options);
  for (const line of lines) {
    if (verifier.isDone) break;
    verifier.take(line);
  }
  return verifier.end();
}

/** Checks a file, or several that continue each other, in bounded memory. */
export async function verifyStream(
  chunks: AsyncIterable<Uint8Array>,
  options?: VerifyOptions,
): Promise<Verdict> {
  const verifier = new Verifier(options);
  try {
    for await (const line of splitLines(chunks)) {
      verifier.take(line);
      if (verifier.isDone) break;
    }
  } catch (error) {
    if (!(error instanceof LogFault)) throw error;
    verifier.break(error);
  }
  return verifier.end();
}
