// Starts the Redis and the NATS of deploy/ from the files that compose.yaml mounts: the server works with them,
// and the server's password allows nothing else.
import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect } from '@nats-io/transport-node';
import { createClient } from 'redis';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { createNatsBus } from '../../platform/bus/nats.ts';
import { loadConfig } from '../../platform/config/load.ts';
import { ended, freePort } from '../../platform/engines/process.ts';
import { systemClock } from '../../platform/std/clock.ts';
import { ADMIT, createRedisWindows } from '../../platform/windows/redis.ts';
import { checkRedis } from './neighbours.ts';

const file = (path: string) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
/** With characters that are special in shells and configuration files. */
const PASSWORD = '4e\\2 "long\' $ecret';
const RULE = { limit: 3, windowMs: 60_000 };
const WAIT = { timeout: 30_000, interval: 50 };

const children: ChildProcess[] = [];
let folder: string;
function start(command: string, args: string[], environment: Record<string, string>): void {
  const child = spawn(command, args, {
    // Debian keeps servers outside the PATH of most users.
    env: { PATH: `${process.env['PATH']}:/usr/sbin`, BUS_PASSWORD: PASSWORD, ...environment },
    stdio: 'ignore',
  });
  children.push(child);
}
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rialto-guarded-'));
});
afterAll(async () => {
  for (const child of children) child.kill('SIGTERM');
  for (const child of children) await ended(child);
  rmSync(folder, { recursive: true });
});

describe('the Redis of deploy/', () => {
  let url: string;
  const open = async (address: string) => {
    const client = createClient({ url: address, socket: { reconnectStrategy: false } });
    client.on('error', () => {});
    return client.connect();
  };

  beforeAll(async () => {
    const port = await freePort();
    start('sh', [file('deploy/redis/start.sh')], {
      RUN_DIR: folder,
      REDIS_PORT: String(port),
      REDIS_BIND: '127.0.0.1',
      ADMIT_SCRIPT: file('server/src/platform/windows/admit.lua'),
    });
    url = `redis://rialto:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`;
    const config = loadConfig({
      DATABASE_URL: inject('postgresUrl'),
      MASTER_KEY: '5e'.repeat(32),
      NATS_URL: inject('natsUrl'),
      REDIS_URL: url,
    });
    // Ready when the script is loaded, which the doctor tries.
    await vi.waitUntil(async () => (await checkRedis(config))[0]?.status === 'ok', WAIT);
  });

  it('serves the rate windows from the first request on, without a local decision', async () => {
    const errors: unknown[] = [];
    let alone = 0;
    const windows = await createRedisWindows({
      url,
      prefix: 'rialto:guarded',
      clock: systemClock,
      sharers: () => 1,
      onError: (error) => errors.push(error),
      onFallback: () => (alone += 1),
    });
    const decisions = [];
    for (let n = 0; n < 4; n += 1) decisions.push(await windows.admit('somebody', RULE));
    expect(decisions.map(({ admitted }) => admitted)).toEqual([true, true, true, false]);
    windows.release('somebody', decisions[0]?.token ?? 0);
    await expect
      .poll(async () => (await windows.admit('somebody', RULE)).admitted, WAIT)
      .toBe(true);
    await windows.close();
    expect({ errors, alone }).toEqual({ errors: [], alone: 0 });
  });

  it.each(
    [
      ['FLUSHALL'],
      ['FLUSHDB'],
      ['CONFIG', 'GET', '*'],
      ['CONFIG', 'SET', 'dir', '/tmp'],
      ['EVAL', "return redis.call('TIME')", '0'],
      ['EVAL', 'while true do end', '0'],
      ['SCRIPT', 'LOAD', 'return 1'],
      ['SCRIPT', 'FLUSH'],
      ['FUNCTION', 'LOAD', '#!lua name=mine\n'],
      ['FUNCTION', 'FLUSH'],
      ['FCALL', 'mine', '0'],
      ['KEYS', '*'],
      ['SCAN', '0'],
      ['MONITOR'],
      ['DEBUG', 'SLEEP', '1'],
      ['SHUTDOWN'],
      ['SAVE'],
      ['BGREWRITEAOF'],
      ['REPLICAOF', '127.0.0.1', '1'],
      ['MIGRATE', '127.0.0.1', '1', 'key', '0', '1000'],
      ['MODULE', 'LOAD', '/tmp/mine.so'],
      ['ACL', 'SETUSER', 'rialto', '+@all'],
      ['ACL', 'LIST'],
      ['CLIENT', 'LIST'],
      ['CLIENT', 'KILL', 'TYPE', 'normal'],
      ['SUBSCRIBE', 'any'],
      ['SET', 'rialto:x', '1'],
      ['SELECT', '1'],
      ['LPUSH', 'somebody-elses', '1'],
      ['DEL', 'somebody-elses'],
      ['LINDEX', 'somebody-elses', '0'],
    ].map((command) => ({ title: command.join(' '), command })),
  )('refuses the server: $title', async ({ command }) => {
    const client = await open(url);
    await expect(client.sendCommand(command)).rejects.toThrow(/NOPERM|command not allowed/);
    client.destroy();
  });

  it('lets the script touch only the server’s keys', async () => {
    const client = await open(url);
    const hash = createHash('sha1').update(ADMIT).digest('hex');
    const call = (key: string) => client.sendCommand(['EVALSHA', hash, '1', key, '1', '1000']);
    await expect(call('somebody-elses')).rejects.toThrow('NOPERM');
    await expect(client.sendCommand(['EVALSHA', 'ab'.repeat(20), '0'])).rejects.toThrow('NOSCRIPT');
    expect(await call('rialto:mine')).toHaveLength(4);
    client.destroy();
  });

  it('admits nobody without a password, and has no default user', async () => {
    const { host } = new URL(url);
    for (const who of ['', ':x@', `:${encodeURIComponent(PASSWORD)}@`, 'loader:x@', 'rialto:x@']) {
      const asked = open(`redis://${who}${host}`).then(async (client) => {
        const answer = client.sendCommand(['LLEN', 'rialto:x']);
        return answer.finally(() => client.destroy());
      });
      await expect(asked, who).rejects.toThrow(/WRONGPASS|NOAUTH/);
    }
  });
});

