// `rialto verify-log`: checks files of a venue's public log. It needs no database, no settings and no network, so
// that anybody can run it.
import { createReadStream, readFileSync } from 'node:fs';
import {
  readKeyRing,
  verifyStream,
  type KeyRing,
  type SignedHead,
  type Verdict,
  type VerifyOptions,
} from '@rialto/public-log';
import { CommandError } from '../trouble.ts';

/** Large pieces: a log is read from its beginning to its end. */
const PIECE_BYTES = 256 * 1024;
/** Keys, heads, receipts and orders are short. */
const SMALL_FILE_MAX = 1024 * 1024;

export interface VerifyLogOptions {
  readonly key?: string;
  readonly fromSeq?: string;
  readonly head?: string;
}

/** A short text file that the caller named. */
export function readSmallFile(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new CommandError(`${path} cannot be read: ${(error as Error).message}`);
  }
  if (text.length > SMALL_FILE_MAX) {
    throw new CommandError(`${path} is larger than ${SMALL_FILE_MAX} characters.`);
  }
  return text;
}

/** Runs a reading of a file that may be malformed, and names the file if it is. */
export function readingOf<T>(path: string, read: (text: string) => T): T {
  const text = readSmallFile(path);
  try {
    return read(text);
  } catch (error) {
    throw new CommandError(`${path}: ${(error as Error).message}`);
  }
}

export const readKeys = (path: string): KeyRing => readingOf(path, readKeyRing);

/** The files one after the other, as one log. */
export async function* readFiles(paths: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const path of paths) {
    try {
      yield* createReadStream(path, { highWaterMark: PIECE_BYTES }) as AsyncIterable<Uint8Array>;
    } catch (error) {
      throw new CommandError(`${path} cannot be read: ${(error as Error).message}`);
    }
  }
}

/** Heads that somebody kept: one as JSON on each line, as in a log or as the route answers them. */
function readHeads(text: string): SignedHead[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const parsed = JSON.parse(line) as { head?: SignedHead; result?: SignedHead };
      const head = parsed.head ?? parsed.result ?? (parsed as unknown as SignedHead);
      if (typeof head.seq !== 'string' || typeof head.hash !== 'string') {
        throw new Error('a head has "seq" and "hash", as text.');
      }
      return head;
    });
}

function toNumber(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) {
    throw new CommandError(`--from-seq must be the number of an event, not "${text}".`);
  }
  return Number(text);
}

export async function verifyLogFiles(
  files: readonly string[],
  { key, fromSeq, head }: VerifyLogOptions,
  onEvent?: VerifyOptions['onEvent'],
): Promise<Verdict> {
  return verifyStream(readFiles(files), {
    ...(key !== undefined && { keys: readKeys(key) }),
    ...(fromSeq !== undefined && { fromSeq: toNumber(fromSeq) }),
    ...(head !== undefined && { heads: readingOf(head, readHeads) }),
    ...(onEvent !== undefined && { onEvent }),
  });
}

/** The verdict in words. */
export function renderVerdict(verdict: Verdict): string {
  if (!verdict.ok) return `WRONG at line ${verdict.line}: ${verdict.message}.`;
  const { events, firstSeq, lastSeq, trades, meaningFromSeq, lastHash } = verdict;
  const lines = [
    `RIGHT: ${events} events, ${firstSeq} to ${lastSeq}, are chained without a gap.`,
    `From event ${meaningFromSeq} on the books were kept by the rules; ${trades} trades were checked.`,
    `The last hash is ${lastHash}.`,
  ];
  if (verdict.heads === 0) {
    lines.push('No signed head is in these files: nothing binds the venue to this log.');
  } else if (verdict.signaturesChecked) {
    lines.push(
      `${verdict.heads} heads are signed by the venue, the last at event ${verdict.headSeq}.`,
    );
  } else {
    lines.push(
      `${verdict.heads} heads fit, the last at event ${verdict.headSeq}. Their signatures were not checked: give the venue's keys with --key.`,
    );
  }
  if (verdict.heads > 0 && verdict.headSeq < lastSeq) {
    lines.push(`Events ${verdict.headSeq + 1} to ${lastSeq} are not signed yet.`);
  }
  return lines.join('\n');
}
