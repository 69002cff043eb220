// Files that the venue cannot do without: each has the name that its content gives it, and nothing counts as stored before
// it was read back.
import { buffer } from 'node:stream/consumers';
import type { Files } from '../../../platform/files/files.ts';
import { sha256, type StoredFile } from './archive-file.ts';

/** Part of the first half of the hash. The same content has the same name, so that a repeated attempt leaves no second file. */
const keyOf = (hash: string): string => `${hash.slice(0, 2)}/${hash.slice(0, 32)}.journal`;

export async function storeFile(files: Files, bytes: Buffer): Promise<StoredFile> {
  const hash = sha256(bytes);
  const stored = { key: keyOf(hash), sha256: hash, bytes: bytes.length };
  if ((await findFault(files, stored)) === undefined) return stored;
  await files.put(stored.key, once(bytes), bytes.length);
  await fetchFile(files, stored);
  return stored;
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer, void> {
  yield bytes;
}

/** The bytes, which are those that were stored. */
export async function fetchFile(files: Files, stored: StoredFile): Promise<Buffer> {
  const found = await readWhole(files, stored);
  if (typeof found === 'string') throw new DamagedFile(stored, found);
  return found;
}

/** What is wrong with a file; undefined when nothing is. */
export async function findFault(files: Files, stored: StoredFile): Promise<string | undefined> {
  const found = await readWhole(files, stored);
  return typeof found === 'string' ? found : undefined;
}

async function readWhole(
  files: Files,
  { key, sha256: wanted, bytes }: StoredFile,
): Promise<Buffer | string> {
  const size = await files.size(key);
  if (size === undefined) return 'it is not there';
  if (size !== bytes) return `it has ${size} bytes instead of ${bytes}`;
  const stream = await files.read(key);
  if (stream === undefined) return 'it is not there';
  const found = await buffer(stream);
  return sha256(found) === wanted ? found : 'its SHA-256 is another';
}

export class DamagedFile extends Error {
  override name = 'DamagedFile';
  constructor({ key }: StoredFile, fault: string) {
    super(
      `The file ${key} of the journal's archive is damaged: ${fault}. Put it back from a backup of the file store ` +
        '(docs/operating/engine.md, "Archived parts of the journal").',
    );
  }
}
