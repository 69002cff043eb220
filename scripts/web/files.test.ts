// What a build leaves for pages that were opened before it.
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { prepareFiles } from '../../web/build/files.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rialto-files-'));
});
afterAll(() => rm(folder, { recursive: true }));

const DAY_MS = 24 * 60 * 60 * 1000;

it('keeps the files of builds of the last seven days, with their copies, and no older ones', async () => {
  await mkdir(join(folder, 'assets'));
  const write = async (name: string, days: number, text = 'x') => {
    const path = join(folder, 'assets', name);
    await writeFile(path, text);
    const at = new Date(Date.now() - days * DAY_MS);
    await utimes(path, at, at);
  };
  await write('now-1.js', 0, 'const now = 1;'.repeat(50));
  await write('week-1.js', 6.9);
  // A copy is as old as its file, whenever it was made.
  await write('week-1.js.br', 9);
  await write('old-1.js', 7.1);
  await write('old-1.js.br', 7.1);
  await write('orphan-1.js.gz', 8);
  const { writeBundle } = prepareFiles();
  const run = typeof writeBundle === 'function' ? writeBundle : writeBundle?.handler;
  await Reflect.apply(run ?? (() => undefined), undefined, [
    { dir: folder },
    { 'assets/now-1.js': {} },
  ]);
  expect((await readdir(join(folder, 'assets'))).sort()).toEqual([
    'now-1.js',
    'now-1.js.br',
    'now-1.js.gz',
    'week-1.js',
    'week-1.js.br',
  ]);
  const copy = await readFile(join(folder, 'assets/now-1.js.br'));
  expect(brotliDecompressSync(copy).toString()).toContain('const now');
});
