// The package as a stranger uses it: packed, installed into an empty folder, started there, and
// used.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { stopAllEngines } from '../server/src/platform/engines/engine.ts';
import { startPostgres, type PrivatePostgres } from '../server/src/platform/engines/postgres.ts';
import { freePort } from '../server/src/platform/engines/process.ts';
import { readmeBlocks, readmeSql, runBlock, type Shell } from './readme.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** npm packs and unpacks ten thousand small files, which is slow on a busy machine. */
const INSTALLS_WITHIN_MS = 600_000;
/** The list of files is long. */
const OUTPUT_MAX = 2 ** 26;
const READY_WITHIN_MS = 90_000;
const STOPS_WITHIN_MS = 30_000;
/** One red pixel. */
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';

/** The strictest of the shells that the README names. */
const ZSH: Shell = { name: 'zsh', args: ['-f', '-i'] };

interface Owner {
  readonly chat_api_key: string;
  readonly operator_secret: string;
}

let home: string;
let tarball: string;
let folder: string;
let postgres: PrivatePostgres;
let settings: Record<string, string> = {};
let server: ChildProcess | undefined;
let said = '';

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'rialto-package-'));
  chmodSync(home, 0o755);
  const packed = await run(ROOT, 'npm', ['run', '--silent', 'pack', '--', '--out', home]);
  tarball = packed.trim();
  folder = join(home, 'empty');
  mkdirSync(folder);
  await run(folder, 'npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', tarball]);
  postgres = await startPostgres();
  settings = {
    DATABASE_URL: postgres.serverUrl,
    DATABASE_OWNER_URL: postgres.ownerUrl,
    MASTER_KEY: 'a5'.repeat(32),
    MONEY: 'simulated',
    UPLOADS_DIR: join(home, 'uploads'),
    PORT: String(await freePort()),
  };
}, INSTALLS_WITHIN_MS);

afterAll(async () => {
  end('SIGKILL');
  await stopAllEngines();
  rmSync(home, { recursive: true, force: true });
});

async function run(cwd: string, program: string, args: readonly string[]): Promise<string> {
  const env = { ...withoutOurs(), ...settings };
  const { stdout, stderr } = await promisify(execFile)(program, args, {
    cwd,
    env,
    maxBuffer: OUTPUT_MAX,
  });
  // A stranger's Node may be older than ours, and must cause no warning.
  expect(stderr).not.toContain('EBADENGINE');
  return stdout;
}

/**
 * The environment of somebody outside this repository: without its programs and npm's variables.
 */
function withoutOurs(): Record<string, string | undefined> {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|VITEST|NODE_|CI$)/i.test(name),
  );
  const path = (process.env['PATH'] ?? '').split(delimiter);
  return {
    ...Object.fromEntries(kept),
    PATH: path.filter((part) => !part.includes('node_modules')).join(delimiter),
  };
}

function end(signal: NodeJS.Signals): void {
  if (server?.pid === undefined || server.exitCode !== null || server.signalCode !== null) return;
  process.kill(-server.pid, signal);
}

