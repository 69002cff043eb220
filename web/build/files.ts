// What the server needs of a build besides the files themselves: a brotli and a gzip copy of each that shrinks, made
// once here and not for every reader. Files of earlier builds stay for a week, for pages that were opened before.
import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const KEPT_MS = 7 * 24 * 60 * 60 * 1000;
/** Fonts and pictures are compressed already. */
const SHRINKS = /\.(?:js|css|svg|json)$/;
const COPY = /\.(?:br|gz)$/;

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

const FORMS: Readonly<Record<string, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) =>
    brotli(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gz: (bytes) => zip(bytes, { level: 9 }),
};

export function prepareFiles(): Plugin {
  return {
    name: 'prepare-files',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const names = Object.keys(bundle).filter(
        (name) => SHRINKS.test(name) && !name.startsWith('.'),
      );
      await Promise.all(names.map((name) => compress(join(dir, name))));
      await forgetOld(join(dir, 'assets'), Date.now() - KEPT_MS);
    },
  };
}

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path);
  await Promise.all(
    Object.entries(FORMS).map(async ([ending, shrink]) => {
      // A reader never sees half a copy, also while two builds run.
      const unfinished = `${path}.${ending}.${process.pid}`;
      await writeFile(unfinished, await shrink(bytes));
      await rename(unfinished, `${path}.${ending}`);
    }),
  );
}

/** Every build writes its files anew, so one that is old belongs to no recent build. */
async function forgetOld(folder: string, beforeMs: number): Promise<void> {
  if (!existsSync(folder)) return;
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const of = path.replace(COPY, '');
    const { mtimeMs } = await stat(existsSync(of) ? of : path);
    if (mtimeMs < beforeMs) await rm(path);
  }
}