describe('the NATS of deploy/', () => {
  let url: string;
  beforeAll(async () => {
    const port = await freePort();
    start('sh', [file('deploy/nats/start.sh')], {
      RUN_DIR: folder,
      NATS_PORT: String(port),
      NATS_BIND: '127.0.0.1',
    });
    url = `nats://rialto:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`;
    await vi.waitUntil(
      () =>
        connect({ port, user: 'rialto', pass: PASSWORD }).then(
          (connection) => connection.close().then(() => true),
          () => false,
        ),
      WAIT,
    );
  });

  it('carries the server’s messages and requests', async () => {
    const errors: unknown[] = [];
    const bus = createNatsBus({
      url,
      name: 'test',
      prefix: 'rialto.guarded',
      onError: (error) => errors.push(error),
      onStatus: () => {},
    });
    const heard: string[] = [];
    bus.subscribe('told', (text) => heard.push(text));
    bus.serve('asked', async (text) => `${text} too`);
    await expect
      .poll(() => {
        bus.publish('told', 'hello');
        return heard[0];
      }, WAIT)
      .toBe('hello');
    expect(await bus.request('asked', 'you', 5000)).toBe('you too');
    await bus.close();
    expect(errors).toEqual([]);
  });

  it('refuses other subjects, other passwords and strangers', async () => {
    const { port } = new URL(url);
    const address = { servers: `127.0.0.1:${port}`, reconnect: false };
    await expect(connect(address)).rejects.toThrow(/authorization/i);
    await expect(connect({ ...address, user: 'rialto', pass: 'x' })).rejects.toThrow(/authoriz/i);
    const connection = await connect({ ...address, user: 'rialto', pass: PASSWORD });
    for (const subject of ['>', '$SYS.>', 'elsewhere']) {
      const refused = new Promise((resolve) => {
        connection.subscribe(subject, { callback: (error) => resolve(String(error)) });
      });
      expect(await refused).toMatch(/permission/i);
    }
    await connection.close();
  });
});
