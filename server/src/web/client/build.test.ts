import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readManifest, watchBuild, type Manifest } from './build.ts';

const MANIFEST: Manifest = {
  'src/main.ts': { file: 'assets/client-1.js', css: ['assets/m.css'] },
  'src/app/draw.tsx': {
    file: 'assets/frame-1.js',
    imports: ['src/main.ts', '_a.js', '_b.js'],
  },
  '_a.js': { file: 'assets/a-1.js', imports: ['_b.js'], css: ['assets/a.css', 'assets/m.css'] },
  // Chunks may import each other.
  '_b.js': {
    file: 'assets/b-1.js',
    imports: ['_a.js'],
    assets: ['assets/vazirmatn-arabic-x.woff2'],
  },
  'src/chat/search.tsx': {
    file: 'assets/search-1.js',
    imports: ['_b.js', '_c.js', 'src/app/draw.tsx', 'src/main.ts'],
  },
  '_c.js': { file: 'assets/c-1.js' },
};

it('a page begins with its script, the frame, everything that they import, and all their styles, each once', () => {
  const build = readManifest(MANIFEST);
  expect(build?.page).toEqual({
    script: '/web/assets/client-1.js',
    imports: ['/web/assets/frame-1.js', '/web/assets/a-1.js', '/web/assets/b-1.js'],
    styles: ['/web/assets/m.css', '/web/assets/a.css'],
  });
  expect(build?.persianFont).toBe('/web/assets/vazirmatn-arabic-x.woff2');
});

it('a view brings what the page has not, each once, and nothing where the build does not know it', () => {
  const build = readManifest(MANIFEST);
  const sources = ['src/chat/search.tsx', 'src/chat/search.tsx', 'src/renamed.tsx'];
  expect(build?.viewScripts(sources)).toEqual(['/web/assets/search-1.js', '/web/assets/c-1.js']);
  expect(build?.viewScripts([])).toEqual([]);
});

it('a manifest without the entry or the frame is no build', () => {
  const { 'src/main.ts': _client, ...rest } = MANIFEST;
  expect(readManifest(rest)).toBeUndefined();
  const { 'src/app/draw.tsx': _frame, ...frameless } = MANIFEST;
  expect(readManifest(frameless)).toBeUndefined();
});

it('a build is found when it is there, read again when it changes, and kept while the next one is broken', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rialto-build-'));
  try {
    let nowMs = 0;
    const find = watchBuild(folder, () => nowMs);
    const later = () => {
      nowMs += 2000;
      return find();
    };
    expect(await find()).toBeUndefined();
    await mkdir(join(folder, '.vite'));
    const file = join(folder, '.vite/manifest.json');
    const write = async (text: string, second: number) => {
      await writeFile(file, text);
      await utimes(file, second, second);
    };
    await write(JSON.stringify(MANIFEST), 1);
    // Not looked for again within a second.
    expect(await find()).toBeUndefined();
    expect((await later())?.page.script).toBe('/web/assets/client-1.js');
    await write('{"src/main', 2);
    expect((await later())?.page.script).toBe('/web/assets/client-1.js');
    const next = { ...MANIFEST, 'src/main.ts': { file: 'assets/client-2.js' } };
    await write(JSON.stringify(next), 3);
    expect((await later())?.page.script).toBe('/web/assets/client-2.js');
  } finally {
    await rm(folder, { recursive: true });
  }
  expect(await watchBuild(undefined, () => 0)()).toBeUndefined();
});
