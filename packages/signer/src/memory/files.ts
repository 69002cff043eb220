// The two files of the memory: the records, and apart from them the newest one's number and code, by which a cut is seen.
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

export interface MemoryPlaces {
  readonly records: string;
  readonly head: string;
}

export const memoryPlaces = (folder: string): MemoryPlaces => ({
  records: join(folder, 'memory.jsonl'),
  head: join(folder, 'memory-head.json'),
});

export interface Head {
  readonly seq: number;
  readonly mac: string;
}

const OWNER_ONLY = 0o600;
const CHUNK_BYTES = 1024 * 1024;
/** Longer than any record: a file without line ends is not read into memory whole. */
const LINE_BYTES_MAX = 4 * 1024 * 1024;

export interface FoundLine {
  readonly text: string;
  /** Where it begins in the file. */
  readonly offset: number;
  /** Without its line end it was never finished. */
  readonly isWhole: boolean;
}

/** The lines of a file; a line longer than any record ends the reading as an unfinished one. */
export function* linesOf(path: string): Generator<FoundLine> {
  const file = openSync(path, 'r');
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    let rest: Buffer = Buffer.alloc(0);
    let offset = 0;
    for (;;) {
      const count = readSync(file, chunk, 0, CHUNK_BYTES, null);
      if (count === 0) break;
      rest = Buffer.concat([rest, chunk.subarray(0, count)]);
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
        yield { text: rest.toString('utf8', 0, end), offset, isWhole: true };
        offset += end + 1;
        rest = rest.subarray(end + 1);
      }
      if (rest.length > LINE_BYTES_MAX) break;
    }
    if (rest.length > 0) yield { text: rest.toString('utf8'), offset, isWhole: false };
  } finally {
    closeSync(file);
  }
}

/** Writes a file whole or not at all, also when the machine loses power. */
export function replaceFile(path: string, text: string): void {
  const fresh = `${path}.new`;
  const file = openSync(fresh, 'w', OWNER_ONLY);
  try {
    writeAll(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(fresh, path);
  syncFolder(path);
}

/** Adds to the end, if the end is where it was left: nobody else writes here. */
export class Appender {
  readonly #file: number;
  #size: number;

  constructor(path: string) {
    this.#file = openSync(path, 'a', OWNER_ONLY);
    this.#size = fstatSync(this.#file).size;
  }

  append(text: string): void {
    const { size } = fstatSync(this.#file);
    if (size !== this.#size) {
      throw new Error(
        `The memory has ${size} bytes, ${this.#size} were left there: another program writes it.`,
      );
    }
    this.#size += writeAll(this.#file, text);
  }

  flush(): void {
    fsyncSync(this.#file);
  }

  close(): void {
    closeSync(this.#file);
  }
}

export function readHead(path: string): Head | undefined {
  if (!existsSync(path)) return undefined;
  try {
    const { seq, mac } = JSON.parse(readFileSync(path, 'utf8')) as Partial<Head>;
    if (typeof seq === 'number' && typeof mac === 'string') return { seq, mac };
  } catch {
    // As good as missing.
  }
  return undefined;
}

function writeAll(file: number, text: string): number {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done);
  return bytes.length;
}

function syncFolder(path: string): void {
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
