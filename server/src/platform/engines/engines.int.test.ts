import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@nats-io/transport-node';
import { Client } from 'pg';
import { createClient } from 'redis';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startNats } from './nats.ts';
import { startPostgres, type PostgresOptions } from './postgres.ts';
import { stopAllEngines } from './engine.ts';
import { startRedis } from './redis.ts';

afterAll(stopAllEngines);

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // A zombie has ended, and only waits to be reaped.
    const status = `/proc/${pid}/status`;
    return !fs.existsSync(status) || !/^State:\s*Z/m.test(fs.readFileSync(status, 'utf8'));
  } catch {
    return false;
  }
};

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

async function echoThroughNats(url: string): Promise<string> {
  const { origin, username, password } = new URL(url.replace('nats:', 'http:'));
  const servers = origin.replace('http://', '');
  const connection = await connect({ servers, user: username, pass: password });
  try {
    const subscription = connection.subscribe('echo', { max: 1 });
    connection.publish('echo', 'hello');
    for await (const message of subscription) return message.string();
    return 'nothing';
  } finally {
    await connection.close();
  }
}

async function pingRedis(url: string): Promise<string> {
  const client = createClient({ url, socket: { reconnectStrategy: false } });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await client.ping();
  } finally {
    client.destroy();
  }
}

const postgres = (options: PostgresOptions) => async () => {
  const engine = await startPostgres(options);
  await query(engine.ownerUrl, 'create table kept (n int)');
  return {
    engine,
    // The table shows that committed data survives SIGKILL.
    answer: () => query(engine.ownerUrl, 'select 1 as one, count(*)::int as kept from kept'),
    expected: [{ one: 1, kept: 0 }],
  };
};

describe.each([
  { name: 'PostgreSQL as installed', start: postgres({ source: 'installed' }) },
  { name: 'PostgreSQL of the npm package', start: postgres({ source: 'package' }) },
  {
    name: 'NATS',
    start: async () => {
      const engine = await startNats();
      return { engine, answer: () => echoThroughNats(engine.url), expected: 'hello' };
    },
  },
  {
    name: 'Redis',
    start: async () => {
      const engine = await startRedis();
      return { engine, answer: () => pingRedis(engine.url), expected: 'PONG' };
    },
  },
])('$name', { timeout: 90_000 }, ({ start }) => {
  test('answers, comes back on its port after SIGKILL, and leaves nothing behind', async () => {
    const { engine, answer, expected } = await start();
    const { pid: first, port, folder } = engine;
    expect(await answer()).toEqual(expected);
    expect(folder.startsWith(join(tmpdir(), 'rialto-'))).toBe(true);

    engine.kill('SIGKILL');
    await engine.restart();
    expect(engine.pid).not.toBe(first);
    expect(engine.port).toBe(port);
    expect(await answer()).toEqual(expected);

    await engine.stop();
    expect(engine.pid).toBeUndefined();
    await expect(answer()).rejects.toThrow();
    await engine.restart();
    expect(await answer()).toEqual(expected);

    const pid = engine.pid ?? 0;
    if (process.getuid?.() === 0) expect(fs.statSync(`/proc/${pid}`).uid).not.toBe(0);
    expect(isAlive(pid)).toBe(true);
    await engine.remove();
    expect(isAlive(pid)).toBe(false);
    expect(fs.existsSync(folder)).toBe(false);
    await expect(engine.restart()).rejects.toThrow('was removed');
  });
});

/** Runs a program that starts all three engines and prints them, and then ends as told. */
async function orphan(lastWords: string, signal?: NodeJS.Signals) {
  const source = ['postgres', 'nats', 'redis'].map((name) => {
    const start = `start${name.replace(/^./, (letter) => letter.toUpperCase())}`;
    const file = JSON.stringify(new URL(`${name}.ts`, import.meta.url).href);
    return `import(${file}).then((module) => module.${start}())`;
  });
  const program = `const engines = await Promise.all([${source.join(',')}]);
    console.log(JSON.stringify(engines.map(({ pid, folder }) => ({ pid, folder }))));
    ${lastWords}`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(parent, 'exit');
  let printed = '';
  for await (const text of parent.stdout.setEncoding('utf8')) {
    printed += String(text);
    if (printed.includes('\n') && signal) parent.kill(signal);
  }
  await ended;
  return JSON.parse(printed) as { pid: number; folder: string }[];
}

