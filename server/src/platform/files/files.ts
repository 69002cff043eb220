// Where the bytes of files are kept. What they are, whose they are and who may have them, PostgreSQL knows;
// the store knows keys and bytes.
import type { Readable } from 'node:stream';
import type { DataStore, KvStore } from '@tus/server';
import { randomHex } from '../std/ids.ts';

/** The first and the last byte, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface Files {
  /** Makes ready what writing needs, or says what is wrong with the place. */
  prepare(): Promise<void>;
  /**
   * Stores everything that comes, under a key that is not in use, and returns how much it was. When this
   * resolves the bytes are on disk; when it throws, nothing is left.
   */
  put(key: string, bytes: AsyncIterable<Buffer>, bytesMax: number): Promise<number>;
  /** Undefined when there is no such file. */
  read(key: string, range?: ByteRange): Promise<Readable | undefined>;
  /** How many bytes are there under the key; undefined when there is no such file. */
  size(key: string): Promise<number | undefined>;
  /** Makes sure that what somebody else wrote under the key is on disk. */
  settle(key: string): Promise<void>;
  /** It is no error if there was none. */
  remove(key: string): Promise<void>;
  /** Removes what writers that were killed have left since before `before`; returns how many pieces. */
  sweep(before: Date): Promise<number>;
  /** The same place as the resumable protocol's library writes to it, its ids being our keys. */
  resumable(rows: KvStore, expiryMs: number): DataStore;
  /** Removes what that library has beside the bytes. */
  forgetResumable(key: string): Promise<void>;
  close(): void;
}

export class FileTooLarge extends Error {
  override name = 'FileTooLarge';
  constructor(bytesMax: number) {
    super(`The file has more than ${bytesMax} bytes.`);
  }
}

/** There is no room left where files are kept. */
export class NoRoomForFiles extends Error {
  override name = 'NoRoomForFiles';
}

/** 128 random bits, in 256 folders, since some file systems are slow with many files in one. */
export function newFileKey(): string {
  const name = randomHex(16);
  return `${name.slice(0, 2)}/${name}`;
}

const KEY = /^([0-9a-f]{2})\/\1[0-9a-f]{30}(?:\.[a-z0-9-]+)?$/;

/** Keys are made by us alone; one that does not look so would be a way out of the folder. */
export function checkKey(key: string): string {
  if (!KEY.test(key)) throw new Error(`${JSON.stringify(key)} is no key of a file.`);
  return key;
}

/** Passes chunks on until there are too many bytes. */
export async function* limited(
  bytes: AsyncIterable<Buffer>,
  bytesMax: number,
): AsyncGenerator<Buffer, void> {
  let count = 0;
  for await (const chunk of bytes) {
    count += chunk.length;
    if (count > bytesMax) throw new FileTooLarge(bytesMax);
    yield chunk;
  }
}
