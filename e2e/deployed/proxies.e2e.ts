// Tests the example configurations of nginx, Caddy and systemd with the real programs: while the
// server restarts, no request through nginx or Caddy is refused.
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { asOperator } from '../../server/src/ops/operator.ts';
import { migrate } from '../../server/src/platform/db/migrate.ts';
import { stopAllEngines } from '../../server/src/platform/engines/engine.ts';
import { startPostgres } from '../../server/src/platform/engines/postgres.ts';
import { ended, findBinaries, freePort } from '../../server/src/platform/engines/process.ts';
import { examplePerson, type Person } from '../../server/src/testing/example.ts';
import { RIALTO_BINARY, startRialtoProcess } from '../../server/src/testing/rialto-process.ts';
import { readRoot, ROOT } from './compose.ts';
import { awaitReady, untilAnswer } from './first-life.ts';

const NAME = 'rialto.example';
const isHere = (...names: string[]) =>
  findBinaries(names).length > 0 || process.env['CI'] !== undefined;

let folder: string;
let certificate: string;
let key: string;
let settings: Record<string, string>;
let person: Person;
const children: ChildProcess[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rialto-proxies-'));
  certificate = join(folder, 'certificate.pem');
  key = join(folder, 'key.pem');
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-subj',
      `/CN=${NAME}`,
      '-addext',
      `subjectAltName=DNS:${NAME}`,
      '-keyout',
      key,
      '-out',
      certificate,
    ],
    { stdio: 'ignore' },
  );
  const postgres = await startPostgres();
  await migrate(postgres.ownerUrl, postgres.serverUrl);
  settings = {
    DATABASE_URL: postgres.serverUrl,
    MASTER_KEY: '5e'.repeat(32),
    MONEY: 'simulated',
    LOG_LEVEL: 'silent',
    PUBLIC_URL: `https://${NAME}`,
    TRUSTED_PROXIES: '127.0.0.1',
    UPLOADS_DIR: join(folder, 'uploads'),
  };
  person = await asOperator(settings, (ctx) => examplePerson(ctx));
});
afterEach(async () => {
  for (const child of children) child.kill('SIGTERM');
  for (const child of children.splice(0)) await ended(child);
});
afterAll(async () => {
  await stopAllEngines();
  rmSync(folder, { recursive: true });
});

function start(command: string, args: readonly string[], environment: Record<string, string> = {}) {
  const child = spawn(command, args, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return child;
}

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** Sends a request through the proxy on a new connection. Fails when it is refused. */
function ask(
  port: number,
  path: string,
  form?: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method: form === undefined ? 'GET' : 'POST',
        servername: NAME,
        ca: readFileSync(certificate),
        headers: {
          host: NAME,
          authorization: person.basic,
          'content-type': 'application/x-www-form-urlencoded',
          ...headers,
        },
        agent: false,
      },
      (answer) => {
        let text = '';
        answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
        answer.on('error', reject);
        answer.on('end', () => {
          const body = text.startsWith('{') ? (JSON.parse(text) as Answer['body']) : { text };
          resolve({ status: answer.statusCode ?? 0, body });
        });
      },
    );
    sent.on('error', reject);
    sent.end(form && new URLSearchParams(form).toString());
  });
}

const OVER_THE_LIMIT = String(111 * 1024 * 1024);

/**
 * A client that waits for events and others that send requests, while `restart` stops and restarts
 * the server.
 */