it('holds what runs, with its licence and its documents, and no development files', async () => {
  const files = (await run(home, 'tar', ['-tzf', tarball])).split('\n');
  expect(files).toEqual(
    expect.arrayContaining(
      ['LICENSE', 'README.md', 'bin/rialto.js', 'src/main.js', 'migrations/0001_events.sql'].map(
        (file) => `package/${file}`,
      ),
    ),
  );
  expect(files).toContain('package/node_modules/@rialto/matching/src/index.js');
  expect(files.filter((file) => /\.ts$|\.test\.[cm]?js$|\/test-[^/]*\.js$/.test(file))).toEqual([]);
  expect(
    files.filter((file) => /^package\/src\/testing\/|\/(vitest|oxlint|typescript)\//.test(file)),
  ).toEqual([]);
  const manifest = JSON.parse(
    readFileSync(join(folder, 'node_modules/rialto/package.json'), 'utf8'),
  ) as Record<string, Record<string, string>> & { bundleDependencies: string[] };
  expect(manifest).not.toHaveProperty('devDependencies');
  expect(manifest).not.toHaveProperty('private');
  expect(manifest.bundleDependencies).toEqual(Object.keys(manifest['dependencies'] ?? {}));
  const versions = { ...manifest['dependencies'], ...manifest['optionalDependencies'] };
  for (const [name, version] of Object.entries(versions)) {
    expect(version, name).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
  }
});

it('the README leads from the package to a first message and a first order, word for word', async () => {
  const port = String(await freePort());
  // Its own roles and database beside the existing ones, and free ports instead of the usual ones.
  const here = (text: string) =>
    text
      .replaceAll('rialto_', 'readme_')
      .replaceAll('DATABASE rialto', 'DATABASE readme')
      .replaceAll('@127.0.0.1/rialto', `@127.0.0.1:${postgres.port}/readme`)
      .replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`);
  const client = new pg.Client({ connectionString: postgres.ownerUrl });
  await client.connect();
  for (const statement of here(readmeSql()).split(';')) await client.query(statement);
  await client.end();

  const env = { ...withoutOurs(), PORT: port };
  const [prepare = '', ...others] = readmeBlocks('own').map(here);
  expect(await runBlock(ZSH, prepare, { cwd: folder, env })).toContain('Applied 0001_events.');
  const exports = prepare.split('\n').filter((line) => line.startsWith('export '));
  const [start = ''] = readmeBlocks('own server');
  serve('sh', ['-c', [...exports, start].join('\n')], { PORT: port });
  const origin = `http://127.0.0.1:${port}`;
  await untilReady(origin);
  const answer = await runBlock(ZSH, [...exports, ...others].join('\n'), { cwd: folder, env });
  expect(answer).toMatch(/"result":"success".*"id":\d+/);
  expect(answer).toMatch(/"side":"buy".*"price":"60000.*"status":"open"/);
  const owner = JSON.parse(readFileSync(join(folder, 'setup.json'), 'utf8')) as Owner;
  const docs = await fetch(`${origin}/docs/errors/3004/`);
  expect(await docs.text()).toContain('SIGNATURE_INVALID');
  await writeAndShow(origin, `you@example.com:${owner.chat_api_key}`);
  await stop();
});

/**
 * A message and a picture; processing them needs threads, processes and binaries of the package.
 */
async function writeAndShow(origin: string, user: string): Promise<void> {
  const headers = {
    authorization: `Basic ${Buffer.from(user).toString('base64')}`,
  };
  const post = async (path: string, body: URLSearchParams | FormData) => {
    const answer = await fetch(`${origin}/api/v1/${path}`, { method: 'POST', headers, body });
    return (await answer.json()) as Record<string, unknown>;
  };
  const channels = JSON.stringify([{ name: 'harbour' }]);
  expect(
    await post('users/me/subscriptions', new URLSearchParams({ subscriptions: channels })),
  ).toMatchObject({ result: 'success' });
  const content = 'Good **morning**\n```js\nlet a = 1;\n```\n$$e^x$$';
  const sent = await post(
    'messages',
    new URLSearchParams({ type: 'channel', to: 'harbour', topic: 'hello', content }),
  );
  expect(sent).toMatchObject({ result: 'success' });
  const read = await fetch(`${origin}/api/v1/messages/${String(sent['id'])}`, { headers });
  const { message } = (await read.json()) as { message: { content: string } };
  // Rendered by a thread of the package, with packages that are loaded on first use.
  for (const part of ['<strong>morning</strong>', 'codehilite', 'katex']) {
    expect(message.content).toContain(part);
  }

  const picture = new FormData();
  picture.set('file', new Blob([Buffer.from(PICTURE, 'base64')], { type: 'image/png' }), 'a.png');
  expect(await post('users/me/avatar', picture)).toMatchObject({ result: 'success' });
}

function serve(program: string, args: readonly string[], env: Record<string, string>): void {
  server = spawn(program, args, {
    cwd: folder,
    env: { ...withoutOurs(), ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    // Its own process group, so that npx and the server end together.
    detached: true,
  });
  said = '';
  server.stderr?.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-100_000)));
}

async function stop(): Promise<void> {
  end('SIGTERM');
  // npx ends at once; the server finishes its work first.
  await expect.poll(() => said, { timeout: STOPS_WITHIN_MS }).toContain('"Stopped."');
}

async function untilReady(origin: string): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (Date.now() < deadline) {
    if (server?.exitCode !== null) throw new Error(`It ended: ${said.slice(-2000)}`);
    const answer = await fetch(`${origin}/health/ready`).catch(() => undefined);
    if (answer?.status === 200) return;
    await sleep(100);
  }
  throw new Error(`It was not ready: ${said.slice(-2000)}`);
}
