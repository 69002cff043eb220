// The store of file contents. PostgreSQL knows what the files are, who owns them and who may read
// them; the store knows keys and bytes.
import type { Readable } from 'node:stream';
import type { DataStore, KvStore } from '@tus/server';
import { randomHex } from '../std/ids.ts';

/** The first and the last byte, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface Files {
  /** Prepares the store for writing, or reports what is wrong with it. */
  prepare(): Promise<void>;
  /**
   * Stores everything that comes, under an unused key, and returns the number of bytes. When this
   * resolves the bytes are on disk; when it throws, nothing is left.
   */
  put(key: string, bytes: AsyncIterable<Buffer>, bytesMax: number): Promise<number>;
  /** Undefined when there is no such file. */
  read(key: string, range?: ByteRange): Promise<Readable | undefined>;
  /** The number of bytes under the key; undefined when there is no such file. */
  size(key: string): Promise<number | undefined>;
  /** Flushes to disk what another writer wrote under the key. */
  settle(key: string): Promise<void>;
  /** A missing file is not an error. */
  remove(key: string): Promise<void>;
  /** Removes what killed writers left before `before`; returns how many pieces. */
  sweep(before: Date): Promise<number>;
  /**
   * The same store for the library of the resumable upload protocol, which uses our keys as its
   * ids.
   */
  resumable(rows: KvStore, expiryMs: number): DataStore;
  /** Removes the library's own files beside the bytes. */
  forgetResumable(key: string): Promise<void>;
  close(): void;
}

export class FileTooLarge extends Error {
  override name = 'FileTooLarge';
  constructor(bytesMax: number) {
    super(`The file has more than ${bytesMax} bytes.`);
  }
}

/** The file store is full. */
export class NoRoomForFiles extends Error {
  override name = 'NoRoomForFiles';
}

/** 128 random bits, in 256 folders, since some file systems are slow with many files in one. */
export function newFileKey(): string {
  const name = randomHex(16);
  return `${name.slice(0, 2)}/${name}`;
}

const KEY = /^([0-9a-f]{2})\/\1[0-9a-f]{30}(?:\.[a-z0-9-]+)?$/;

/** Only we make keys; anything of another form could lead out of the folder. */
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
