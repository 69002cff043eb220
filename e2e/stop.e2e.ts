// How a server ends: in order when asked to, at once when asked twice, and with 1 when it must.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createUser } from '../server/src/accounts/users/actions.ts';
import { createOperatorContext } from '../server/src/ops/operator.ts';
import { loadConfig } from '../server/src/platform/config/load.ts';
import { migrate } from '../server/src/platform/db/migrate.ts';
import { stopAllEngines } from '../server/src/platform/engines/engine.ts';
import { startPostgres } from '../server/src/platform/engines/postgres.ts';
import { freePort } from '../server/src/platform/engines/process.ts';
import { RIALTO_BINARY } from '../server/src/testing/rialto-process.ts';

let settings: Record<string, string>;
let authorization: string;
let server: ChildProcess;
let origin: string;
let said = '';

beforeAll(async () => {
  const postgres = await startPostgres();
  await migrate(postgres.ownerUrl, postgres.serverUrl);
  settings = {
    DATABASE_URL: postgres.serverUrl,
    MASTER_KEY: '6d'.repeat(32),
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
    OPS_PORT: String(await freePort()),
  };
  origin = `http://127.0.0.1:${settings['PORT']}`;
  const ctx = await createOperatorContext(loadConfig({ ...settings, LOG_LEVEL: 'silent' }));
  const { user, chatKey } = await createUser(ctx, {
    email: 'ava@example.com',
    fullName: 'Ava',
    role: 100,
  });
  await ctx.close();
  authorization = `Basic ${Buffer.from(`${user.email}:${chatKey}`).toString('base64')}`;
});

afterAll(() => stopAllEngines());
afterEach(() => {
  if (server.exitCode === null && server.signalCode === null) server.kill('SIGKILL');
});

/** Runs the command and waits until it listens. */
async function serve(overrides: Record<string, string> = {}): Promise<void> {
  said = '';
  server = spawn(process.execPath, [RIALTO_BINARY, 'serve'], {
    cwd: '/',
    env: { PATH: process.env['PATH'], ...settings, ...overrides },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  server.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  for (let attempt = 0; attempt < 600; attempt += 1) {
    if (server.exitCode !== null) throw new Error(`It ended with ${server.exitCode}: ${said}`);
    const answer = await fetch(`${origin}/health/ready`).catch(() => undefined);
    if (answer?.status === 200) return;
    await sleep(50);
  }
  throw new Error(`It was not ready: ${said.slice(-2000)}`);
}

/** Waits for the end; `sinceMs` is when it was asked for. */
async function end(sinceMs = performance.now()): Promise<{ code: number | null; ms: number }> {
  if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
  return { code: server.exitCode, ms: performance.now() - sinceMs };
}

async function register(): Promise<URLSearchParams> {
  const answer = await fetch(`${origin}/api/v1/register`, {
    method: 'POST',
    headers: { authorization },
    body: new URLSearchParams({ event_types: '["drafts"]' }),
  });
  const body = (await answer.json()) as { queue_id: string; last_event_id: number };
  return new URLSearchParams({
    queue_id: body.queue_id,
    last_event_id: String(body.last_event_id),
  });
}

/** A poll that arrives after the signal is refused with its connection. */
async function untilWaiting(polls: number): Promise<void> {
  const waiting = new RegExp(`^rialto_polls_waiting\\{.*\\} ${polls}$`, 'm');
  const read = async () => (await fetch(`http://127.0.0.1:${settings['OPS_PORT']}/metrics`)).text();
  for (let look = 0; look < 250 && !waiting.test(await read()); look += 1) await sleep(20);
}

/** Makes the server do something that no request could, through the debugger port. */
async function run(inspector: number, expression: string): Promise<WebSocket> {
  const list = await fetch(`http://127.0.0.1:${inspector}/json/list`);
  const [target] = (await list.json()) as { webSocketDebuggerUrl: string }[];
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? '');
  await once(socket, 'open');
  socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } }));
  await once(socket, 'message');
  return socket;
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  it(`${signal} answers waiting polls, ends with 0 in under five seconds, and logs both`, async () => {
    await serve();
    const query = await register();
    const polls = Array.from({ length: 20 }, () =>
      fetch(`${origin}/api/v1/events?${query.toString()}`, { headers: { authorization } }),
    );
    await untilWaiting(polls.length);
    const askedMs = performance.now();
    server.kill(signal);
    const answers = await Promise.all(polls);
    const { code, ms } = await end(askedMs);
    expect(answers.map(({ status }) => status)).toEqual(polls.map(() => 200));
    // Answered requests are not waited for: far below the deadline.
    expect({ code, isQuick: ms < 2000 }).toEqual({ code: 0, isQuick: true });
    expect(said).toContain('"Stopping."');
    expect(said).toContain('"Stopped."');
  });
}

