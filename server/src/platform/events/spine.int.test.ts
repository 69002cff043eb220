// The log is gapless, causal and complete, whatever happens to writers and relays.
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../testing/context.ts';
import { relayOptions } from '../../testing/server.ts';
import type { Bus } from '../bus/bus.ts';
import { createInProcessBus } from '../bus/in-process.ts';
import { SUBJECTS } from '../bus/subjects.ts';
import { startConsumer } from './consumer.ts';
import type { LoggedEvent } from './event.ts';
import { readBounds, readEvents, trimLog } from './log.ts';
import { startRelay, type Relay } from './relay.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
  await test.owner.query(
    `CREATE TABLE causes (id int PRIMARY KEY, seen int NOT NULL);
     INSERT INTO causes VALUES (1, 0);
     GRANT SELECT, UPDATE ON causes TO rialto_server`,
  );
});
afterAll(() => test.close());

const silentBus: Bus = { ...createInProcessBus(() => {}), publish: () => {} };

async function drained(): Promise<void> {
  await expect
    .poll(
      async () =>
        (await sql<{ n: bigint }>`SELECT count(*) n FROM outbox`.execute(test.ctx.db)).rows[0]?.n,
      {
        timeout: 20_000,
      },
    )
    .toBe(0n);
}

it('16 writers, three competing relays stopped at random: no gap, no loss, no repeat, causes first', async () => {
  const { ctx } = test;
  const after = (await readBounds(ctx.database.pool)).head;
  const committed = new Set<string>();
  let writing = true;

  async function write(writer: number): Promise<void> {
    for (let turn = 0; turn < 40; turn += 1) {
      const name = `${writer}.${turn}`;
      try {
        await ctx.inTransaction(async (tx) => {
          // Each event depends on the one whose number it read under the row lock.
          const { rows } = await sql<{ seen: number }>`
            UPDATE causes SET seen = seen + 1 WHERE id = 1 RETURNING seen`.execute(tx);
          tx.emit({ type: 'test', name, cause: rows[0]?.seen } as { type: string }, { users: [1] });
          await tx
            .savepoint(async () => {
              tx.emit({ type: 'test', name: `${name} undone` } as { type: string }, { users: [1] });
              await sql`SELECT 1`.execute(tx);
              throw new Error('taken back');
            })
            .catch(() => {});
          if (turn % 5 === 0) throw new Error('rolled back');
          if (turn % 7 === 0) await sleep(Math.random() * 20);
        });
        committed.add(name);
      } catch (error) {
        if ((error as Error).message !== 'rolled back') throw error;
      }
    }
  }

  async function disturb(): Promise<void> {
    const relays: Relay[] = [];
    while (writing) {
      while (relays.length < 3) relays.push(startRelay({ ...relayOptions(ctx), pollMs: 5 }));
      await sleep(Math.random() * 60);
      await relays.splice(Math.floor(Math.random() * relays.length), 1)[0]?.stop();
    }
    await drained().catch(() => {});
    await Promise.all(relays.map((relay) => relay.stop()));
  }

  const disturbing = disturb();
  await Promise.all(Array.from({ length: 16 }, (_, writer) => write(writer)));
  const last = startRelay(relayOptions(ctx));
  await drained();
  writing = false;
  await disturbing;
  await last.stop();

  const { head } = await readBounds(ctx.database.pool);
  const events = await readEvents(ctx.database.pool, after, head, 10_000, Number.MAX_SAFE_INTEGER);
  expect(events.map((event) => event.position)).toEqual(
    Array.from({ length: committed.size }, (_, index) => after + index + 1),
  );
  const payloads = events.map(
    (event) => JSON.parse(event.payload) as { name: string; cause: number },
  );
  expect(new Set(payloads.map((payload) => payload.name))).toEqual(committed);
  const causes = payloads.map((payload) => payload.cause);
  expect(causes).toEqual([...causes].sort((a, b) => a - b));
});

