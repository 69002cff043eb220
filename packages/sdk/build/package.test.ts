// The package as others get it: packed, installed into an empty folder, imported by plain Node, checked by a compiler and
// bundled for browsers.
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildSdk } from './main.ts';

const README = fileURLToPath(new URL('../README.md', import.meta.url));
/** What the README promises: everything, minified and compressed. Raise it only for what is worth it to everybody. */
const SIZE_MAX_KIB = 20;
const BUILT_WITHIN_MS = 300_000;
const COMPILER = createRequire(import.meta.url).resolve('typescript/bin/tsc');

let home: string;
let user: string;
let installed: string;

const run = (file: string, args: readonly string[]) =>
  execFileSync(file, args, { cwd: user, encoding: 'utf8', stdio: 'pipe' });

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'rialto-sdk-'));
  user = join(home, 'user');
  mkdirSync(user);
  const built = join(home, 'built');
  buildSdk(built);
  run('npm', ['pack', built, '--pack-destination', home, '--silent']);
  const [tarball = ''] = globSync('*.tgz', { cwd: home });
  writeFileSync(join(user, 'package.json'), '{"name":"user","private":true,"type":"module"}');
  run('npm', ['install', join(home, tarball), '--offline', '--no-audit', '--no-fund', '--silent']);
  installed = join(user, 'node_modules/@rialto/sdk');
}, BUILT_WITHIN_MS);
afterAll(() => rmSync(home, { recursive: true, force: true }));

it('has code, declarations and documents, and needs no other package', () => {
  const files = globSync('**/*.*', { cwd: installed });
  expect(files).toEqual(expect.arrayContaining(['index.js', 'index.d.ts', 'README.md']));
  const odd = files.filter((file) => !/\.(js|d\.ts)$|^(README\.md|package\.json)$/.test(file));
  expect(odd).toEqual([]);
  expect(files.filter((file) => /test/.test(file))).toEqual([]);
  expect(globSync('LICENSE', { cwd: installed })).toEqual(['LICENSE']);
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as object;
  expect(manifest).toMatchObject({
    type: 'module',
    sideEffects: false,
    engines: { node: '>=22' },
    publishConfig: { access: 'public', provenance: true },
  });
  for (const key of ['dependencies', 'devDependencies', 'scripts', 'private']) {
    expect(manifest).not.toHaveProperty(key);
  }
});

it('is imported by plain Node', () => {
  const program = `
    import * as sdk from '@rialto/sdk';
    const { Chat, Trading, decimal } = sdk;
    const trading = new Trading({ url: 'https://venue.example', key: 'k', secret: 's' });
    const chat = new Chat({ url: 'https://venue.example', email: 'a@b.example', apiKey: 'k' });
    const { signature } = await trading.explain('account.info');
    console.log(JSON.stringify([
      Object.keys(sdk).sort(), decimal.add('0.1', '0.2'), signature.length, typeof chat.sendMessage,
    ]));`;
  writeFileSync(join(user, 'program.js'), program);
  const [names, sum, digits, method] = JSON.parse(run(process.execPath, ['program.js'])) as [
    string[],
    string,
    number,
    string,
  ];
  expect(names).toEqual(
    expect.arrayContaining([
      'Chat',
      'ChatError',
      'RialtoError',
      'Trading',
      'TradingError',
      'decimal',
    ]),
  );
  expect([sum, digits, method]).toEqual(['0.3', 64, 'function']);
});

/** What samples of the README leave to the reader, or have from the sample before. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  url: 'string',
  csv: 'string',
  signal: 'AbortSignal',
  trading: "import('@rialto/sdk').Trading",
  chat: "import('@rialto/sdk').Chat",
  streams: "import('@rialto/sdk').Streams",
  process: '{ env: Record<string, string | undefined> }',
  begin: '(state: unknown) => void',
  answer: '(event: unknown) => Promise<void>',
};

/** The samples of the README as programs. */
function writeSamples(): string[] {
  const samples = [...readFileSync(README, 'utf8').matchAll(/^```ts\n([^]*?)^```$/gm)];
  expect(samples.length).toBeGreaterThan(8);
  return samples.map(([, sample = ''], index) => {
    const declared = Object.entries(LEFT_OUT)
      .filter(([name]) => !new RegExp(`\\bconst (\\{[^}]*)?\\b${name}\\b`).test(sample))
      .map(([name, type]) => `declare const ${name}: ${type};`);
    const file = `sample-${index}.ts`;
    writeFileSync(join(user, file), `${sample}\n${declared.join('\n')}\nexport {};\n`);
    return file;
  });
}

const PROGRAM = `
  import { Trading, type Order } from '@rialto/sdk';
  const trading = new Trading({ url: 'https://venue.example' });
  export const open: readonly Order[] = await trading.order.open({ symbol: 'btcusdt' });
  // @ts-expect-error: a price is text.
  await trading.order.limitBuy({ symbol: 'btcusdt', price: 1, volume: '1' });`;

it.each([
  ['Node', ['--module', 'nodenext'], writeSamples],
  ['a bundler', ['--module', 'esnext', '--moduleResolution', 'bundler'], () => []],
])('a compiler that resolves as %s understands it, and the samples', (_by, resolving, more) => {
  writeFileSync(join(user, 'program.ts'), PROGRAM);
  // Without the types of Node: a browser has none.
  const options = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2024,dom'];
  const files = ['program.ts', ...more()];
  const { stdout } = spawnSync(process.execPath, [COMPILER, ...options, ...resolving, ...files], {
    cwd: user,
    encoding: 'utf8',
  });
  expect(stdout).toBe('');
});

it('knows its own version', async () => {
  const { version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    version: string;
  };
  const { VERSION } = (await import(join(installed, 'version.js'))) as { VERSION: string };
  expect(VERSION).toBe(version);
});

it('is bundled for browsers without anything of Node, and is as small as the README says', async () => {
  const bundle = await rolldown({ input: join(installed, 'index.js'), platform: 'browser' });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  expect(output).toHaveLength(1);
  const [{ code, imports, dynamicImports }] = output;
  expect([...imports, ...dynamicImports]).toEqual([]);
  expect(code).not.toMatch(/node:|\brequire\(|Buffer\b/);
  const kib = gzipSync(code).length / 1024;
  console.log(`The SDK has ${code.length} bytes minified, ${kib.toFixed(1)} KiB compressed.`);
  expect(kib).toBeLessThan(SIZE_MAX_KIB);
  expect(readFileSync(README, 'utf8')).toContain(`${SIZE_MAX_KIB} KiB`);
});

it('a program that needs only decimals gets only those', async () => {
  const entry = join(user, 'decimals.js');
  writeFileSync(
    entry,
    "import { decimal } from '@rialto/sdk'; console.log(decimal.add('1', '2'));",
  );
  const bundle = await rolldown({ input: entry, platform: 'browser' });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  expect(output[0].code).not.toContain('/private/');
  expect(output[0].code.length).toBeLessThan(4000);
});
