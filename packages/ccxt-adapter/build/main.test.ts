// The package as npm publishes it, in a folder of its own, with plain Node.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildAdapter } from './main.ts';

const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));

let outside: string;
let folder: string;

beforeAll(() => {
  outside = mkdtempSync(join(tmpdir(), 'rialto-ccxt-'));
  folder = join(outside, 'package');
  buildAdapter(folder);
  // What npm would install beside it.
  symlinkSync(MODULES, join(outside, 'node_modules'));
}, 120_000);
afterAll(() => rmSync(outside, { recursive: true, force: true }));

it('has JavaScript, types, a readme and a licence, and no tests', () => {
  const files = readdirSync(folder, { recursive: true }).map(String);
  expect(files).toEqual(expect.arrayContaining(['index.js', 'index.d.ts', 'README.md', 'LICENSE']));
  expect(files.filter((file) => /\.test\.|(?<!\.d)\.ts$/.test(file))).toEqual([]);
  const declared = files.filter((file) => file.endsWith('.d.ts'));
  const texts = declared.map((file) => readFileSync(join(folder, file), 'utf8'));
  expect(texts.filter((text) => /from '\.[^']*\.ts'/.test(text))).toEqual([]);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as object;
  expect(manifest).toMatchObject({
    name: '@rialto/ccxt-adapter',
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
    peerDependencies: { ccxt: expect.any(String) },
  });
  expect(manifest).not.toHaveProperty('private');
});

it('runs', () => {
  const program = `
    import { pro, rialto } from './index.js';
    const venue = new pro.rialto({ baseUrl: 'https://venue.example/v1' });
    console.log(venue instanceof rialto, venue.id, venue.sign('time').url);`;
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(said.trim()).toBe('true rialto https://venue.example/v1/public/time');
});