/** A client that sends half of a request. */
async function stall(): Promise<void> {
  const socket = createConnection(Number(settings['PORT']), '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(
    `POST /api/v1/drafts HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n` +
      'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\ndrafts=',
  );
  await sleep(200);
}

describe('a client that never finishes its request', () => {
  it('cannot prevent an orderly end', async () => {
    await serve();
    await stall();
    server.kill('SIGTERM');
    const { code, ms } = await end();
    expect({ code, isQuick: ms < 5000 }).toEqual({ code: 0, isQuick: true });
  });

  it('meanwhile the readiness check fails, and a second signal ends at once', async () => {
    await serve();
    await stall();
    server.kill('SIGTERM');
    await sleep(200);
    const ready = await fetch(`http://127.0.0.1:${settings['OPS_PORT']}/ready`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({ checks: { process: 'stopping' } });
    await expect(fetch(`${origin}/health/live`)).rejects.toThrow();
    server.kill('SIGTERM');
    const { code, ms } = await end();
    expect({ code, isQuick: ms < 500 }).toEqual({ code: 1, isQuick: true });
  });
});

describe('a part that does not stop', () => {
  /** Holds a lock until the test is over. */
  async function lockTable(table: string): Promise<pg.Client> {
    const holder = new pg.Client({ connectionString: settings['DATABASE_URL'] });
    await holder.connect();
    await holder.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    return holder;
  }

  it('is named and abandoned, and the process ends in time', async () => {
    await serve();
    const holder = await lockTable('trading_leases');
    const askedMs = performance.now();
    server.kill('SIGTERM');
    const { code, ms } = await end(askedMs);
    await holder.end();
    expect({ code, isInTime: ms < 5000 }).toEqual({ code: 1, isInTime: true });
    expect(said).toMatch(/"step":"engine".*"This did not stop in time; it is left behind."/);
    // A reader of the lease may still wait at the api, which then is left behind as well; on a busy machine so are the
    // connections of both.
    expect(said).toMatch(
      /"steps":\[(?:"api",)?"engine"(?:,"context")?\].*"Stopped, but for what did not end/,
    );
  });

  it('does not delay the parts after it', async () => {
    await serve();
    const holder = await lockTable('processes');
    const askedMs = performance.now();
    server.kill('SIGTERM');
    const { code, ms } = await end(askedMs);
    await holder.end();
    expect({ code, isInTime: ms < 5000 }).toEqual({ code: 0, isInTime: true });
    expect(said).toMatch(/"step":"process list".*"Closing failed."/);
  });

  it('not even a blocked main thread prevents the end', async () => {
    const inspector = await freePort();
    await serve({ NODE_OPTIONS: `--inspect=127.0.0.1:${inspector}` });
    // As soon as the stop has begun, and for longer than anybody would wait.
    const socket = await run(
      inspector,
      "process.once('SIGTERM', () => setTimeout(() => { for (const t = Date.now(); Date.now() - t < 60000;); }, 500))",
    );
    const holder = await lockTable('trading_leases');
    const askedMs = performance.now();
    server.kill('SIGTERM');
    const { ms } = await end(askedMs);
    await holder.end();
    socket.close();
    expect({ signal: server.signalCode, isInTime: ms < 6000 }).toEqual({
      signal: 'SIGKILL',
      isInTime: true,
    });
    expect(said).toContain('did not end by itself');
    // A reader of the lease may still wait at the api, which comes before the engine.
    expect(said).toMatch(/"steps":\["(?:api|engine)"/);
  });
});

it('a process that was replaced by another says so and ends with 1', async () => {
  await serve();
  const thief = new pg.Client({ connectionString: settings['DATABASE_URL'] });
  await thief.connect();
  await thief.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'rialto process lock'`,
  );
  await thief.query('SELECT pg_advisory_lock(7241001)');
  const { code } = await end();
  await thief.end();
  expect(code).toBe(1);
  expect(said).toContain('Another Rialto process uses this database');
});

describe('an uncaught error', () => {
  const CANARY = 'canary-that-nobody-caught';

  it.each([
    ['an exception in a timer', `throw new Error('${CANARY}')`],
    ['an unhandled rejection', `void Promise.reject(new Error('${CANARY}'))`],
    ['a rejection with a value that is not an error', `void Promise.reject('${CANARY}')`],
    [
      'an error event without a listener',
      `new (process.getBuiltinModule('events'))().emit('error', new Error('${CANARY}'))`,
    ],
  ])('%s is logged by name and ends the process with 1, in time', async (_name, statement) => {
    const inspector = await freePort();
    await serve({ NODE_OPTIONS: `--inspect=127.0.0.1:${inspector}` });
    const socket = await run(inspector, `setTimeout(() => { ${statement} }, 20)`);
    // At its end the process waits for a debugger that is still connected.
    socket.close();
    const { code, ms } = await end();
    expect({ code, isInTime: ms < 6000 }).toEqual({ code: 1, isInTime: true });
    expect(said).toMatch(new RegExp(`${CANARY}.*"A fatal error: stopping."`));
    await expect(fetch(`${origin}/health/live`)).rejects.toThrow();
  });

  it('while open requests finish, no others are accepted', async () => {
    const inspector = await freePort();
    await serve({ NODE_OPTIONS: `--inspect=127.0.0.1:${inspector}` });
    await stall();
    const socket = await run(
      inspector,
      `setTimeout(() => void Promise.reject(new Error('${CANARY}')), 20)`,
    );
    socket.close();
    for (let look = 0; look < 100 && !said.includes(CANARY); look += 1) await sleep(20);
    await sleep(100);
    await expect(fetch(`${origin}/health/live`)).rejects.toThrow();
    const { code, ms } = await end();
    expect({ code, isInTime: ms < 6000 }).toEqual({ code: 1, isInTime: true });
  });
});

it('one bad row stops nothing: later rows are processed and delivered', async () => {
  await serve();
  const client = new pg.Client({ connectionString: settings['DATABASE_URL'] });
  await client.connect();
  for (const payload of ['{}', '[]', '"x"', 'null', '{"messageId":"x","userIds":[{}]}']) {
    for (const job of ['push-message', 'push-remove', 'make-thumbnail', 'no-such-job']) {
      await client.query('SELECT graphile_worker.add_job($1, $2::json)', [job, payload]);
    }
  }
  const query = await register();
  for (const payload of ['{', 'null', '[]', '"x"', '{"type":"drafts"}', '{"type":"message"}']) {
    for (const type of ['drafts', 'message', 'update_message', 'subscription', 'no_such_type']) {
      for (const audience of ['{"everyone":true}', '{"users":"x"}', '{}', '[]', 'null']) {
        await client.query('INSERT INTO outbox (type, payload, audience) VALUES ($1, $2, $3)', [
          type,
          payload,
          audience,
        ]);
      }
    }
  }
  await client.end();
  const drafts = [{ type: '', to: [], topic: '', content: 'after all that', timestamp: 1 }];
  const post = await fetch(`${origin}/api/v1/drafts`, {
    method: 'POST',
    headers: { authorization },
    body: new URLSearchParams({ drafts: JSON.stringify(drafts) }),
  });
  expect(post.status).toBe(200);
  let events = '';
  for (let look = 0; look < 100 && !events.includes('after all that'); look += 1) {
    await sleep(100);
    const poll = await fetch(`${origin}/api/v1/events?${query.toString()}&dont_block=true`, {
      headers: { authorization },
    });
    events = await poll.text();
  }
  expect(events).toContain('after all that');
  expect(server.exitCode).toBeNull();
  server.kill('SIGTERM');
  expect((await end()).code).toBe(0);
});

describe('mistakes of an operator are explained', () => {
  async function failing(overrides: Record<string, string>): Promise<string> {
    await expect(serve(overrides)).rejects.toThrow('ended with 1');
    expect(said).not.toMatch(/\n\s+at /);
    return said;
  }

  it('a port that is taken', async () => {
    const { port } = new URL(settings['DATABASE_URL'] ?? '');
    expect(await failing({ PORT: port })).toContain('Another program already listens');
  });

  it('a wrong password', async () => {
    const url = new URL(settings['DATABASE_URL'] ?? '');
    url.password = 'wrong';
    expect(await failing({ DATABASE_URL: url.href })).toContain(
      'refused the user name or password',
    );
  });

  it('a database that was never migrated', async () => {
    const url = new URL(settings['DATABASE_URL'] ?? '');
    url.pathname = '/postgres';
    expect(await failing({ DATABASE_URL: url.href })).toContain('Run `rialto migrate`');
  });

  it('settings that are missing or wrong', async () => {
    const text = await failing({ MASTER_KEY: 'x', ROLES: 'cook' });
    expect(text).toContain('MASTER_KEY must be 64 hexadecimal digits');
    expect(text).toContain('ROLES must be one or more of');
  });

  it('the master key of another database', async () => {
    expect(await failing({ MASTER_KEY: '7e'.repeat(32) })).toContain(
      'MASTER_KEY is not the one that this database was used with',
    );
  });
});