it('a long event and its neighbours reach consumers through the log', async () => {
  const { ctx } = test;
  const told: string[] = [];
  const watching = ctx.bus.subscribe(SUBJECTS.log, (text) => void told.push(text));
  const seen: LoggedEvent[] = [];
  const consumer = startConsumer({
    pool: ctx.database.pool,
    bus: ctx.bus,
    log: ctx.log,
    after: (await readBounds(ctx.database.pool)).head,
    pollMs: 10_000,
    handle: (event) => void seen.push(event),
    onLost: () => expect.fail('nothing was trimmed'),
  });
  const long = { type: 'test', text: 'long '.repeat(20_000) };
  const short = { type: 'test', text: 'short' };
  await ctx.inTransaction(async (tx) => {
    tx.emit(short, { users: [1] });
    tx.emit(long, { users: [1] });
  });
  const relay = startRelay(relayOptions(ctx));
  await expect.poll(() => seen.length, { timeout: 20_000 }).toBe(2);
  expect(seen.map(({ payload }) => payload)).toEqual([JSON.stringify(short), JSON.stringify(long)]);
  expect(Math.max(...told.map((text) => text.length))).toBeLessThan(1000);
  watching.unsubscribe();
  await consumer.stop();
  await relay.stop();
});

it('a consumer sees every event once and in order, on a bus that loses, repeats and shuffles', async () => {
  const { ctx } = test;
  const relay = startRelay({ ...relayOptions(ctx), pollMs: 5 });
  const handlers: ((payload: string) => void)[] = [];
  const held: string[] = [];
  const unreliable: Bus = {
    ...ctx.bus,
    subscribe: (subject, handler) => {
      handlers.push(handler);
      return ctx.bus.subscribe(subject, (payload) => {
        held.push(payload);
        const dice = Math.random();
        if (dice < 0.3) return;
        if (dice < 0.6) handler(held[Math.floor(Math.random() * held.length)] as string);
        handler(payload);
        if (dice > 0.9) handler(payload);
      });
    },
  };
  const after = (await readBounds(ctx.database.pool)).head;
  const seen: LoggedEvent[] = [];
  const consumer = startConsumer({
    pool: ctx.database.pool,
    bus: unreliable,
    log: ctx.log,
    after,
    pollMs: 20,
    handle: (event) => seen.push(event),
    onLost: () => {},
  });
  for (let index = 0; index < 200; index += 1) {
    await ctx.inTransaction(async (tx) => tx.emit({ type: 'test' }, { users: [index] }));
  }
  await expect.poll(() => seen.length, { timeout: 10_000 }).toBe(200);
  expect(seen.map((event) => event.position)).toEqual(seen.map((_, index) => after + index + 1));
  await consumer.stop();
  await relay.stop();
});

it('a batch too large for one message travels as a bell, and is read from the log', async () => {
  const { ctx } = test;
  const after = (await readBounds(ctx.database.pool)).head;
  const seen: LoggedEvent[] = [];
  const consumer = startConsumer({
    pool: ctx.database.pool,
    bus: ctx.bus,
    log: ctx.log,
    after,
    // A poll would hide a broken bell.
    pollMs: 60_000,
    handle: (event) => seen.push(event),
    onLost: () => {},
  });
  await ctx.inTransaction(async (tx) => {
    for (let index = 0; index < 20; index += 1) {
      tx.emit({ type: 'test', text: 'x'.repeat(100_000) } as { type: string }, { users: [1] });
    }
  });
  const relay = startRelay(relayOptions(ctx));
  await expect.poll(() => seen.length, { timeout: 5000 }).toBe(20);
  await consumer.stop();
  await relay.stop();
});

it('a relay that was silent past its lease is replaced, and does no harm when it returns', async () => {
  const { ctx } = test;
  const { pool } = ctx.database;
  const call = (id: string) =>
    pool.query('SELECT * FROM relay_events($1, 10, $2)', [id, '300 milliseconds']);
  const emit = () => ctx.inTransaction(async (tx) => tx.emit({ type: 'test' }, { users: [1] }));
  await test.owner.query("UPDATE event_head SET relay_until = '-infinity'");
  await emit();
  expect((await call('first')).rows).toHaveLength(1);
  await emit();
  expect((await call('competitor')).rows).toHaveLength(0);
  await sleep(350);
  expect((await call('competitor')).rows).toHaveLength(1);
  await emit();
  expect((await call('first')).rows).toHaveLength(0);
  expect((await call('competitor')).rows).toHaveLength(1);
});