async function expectHeld(port: number, restart: () => Promise<void>): Promise<void> {
  const up = () =>
    ask(port, '/health/ready').then(
      ({ status }) => status,
      () => 0,
    );
  expect(await untilAnswer(up, (status) => status === 200)).toBe(200);
  const { status, body } = await ask(port, '/api/v1/register', { event_types: '["message"]' });
  expect([status, body['msg']]).toEqual([200, '']);
  const queue = String(body['queue_id']);
  const answers: number[] = [];
  const heard: unknown[] = [];
  let last = Number(body['last_event_id']);
  let isOver = false;
  const polling = (async () => {
    while (!isOver) {
      const polled = await ask(port, `/api/v1/events?queue_id=${queue}&last_event_id=${last}`);
      answers.push(polled.status);
      for (const event of (polled.body['events'] ?? []) as { id: number; type: string }[]) {
        last = event.id;
        if (event.type === 'message') heard.push(event);
      }
      isOver ||= heard.length > 0 || polled.status !== 200;
    }
  })();
  const coming = (async () => {
    const statuses = [];
    while (!isOver) {
      statuses.push((await ask(port, '/api/v1/server_settings')).status);
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    return statuses;
  })();
  await restart();
  const sent = await ask(port, '/api/v1/messages', {
    type: 'direct',
    to: JSON.stringify([person.email]),
    content: 'Still there?',
  });
  expect([sent.status, sent.body['msg']]).toEqual([200, '']);
  await polling;
  expect(new Set(answers)).toEqual(new Set([200]));
  expect(heard).toHaveLength(1);
  expect(new Set(await coming)).toEqual(new Set([200]));
  // A body larger than the server takes is refused before a byte of it has come.
  const tooLarge = { 'content-length': OVER_THE_LIMIT };
  const refused = await ask(port, '/api/v1/user_uploads', {}, tooLarge).catch(() => ({
    status: 413,
  }));
  expect(refused.status).toBe(413);
}

describe.skipIf(!isHere('nginx'))('nginx, before a server with a socket unit', () => {
  it('serves every request while the server restarts', async () => {
    const [port, upstream] = [await freePort(), await freePort()];
    const site = readRoot('deploy/nginx/rialto.conf')
      .replaceAll(/^\s*listen \[::\].*$/gm, '')
      .replace('listen 80;', `listen 127.0.0.1:${await freePort()};`)
      .replace('listen 443 ', `listen 127.0.0.1:${port} `)
      .replaceAll('127.0.0.1:8080', `127.0.0.1:${upstream}`)
      .replace('/etc/ssl/rialto/fullchain.pem', certificate)
      .replace('/etc/ssl/rialto/privkey.pem', key);
    const own = join(folder, 'nginx');
    mkdirSync(own);
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${own}/${name};`,
    );
    writeFileSync(
      join(own, 'nginx.conf'),
      `daemon off; pid ${own}/pid; error_log ${own}/error.log;
       ${process.getuid?.() === 0 ? 'user root;' : ''}
       events { worker_connections 512; }
       http { access_log off; ${paths.join(' ')} ${site} }`,
    );
    const [nginx = 'nginx'] = findBinaries(['nginx']);
    const tested = spawnSync(nginx, ['-t', '-c', join(own, 'nginx.conf')], { encoding: 'utf8' });
    expect(tested.status, tested.stderr).toBe(0);

    const holder = start(
      'python3',
      [
        fileURLToPath(new URL('hold_port.py', import.meta.url)),
        String(upstream),
        process.execPath,
        RIALTO_BINARY,
        'serve',
      ],
      { ...settings, PORT: String(upstream) },
    );
    const pids = createInterface({ input: holder.stdout })[Symbol.asyncIterator]();
    const first = Number((await pids.next()).value);
    expect(first).toBeGreaterThan(1);
    await awaitReady(`http://127.0.0.1:${upstream}`);
    start(nginx, ['-c', join(own, 'nginx.conf')]);
    await expectHeld(port, async () => {
      process.kill(first, 'SIGTERM');
      expect(Number((await pids.next()).value)).not.toBe(first);
    });
  });
});

describe.skipIf(!isHere('caddy'))('Caddy, before a server', () => {
  it('serves every request while the server restarts', async () => {
    const server = await startRialtoProcess('api,engine,relay,worker', settings);
    try {
      await awaitReady(server.origin);
      const port = await freePort();
      const path = join(folder, 'Caddyfile');
      writeFileSync(
        path,
        readRoot('deploy/caddy/Caddyfile')
          .replace(
            /^rialto\.example \{/m,
            `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${NAME}:${port} {\n\ttls ${certificate} ${key}`,
          )
          .replaceAll(' 127.0.0.1:8080', ` 127.0.0.1:${server.port}`),
      );
      const home = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
      const options = ['--adapter', 'caddyfile', '--config', path];
      const [caddy = 'caddy'] = findBinaries(['caddy']);
      const env = { ...process.env, ...home };
      const tested = spawnSync(caddy, ['validate', ...options], { env, encoding: 'utf8' });
      expect(tested.status, tested.stderr).toBe(0);
      start(caddy, ['run', ...options], home);
      await expectHeld(port, async () => {
        server.kill('SIGTERM');
        await server.restart();
      });
    } finally {
      await server.stop();
    }
  });
});

describe.skipIf(!isHere('systemd-analyze'))('the units of systemd', () => {
  it('are accepted by systemd itself, and restrict the server', async () => {
    const from = join(ROOT, 'deploy/systemd');
    const units = join(folder, 'units');
    mkdirSync(units);
    const names = readdirSync(from).filter((name) => !name.endsWith('.d'));
    for (const name of names) {
      const text = readFileSync(join(from, name), 'utf8');
      writeFileSync(join(units, name), text.replaceAll('/opt/rialto/', ROOT));
    }
    const verify = spawn(
      'systemd-analyze',
      ['verify', '--man=no', ...names.map((name) => join(units, name))],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    let said = '';
    for (const stream of [verify.stdout, verify.stderr]) {
      stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
    }
    const [code] = (await once(verify, 'close')) as [number];
    // systemd-analyze also checks this machine's units that ours come after.
    const ours = said.split('\n').filter((line) => /rialto/.test(line));
    expect(ours, said).toEqual([]);
    expect(code, said).toBe(0);
    for (const name of ['rialto.service', 'rialto-signer.service']) {
      const security = spawnSync(
        'systemd-analyze',
        ['security', '--offline=true', '--threshold=30', join(units, name)],
        { encoding: 'utf8' },
      );
      expect(security.status, security.stdout + security.stderr).toBe(0);
    }
  });
});
