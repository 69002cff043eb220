// What the signer remembers, in a file. Bytes leave only after their record is on the disk; a memory that is missing, cut or
// altered stops the signer until two operators recover it.
import { existsSync, truncateSync } from 'node:fs';
import {
  Appender,
  linesOf,
  memoryPlaces,
  readHead,
  replaceFile,
  type FoundLine,
  type Head,
} from './files.ts';
import { NO_RECORD, makeRecord, readLine, toLine, type Body, type MemoryRecord } from './record.ts';
import { Ledger } from '../judge/ledger.ts';

/** Between these steps a test kills the process. */
export type Step = 'begin' | 'appended' | 'flushed' | 'headed';

/** Why a memory cannot be used. */
export class BrokenMemoryError extends Error {
  override name = 'BrokenMemoryError';
}

export class Memory {
  readonly ledger: Ledger;
  #head: Head;
  #policy: string | undefined;
  readonly #headPath: string;
  readonly #key: Uint8Array;
  readonly #appender: Appender;
  readonly #onStep: (step: Step) => void;
  #isFailed = false;

  private constructor(
    places: { records: string; head: string },
    key: Uint8Array,
    { ledger, head, policy }: { ledger: Ledger; head: Head; policy: string | undefined },
    onStep: (step: Step) => void,
  ) {
    this.#appender = new Appender(places.records);
    this.#headPath = places.head;
    this.#key = key;
    this.ledger = ledger;
    this.#head = head;
    this.#policy = policy;
    this.#onStep = onStep;
  }

  /** Throws a `BrokenMemoryError`. */
  static open(folder: string, key: Uint8Array, onStep: (step: Step) => void = () => {}): Memory {
    const places = memoryPlaces(folder);
    const { records, head } = verify(folder, key);
    const ledger = new Ledger();
    let policy: string | undefined;
    for (const { body, at } of records) {
      if (body.type === 'signed') ledger.record(body, at);
      else if (body.type === 'recovered') ledger.restart(at);
      else if (body.type === 'policy') policy = body.hash;
      ledger.time = Math.max(ledger.time, at);
    }
    return new Memory(places, key, { ledger, head, policy }, onStep);
  }

  get seq(): number {
    return this.#head.seq;
  }

  /** The hash of the policy that was last noted. */
  get policy(): string | undefined {
    return this.#policy;
  }

  get isFailed(): boolean {
    return this.#isFailed;
  }

  /** When this returns, the record survives a loss of power. When it throws, nothing may be signed until a restart. */
  append(body: Body, at: number): void {
    if (this.#isFailed) throw new BrokenMemoryError('An earlier record could not be written.');
    try {
      this.#onStep('begin');
      const time = Math.max(at, this.ledger.time);
      const { seq, mac } = this.#head;
      const record = makeRecord(this.#key, { seq: seq + 1, at: time, body, prev: mac });
      this.#appender.append(toLine(record));
      this.#onStep('appended');
      this.#appender.flush();
      this.#onStep('flushed');
      this.#head = { seq: record.seq, mac: record.mac };
      replaceFile(this.#headPath, JSON.stringify(this.#head));
      this.#onStep('headed');
      if (body.type === 'signed') this.ledger.record(body, time);
      if (body.type === 'policy') this.#policy = body.hash;
      this.ledger.time = time;
    } catch (error) {
      this.#isFailed = true;
      throw error;
    }
  }

  close(): void {
    this.#appender.close();
  }
}

/** Begins a memory where there is none: of a new seed, which has signed nothing. */
export function beginMemory(folder: string, key: Uint8Array, bodies: readonly Timed[]): void {
  const places = memoryPlaces(folder);
  let head: Head = { seq: 0, mac: NO_RECORD };
  const lines = bodies.map(({ body, at }) => {
    const record = makeRecord(key, { seq: head.seq + 1, at, body, prev: head.mac });
    head = { seq: record.seq, mac: record.mac };
    return toLine(record);
  });
  replaceFile(places.records, lines.join(''));
  replaceFile(places.head, JSON.stringify(head));
}

export interface Timed {
  readonly body: Body;
  readonly at: number;
}

/** Everything that this signer did write, of a file that is otherwise broken: each record proves itself. */
export function salvage(folder: string, key: Uint8Array): MemoryRecord[] {
  const { records } = memoryPlaces(folder);
  if (!existsSync(records)) return [];
  const found = new Map<string, MemoryRecord>();
  for (const { text } of linesOf(records)) {
    const record = readLine(key, text);
    if (record !== undefined) found.set(record.mac, record);
  }
  return [...found.values()].sort((one, other) => one.seq - other.seq);
}

function verify(folder: string, key: Uint8Array): { records: MemoryRecord[]; head: Head } {
  const places = memoryPlaces(folder);
  const head = readHead(places.head);
  if (!existsSync(places.records) || head === undefined) {
    throw new BrokenMemoryError('The memory is missing, or the file of its head is.');
  }
  const records: MemoryRecord[] = [];
  let last: Head = { seq: 0, mac: NO_RECORD };
  let before: Head | undefined;
  for (const line of linesOf(places.records)) {
    const record = line.isWhole ? readLine(key, line.text) : undefined;
    if (record === undefined && !line.isWhole && isSame(head, last)) {
      dropUnfinished(places.records, line);
      break;
    }
    if (record?.seq !== last.seq + 1 || record.prev !== last.mac) {
      throw new BrokenMemoryError(
        `The memory is altered or cut after record ${last.seq}: what follows there was not written so by this signer.`,
      );
    }
    before = last;
    last = { seq: record.seq, mac: record.mac };
    records.push(record);
  }
  if (records.length === 0) throw new BrokenMemoryError('The memory is empty.');
  if (!isSame(head, last)) {
    // The process ended between the record and the head: the record counts, its bytes may never have left.
    if (before === undefined || !isSame(head, before)) {
      throw new BrokenMemoryError(
        `The memory ends with record ${last.seq}, and record ${head.seq} was the newest: it was cut, or is an old copy.`,
      );
    }
    replaceFile(places.head, JSON.stringify(last));
  }
  return { records, head: last };
}

/**
 * The head is written after the record is on the disk, and bytes leave after the head. So an unfinished record after the one
 * that the head names is of a signature that never left.
 */
function dropUnfinished(path: string, { offset }: FoundLine): void {
  truncateSync(path, offset);
}

const isSame = (one: Head, other: Head): boolean => one.seq === other.seq && one.mac === other.mac;