it('trimming drops whole old partitions, says how far, and notifies a lagging consumer', async () => {
  const { ctx } = test;
  const { pool } = ctx.database;
  await test.owner.query('UPDATE event_head SET relay_until = $1', ['-infinity']);
  const first = (await readBounds(pool)).head;
  // Small partitions from the next free range on: the existing ones keep their size.
  const emitMany = (count: number) =>
    ctx.inTransaction(async (tx) => {
      for (let index = 0; index < count; index += 1) tx.emit({ type: 'test' }, { users: [1] });
    });
  await test.owner.query('UPDATE event_head SET position = 1000000, partition_size = 10000');
  await pool.query('SELECT ensure_event_partitions(30000)');
  await test.owner.query('UPDATE event_head SET position = 1009990');
  const relay = startRelay({ ...relayOptions(ctx), bus: silentBus });
  await emitMany(30);
  await drained();
  const lost: number[] = [];
  const seen: number[] = [];
  // The last hour is never trimmed, whatever is requested.
  expect(await trimLog(pool, new Date(Date.now() + 60_000))).toBe(0);
  expect((await readBounds(pool)).trimmedThrough).toBe(0);
  await test.owner.query("UPDATE event_log SET at = at - interval '61 minutes'");
  expect(await trimLog(pool, new Date())).toBeGreaterThan(0);
  const { trimmedThrough, head } = await readBounds(pool);
  expect(trimmedThrough).toBe(1_009_999);
  expect(head).toBe(1_010_020);
  const consumer = startConsumer({
    pool,
    bus: silentBus,
    log: ctx.log,
    after: first,
    pollMs: 20,
    handle: (event) => seen.push(event.position),
    onLost: (position) => lost.push(position),
  });
  await expect.poll(() => lost).toEqual([1_010_020]);
  await emitMany(1);
  await expect.poll(() => seen).toEqual([1_010_021]);
  await consumer.stop();
  await relay.stop();
});

it('the next partition is made for an hour at the rate of the one before, within bounds', async () => {
  const newest = async () => {
    const { rows } = await test.owner.query<{ first: number; past: number }>(
      `SELECT substring(bound FROM 'FROM \\(''(\\d+)')::int AS first, substring(bound FROM 'TO \\(''(\\d+)')::int AS past
         FROM (SELECT pg_get_expr(c.relpartbound, c.oid) AS bound
                 FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
                WHERE i.inhparent = 'event_log'::regclass) AS parts
        ORDER BY past DESC LIMIT 1`,
    );
    return rows[0] as { first: number; past: number };
  };
  await test.owner.query('UPDATE event_head SET partition_size = 10000');
  /** The newest partition was filled in this time; returns the size of the next one. */
  const sizeAfter = async (seconds: number) => {
    const { first, past } = await newest();
    await test.owner.query(
      `INSERT INTO event_log (position, xid, type, payload, audience, rights_of, at)
       VALUES ($1, '1', 'test', '{}', '{"users":[]}', '{}', clock_timestamp() - $2 * interval '1 second')
       ON CONFLICT (position) DO UPDATE SET at = excluded.at`,
      [first, seconds],
    );
    await test.owner.query('UPDATE event_head SET position = $1', [past - 1]);
    await test.ctx.database.pool.query('SELECT ensure_event_partitions(1)');
    const next = await newest();
    expect(next.first).toBe(past);
    return next.past - next.first;
  };
  expect(await sizeAfter(86_400)).toBe(10_000);
  expect(await sizeAfter(1)).toBe(1_000_000);
  expect(await sizeAfter(36_000)).toBe(100_000);
  expect(await sizeAfter(720)).toBe(500_000);
});
