// Files in a folder. A file is written under a temporary name, flushed to disk and only then
// renamed to its key, so that a key has all of its file or nothing.
import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { FileStore } from '@tus/file-store';
import { randomHex } from '../std/ids.ts';
import { checkKey, limited, NoRoomForFiles, type Files } from './files.ts';

/** The folder of unfinished files. */
const UNFINISHED = 'unfinished';

export function createDiskFiles(folder: string): Files {
  const root = resolve(folder);
  const pathOf = (key: string) => join(root, checkKey(key));

  async function prepare(): Promise<void> {
    try {
      await fs.mkdir(join(root, UNFINISHED), { recursive: true, mode: 0o700 });
      await fs.access(join(root, UNFINISHED), constants.R_OK | constants.W_OK | constants.X_OK);
    } catch (error) {
      throw new Error(
        `Uploaded files should go to ${root}, which cannot be written to: ${(error as Error).message}. ` +
          'Make the folder and give it to the user that Rialto runs as, name another in UPLOADS_DIR, ' +
          'or name a bucket in S3_BUCKET.',
        { cause: error },
      );
    }
  }

  async function write(path: string, bytes: AsyncIterable<Buffer>): Promise<number> {
    const file = await fs.open(path, 'wx', 0o600);
    try {
      let count = 0;
      for await (const chunk of bytes) {
        for (let at = 0; at < chunk.length;) {
          at += (await file.write(chunk, at)).bytesWritten;
        }
        count += chunk.length;
      }
      await file.sync();
      return count;
    } finally {
      await file.close();
    }
  }

  return {
    prepare,
    async put(key, bytes, bytesMax) {
      const path = pathOf(key);
      await prepare();
      const unfinished = join(root, UNFINISHED, randomHex(16));
      try {
        const count = await write(unfinished, limited(bytes, bytesMax));
        await fs.mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await fs.rename(unfinished, path);
        await syncFolder(dirname(path));
        return count;
      } catch (error) {
        await fs.rm(unfinished, { force: true });
        throw toFault(error);
      }
    },
    async read(key, range) {
      // Opened first, so that a missing file is noticed before anything is answered.
      const file = await fs.open(pathOf(key), 'r').catch(onlyMissing);
      return file?.createReadStream({ ...range });
    },
    async size(key) {
      return (await fs.stat(pathOf(key)).catch(onlyMissing))?.size;
    },
    async settle(key) {
      const file = await fs.open(pathOf(key), 'r');
      try {
        await file.sync();
      } finally {
        await file.close();
      }
      await syncFolder(dirname(pathOf(key)));
    },
    async remove(key) {
      await fs.rm(pathOf(key), { force: true });
    },
    async sweep(before) {
      let count = 0;
      for (const name of (await fs.readdir(join(root, UNFINISHED)).catch(onlyMissing)) ?? []) {
        const path = join(root, UNFINISHED, name);
        const found = await fs.stat(path).catch(onlyMissing);
        if (found === undefined || found.mtime >= before) continue;
        await fs.rm(path, { force: true });
        count += 1;
      }
      return count;
    },
    resumable: (rows, expiryMs) =>
      new FileStore({
        directory: root,
        configstore: rows,
        expirationPeriodInMilliseconds: expiryMs,
      }),
    // The upload's metadata is in our tables.
    forgetResumable: async () => {},
    close: () => {},
  };
}

/** A name is on disk once its folder is flushed. */
async function syncFolder(path: string): Promise<void> {
  const folder = await fs.open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function onlyMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  return undefined;
}

const FULL: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

const toFault = (error: unknown): unknown =>
  FULL.has((error as NodeJS.ErrnoException).code)
    ? new NoRoomForFiles('The folder for uploaded files is full.', { cause: error })
    : error;
