import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../config/load.ts';
import { createTestContext, type TestContext } from '../../testing/context.ts';
import { pause } from '../std/wait.ts';
import { runCancellable } from './cancellable.ts';
import { openDatabase, PoolFullError, WAITING_PER_CONNECTION, type Database } from './pool.ts';
import { connectionsOf } from './pools.ts';

let test: TestContext;
let database: Database;
let refusals = 0;

beforeAll(async () => {
  test = await createTestContext();
  database = openDatabase({
    url: test.config.DATABASE_URL,
    poolMax: 1,
    name: 'pool test',
    onError: () => {},
    onFull: () => (refusals += 1),
  });
});
afterAll(async () => {
  await database.close();
  await test.close();
});

describe('a pool whose connections are all in use', () => {
  it('lets a bounded number of callers wait, and refuses the next at once', async () => {
    const { pool } = database;
    const held = await pool.connect();
    const waiting = Array.from({ length: WAITING_PER_CONNECTION }, () => pool.query('SELECT 1'));
    const settled = Promise.allSettled(waiting);
    await expect(pool.query('SELECT 1')).rejects.toThrow(PoolFullError);
    await expect(pool.connect()).rejects.toThrow(PoolFullError);
    expect(pool.waitingCount).toBe(WAITING_PER_CONNECTION);
    expect(refusals).toBe(2);
    held.release();
    // The waiting callers are served, and then there is room again.
    expect((await settled).filter(({ status }) => status === 'rejected')).toEqual([]);
    await expect(pool.query('SELECT 1')).resolves.toMatchObject({ rowCount: 1 });
  });

  it('lets no caller wait for ever', async () => {
    const held = await database.pool.connect();
    await expect(database.pool.query('SELECT 1')).rejects.toThrow('timeout exceeded');
    expect(database.pool.waitingCount).toBe(0);
    held.release();
  });

  it('is seen in the metrics', async () => {
    const { pool } = test.ctx.pooled('signIn').database;
    const held = await pool.connect();
    const { body } = await test.ctx.metrics.render();
    held.release();
    expect(body).toMatch(/rialto_database_connections\{pool="signIn",state="in_use",.*\} 1\n/);
    expect(body).toMatch(/rialto_database_connections\{pool="chat",state="in_use",.*\} 0\n/);
  });
});

describe('work whose caller has gone', () => {
  const cancelling = (signal: AbortSignal) => ({
    database,
    canceller: test.ctx.database.pool,
    signal,
  });

  it('ends with its statement, and its connection is not reused', async () => {
    const gone = new AbortController();
    const begun = Promise.withResolvers<number>();
    const work = runCancellable(cancelling(gone.signal), async (db) => {
      const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(db);
      begun.resolve(rows[0]?.pid ?? 0);
      await sql`SELECT pg_sleep(600)`.execute(db);
    });
    const failed = expect(work).rejects.toMatchObject({ code: '57014' });
    const pid = await begun.promise;
    const isAsleep = async () =>
      (
        await test.ctx.database.pool.query(
          `SELECT FROM pg_stat_activity WHERE pid = $1 AND wait_event = 'PgSleep'`,
          [pid],
        )
      ).rowCount === 1;
    while (!(await isAsleep())) await pause(5);
    gone.abort();
    await failed;
    const { rows } = await database.pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    expect(rows[0]?.pid).not.toBe(pid);
  });

  it('begins no further statement', async () => {
    const gone = new AbortController();
    const work = runCancellable(cancelling(gone.signal), async (db) => {
      await sql`SELECT 1`.execute(db);
      gone.abort();
      await sql`SELECT pg_sleep(600)`.execute(db);
    });
    await expect(work).rejects.toThrow('aborted');
    await expect(
      runCancellable(cancelling(gone.signal), () => Promise.reject(new Error('was begun'))),
    ).rejects.toThrow('aborted');
  });
});

describe('closing', () => {
  const open = (errors: string[]) =>
    openDatabase({
      url: test.config.DATABASE_URL,
      poolMax: 2,
      name: 'closing',
      onError: ({ message }) => errors.push(message),
    });

  it('cancels running statements, since nobody waits for them', async () => {
    const errors: string[] = [];
    const closed = open(errors);
    const running = closed.pool.query("SET statement_timeout = 0; SELECT 'closed', pg_sleep(600)");
    const failed = expect(running).rejects.toMatchObject({ code: '57014' });
    const isAsleep = async () =>
      (
        await test.ctx.database.pool.query(
          `SELECT FROM pg_stat_activity WHERE query LIKE '%''closed''%' AND wait_event = 'PgSleep'`,
        )
      ).rowCount === 1;
    while (!(await isAsleep())) await pause(5);
    await closed.close();
    await failed;
    expect(errors).toEqual([]);
  });

  it('does not wait for a connection that is never given back, and says so', async () => {
    const errors: string[] = [];
    const closed = open(errors);
    await closed.pool.connect();
    await closed.close();
    expect(errors).toEqual(['1 connections of "closing" were never given back; they are cut.']);
  });
});

it('the defaults fit a PostgreSQL with its default settings', async () => {
  const { DATABASE_URL, MASTER_KEY } = test.config;
  const config = loadConfig({ DATABASE_URL, MASTER_KEY });
  const INSTALLED = 100 - 3;
  const of = (...processes: Parameters<typeof connectionsOf>[1][]) =>
    processes.reduce((sum, roles) => sum + connectionsOf(config, roles), 0);
  const all = ['api', 'engine', 'relay', 'worker', 'custody'] as const;
  expect(of(all)).toBeLessThan(INSTALLED / 2);
  expect(of(['api'], ['api'], ['engine'], ['worker', 'relay'])).toBeLessThan(INSTALLED);
});