test.each([
  { how: 'runs to its end', lastWords: '' },
  { how: 'calls process.exit', lastWords: 'process.exit(0);' },
  { how: 'gets SIGTERM', lastWords: 'setInterval(() => {}, 1000);', signal: 'SIGTERM' as const },
  { how: 'gets SIGINT', lastWords: 'setInterval(() => {}, 1000);', signal: 'SIGINT' as const },
  { how: 'gets SIGKILL', lastWords: 'setInterval(() => {}, 1000);', signal: 'SIGKILL' as const },
])('nothing is left when the program $how', { timeout: 90_000 }, async ({ lastWords, signal }) => {
  const engines = await orphan(lastWords, signal);
  expect(engines).toHaveLength(3);
  await vi.waitFor(
    () => {
      const left = engines.filter(({ pid, folder }) => isAlive(pid) || fs.existsSync(folder));
      expect(left).toEqual([]);
    },
    { timeout: 25_000, interval: 50 },
  );
});

describe('PostgreSQL in folders of the caller', { timeout: 90_000 }, () => {
  // In a hook, since the body of a group also runs when all of its tests are filtered out.
  let home = '';
  beforeAll(() => {
    home = fs.mkdtempSync(join(tmpdir(), 'rialto-'));
    fs.chmodSync(home, 0o755);
  });
  afterAll(() => fs.rmSync(home, { recursive: true, force: true }));

  test('keeps its data and its password from one run to the next', async () => {
    const folder = join(home, 'kept');
    const first = await startPostgres({ folder });
    await query(first.ownerUrl, 'create table kept as select 7 as n');
    await first.remove();
    const second = await startPostgres({ folder, settings: { work_mem: '5MB' } });
    expect(await query(second.ownerUrl, 'select n from kept')).toEqual([{ n: 7 }]);
    expect(await query(second.ownerUrl, 'show work_mem')).toEqual([{ work_mem: '5MB' }]);
    expect(second.majorVersion).toBeGreaterThanOrEqual(15);
    await second.remove();
    expect(fs.existsSync(join(folder, 'data', 'PG_VERSION'))).toBe(true);
  });

  test('refuses a data folder that it did not make', async () => {
    const dataDir = join(home, 'foreign');
    fs.mkdirSync(dataDir);
    fs.writeFileSync(join(dataDir, 'precious'), '');
    await expect(startPostgres({ dataDir })).rejects.toThrow('is not empty');
    expect(fs.existsSync(join(dataDir, 'precious'))).toBe(true);
  });
});

describe('an engine that cannot start', () => {
  test('names what to install, and leaves no folder', async () => {
    const empty = fs.mkdtempSync(join(tmpdir(), 'rialto-'));
    fs.chmodSync(empty, 0o755);
    vi.stubEnv('TMPDIR', empty);
    try {
      await expect(startNats({ binary: 'no-nats' })).rejects.toThrow('apt install nats-server');
      await expect(startRedis({ binary: 'no-redis' })).rejects.toThrow('apt install redis');
      expect(fs.readdirSync(empty)).toEqual([]);
    } finally {
      vi.unstubAllEnvs();
      fs.rmSync(empty, { recursive: true });
    }
  });

  test('shows the end of its log', async () => {
    const settings = { 'no-such-setting': 'yes' };
    await expect(startRedis({ settings })).rejects.toThrow(/ended at once[^]*no-such-setting/);
    await expect(startPostgres({ settings: { work_mem: 'much' } })).rejects.toThrow(/work_mem/);
  });
});
