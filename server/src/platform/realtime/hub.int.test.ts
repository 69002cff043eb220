// A queue is a cursor on the log: any node serves it, nothing is lost, nothing comes twice.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createDirectory } from '../../chat/realtime/delivery/directory.ts';
import { createTestContext, type TestContext } from '../../testing/context.ts';
import { relayOptions } from '../../testing/server.ts';
import { openDatabase } from '../db/pool.ts';
import { parseDatabaseSnapshot } from '../db/snapshot.ts';
import { runInTransaction } from '../db/transaction.ts';
import { idOf } from '../events/event.ts';
import { readBounds } from '../events/log.ts';
import { startRelay, type Relay } from '../events/relay.ts';
import { startHub, type Hub, type HubOptions } from './hub.ts';
import { pause } from '../std/wait.ts';
import { countAmong, insertQueue, readEventsFor } from './store.ts';

let test: TestContext;
let relay: Relay;
const hubs: Hub[] = [];

beforeAll(async () => {
  test = await createTestContext();
  relay = startRelay(relayOptions(test.ctx));
});
afterEach(async () => {
  await Promise.all(hubs.splice(0).map((hub) => hub.stop()));
});
afterAll(async () => {
  await relay.stop();
  await test.close();
});

async function openHub(heartbeatMs = 30_000, given: Partial<HubOptions> = {}): Promise<Hub> {
  const { ctx } = test;
  const hub = await startHub({
    pool: ctx.database.pool,
    readers: ctx.database.pool,
    bus: ctx.bus,
    log: ctx.log,
    metrics: ctx.metrics,
    clock: ctx.clock,
    pollMs: 50,
    heartbeatMs,
    replayMax: ctx.config.QUEUE_REPLAY_MAX,
    wantedByDefault: (type) => type !== 'order',
    directory: createDirectory(ctx),
    ...given,
  });
  hubs.push(hub);
  return hub;
}

let users = 1000;

async function openQueue(hub: Hub, options: { eventTypes?: string[]; userId?: number } = {}) {
  const id = randomUUID();
  const userId = options.userId ?? (users += 1);
  const eventTypes = options.eventTypes ?? null;
  const description = await test.ctx.inTransaction(
    async (tx) => {
      const { rows } = await sql<{ position: bigint; snapshot: string }>`
        SELECT position, pg_current_snapshot()::text AS snapshot FROM event_head`.execute(tx);
      const { position, snapshot } = rows[0] as { position: bigint; snapshot: string };
      const startPosition = Number(position);
      await insertQueue(tx, { id, userId, startPosition, snapshot, eventTypes, idleSeconds: 600 });
      return {
        id,
        userId,
        startPosition,
        snapshot: parseDatabaseSnapshot(snapshot),
        eventTypes: eventTypes && new Set(eventTypes),
        filter: {},
        idleSeconds: 600,
      };
    },
    { isolation: 'repeatable read' },
  );
  await hub.adopt(description);
  return description;
}

const emit = (userId: number, n: number, type = 'test', rightsOf: number[] = []) =>
  test.ctx.inTransaction(async (tx) => {
    tx.emit({ type, n } as { type: string }, { users: [userId] }, { rightsOf });
  });

interface Received {
  id: number;
  n: number;
  type: string;
}

async function poll(
  hub: Hub,
  queue: { id: string; userId: number },
  lastEventId: number,
  dontBlock = false,
) {
  const result = await hub.poll({
    queueId: queue.id,
    userId: queue.userId,
    lastEventId,
    dontBlock,
    signal: new AbortController().signal,
  });
  return result === 'bad queue' ? result : (JSON.parse(result.events) as Received[]);
}

/** Polls until `count` events have come, acknowledging each answer. */
async function collect(
  hub: Hub,
  queue: { id: string; userId: number },
  from: number,
  count: number,
) {
  const received: Received[] = [];
  let last = from;
  while (received.length < count) {
    const events = await poll(hub, queue, last);
    if (events === 'bad queue') throw new Error('bad queue');
    received.push(...events.filter((event) => event.type !== 'heartbeat'));
    last = events.at(-1)?.id ?? last;
  }
  return received;
}

it('a waiting poll is woken by its event, and by no other', async () => {
  const hub = await openHub();
  const queue = await openQueue(hub, { eventTypes: ['test'] });
  const waiting = poll(hub, queue, -1);
  await emit(queue.userId + 5000, 0);
  await emit(queue.userId, 1, 'other');
  await emit(queue.userId, 2);
  expect(await waiting).toMatchObject([{ type: 'test', n: 2 }]);
});

it('unacknowledged events come again; an older id brings back the past', async () => {
  const hub = await openHub();
  const queue = await openQueue(hub);
  for (let n = 0; n < 3; n += 1) await emit(queue.userId, n);
  const all = await collect(hub, queue, -1, 3);
  const [first, second] = all as [Received, Received, Received];
  expect(await poll(hub, queue, first.id)).toMatchObject([{ n: 1 }, { n: 2 }]);
  expect(await poll(hub, queue, second.id)).toMatchObject([{ n: 2 }]);
  expect(await poll(hub, queue, -1)).toMatchObject([{ n: 0 }, { n: 1 }, { n: 2 }]);
  expect(await poll(hub, queue, idOf(queue.startPosition))).toHaveLength(3);
});

it('another node takes over the queue at any moment, from the client’s last id', async () => {
  const nodes = [await openHub(), await openHub(), await openHub()];
  const queue = await openQueue(nodes[0] as Hub);
  const received: Received[] = [];
  let last = -1;
  const writing = (async () => {
    for (let n = 0; n < 300; n += 1) await emit(queue.userId, n);
  })();
  while (received.length < 300) {
    const node = nodes[Math.floor(Math.random() * nodes.length)] as Hub;
    const events = await poll(node, queue, last);
    if (events === 'bad queue') throw new Error('bad queue');
    received.push(...events);
    last = events.at(-1)?.id ?? last;
  }
  await writing;
  expect(received.map((event) => event.n)).toEqual(received.map((_, index) => index));
});

it('a second poll ends the first, and neither loses an event', async () => {
  const hub = await openHub();
  const queue = await openQueue(hub);
  const first = poll(hub, queue, -1);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const second = poll(hub, queue, -1);
  expect(await first).toEqual([]);
  await emit(queue.userId, 7);
  expect(await second).toMatchObject([{ n: 7 }]);
});

it('a heartbeat has its own id, which may be acknowledged and survives a change of node', async () => {
  const hub = await openHub(30);
  const queue = await openQueue(hub);
  const beats = await poll(hub, queue, -1);
  expect(beats).toMatchObject([{ type: 'heartbeat', id: idOf(queue.startPosition) + 1 }]);
  const beat = (beats as Received[])[0] as Received;
  const other = await openHub();
  await emit(queue.userId, 1);
  expect(await poll(other, queue, beat.id)).toMatchObject([{ n: 1 }]);
});

it('does not block when asked not to', async () => {
  const hub = await openHub();
  const queue = await openQueue(hub);
  expect(await poll(hub, queue, -1, true)).toEqual([]);
});

it('an id beyond the end acknowledges what was sent, and loses no event', async () => {
  const hub = await openHub();
  const queue = await openQueue(hub);
  await emit(queue.userId, 1);
  await collect(hub, queue, -1, 1);
  await emit(queue.userId, 2);
  await expect.poll(() => hub.position()).toBe(queue.startPosition + 2);
  expect(await poll(hub, queue, 2 ** 52)).toMatchObject([{ n: 2 }]);
  const waiting = poll(hub, queue, 2 ** 52);
  await emit(queue.userId, 3);
  expect(await waiting).toMatchObject([{ n: 3 }]);
});

it('more pending events than a queue keeps are read from the log again, in pages', async () => {
  const hub = await openHub();
  const queue = await openQueue(hub);
  await test.ctx.inTransaction(async (tx) => {
    for (let n = 0; n < 12_000; n += 1) {
      tx.emit({ type: 'test', n } as { type: string }, { users: [queue.userId] });
    }
  });
  await expect
    .poll(() => hub.position() - queue.startPosition, { timeout: 20_000 })
    .toBeGreaterThanOrEqual(12_000);
  const received = await collect(hub, queue, -1, 12_000);
  expect(received.map((event) => event.n)).toEqual(received.map((_, index) => index));
});

it('one answer has as many events as fit, and the next poll continues at once, also from the log', async () => {
  const hub = await openHub();
  const queue = await openQueue(hub);
  const text = 'x'.repeat(600_000);
  for (let n = 0; n < 20; n += 1) {
    await test.ctx.inTransaction(async (tx) => {
      tx.emit({ type: 'test', n, text } as { type: string }, { users: [queue.userId] });
    });
  }
  await expect
    .poll(() => hub.position() - queue.startPosition, { timeout: 20_000 })
    .toBeGreaterThanOrEqual(20);
  // Twelve megabytes are more than a queue keeps, so a part of it comes from the log.
  for (const node of [hub, await openHub()]) {
    const received: Received[] = [];
    let last = -1;
    while (received.length < 20) {
      const events = await poll(node, queue, last, true);
      if (events === 'bad queue') throw new Error('bad queue');
      expect(JSON.stringify(events).length).toBeLessThan(2_100_000);
      expect(events.length).toBeGreaterThan(0);
      received.push(...events);
      last = events.at(-1)?.id ?? last;
    }
    expect(received.map(({ n }) => n)).toEqual(Array.from({ length: 20 }, (_none, n) => n));
    expect(await poll(node, queue, last, true)).toEqual([]);
  }
});

it('an event larger than an answer comes alone', async () => {
  const hub = await openHub();
  const queue = await openQueue(hub);
  await test.ctx.inTransaction(async (tx) => {
    const text = 'x'.repeat(3_000_000);
    tx.emit({ type: 'test', n: 1, text } as { type: string }, { users: [queue.userId] });
    tx.emit({ type: 'test', n: 2 } as { type: string }, { users: [queue.userId] });
  });
  const first = await poll(hub, queue, -1);
  expect(first).toMatchObject([{ n: 1 }]);
  expect(await poll(hub, queue, (first as Received[])[0]?.id ?? 0)).toMatchObject([{ n: 2 }]);
});

it('a queue answers only to its owner, and is gone everywhere once deleted', async () => {
  const [hub, other] = [await openHub(), await openHub()];
  const queue = await openQueue(hub);
  expect(await poll(hub, { ...queue, userId: 1 }, -1, true)).toBe('bad queue');
  expect(await poll(other, { ...queue, userId: 1 }, -1, true)).toBe('bad queue');
  expect(await poll(other, queue, -1, true)).toEqual([]);
  expect(await hub.close(queue.id, 1)).toBe(false);
  const waiting = poll(other, queue, -1);
  expect(await hub.close(queue.id, queue.userId)).toBe(true);
  expect(await waiting).toEqual([]);
  expect(await poll(hub, queue, -1, true)).toBe('bad queue');
  expect(await poll(other, queue, -1, true)).toBe('bad queue');
  expect(await poll(hub, { id: 'not a uuid', userId: 1 }, -1, true)).toBe('bad queue');
});

it('a rebuild across a change of the owner’s rights is refused; without one it is not', async () => {
  const hub = await openHub();
  const queue = await openQueue(hub);
  const stranger = await openQueue(hub);
  await emit(queue.userId, 1);
  await emit(stranger.userId, 1, 'test', [queue.userId]);
  await emit(queue.userId, 2);
  expect(await collect(hub, queue, -1, 2)).toHaveLength(2);
  const other = await openHub();
  expect(await poll(other, queue, -1)).toBe('bad queue');
  expect(await poll(other, stranger, -1)).toHaveLength(1);
});

it('a queue too far behind is not read from the log: its client registers again, also after a restart', async () => {
  const replayMax = 40;
  const hub = await openHub();
  const [queue, other] = [await openQueue(hub), await openQueue(hub)];
  await emit(queue.userId, 1);
  const [seen] = await collect(hub, queue, -1, 1);
  await hub.stop();
  const fillUp = async (until: number) => {
    const { pool } = test.ctx.database;
    const { head } = await readBounds(pool);
    await test.ctx.inTransaction(async (tx) => {
      for (let at = head; at < until; at += 1) tx.emit({ type: 'test' }, { users: [] });
    });
    await expect.poll(async () => (await readBounds(pool)).head).toBe(until);
  };
  await fillUp(other.startPosition + replayMax);
  const restarted = await openHub(30_000, { replayMax });
  expect(await poll(restarted, queue, seen?.id ?? 0, true)).toEqual([]);
  expect(await poll(restarted, other, -1, true)).toEqual([]);
  await restarted.stop();
  await fillUp(other.startPosition + replayMax + 2);
  const later = await openHub(30_000, { replayMax });
  expect(await poll(later, queue, seen?.id ?? 0, true)).toBe('bad queue');
  expect(await poll(later, other, -1, true)).toBe('bad queue');
  // It is not held in memory either, and new queues are served.
  expect(await poll(later, queue, seen?.id ?? 0, true)).toBe('bad queue');
  const fresh = await openQueue(later);
  await emit(fresh.userId, 7);
  expect(await collect(later, fresh, -1, 1)).toMatchObject([{ n: 7 }]);
});

it('a queue far behind in a log of others’ events gets its own, however many others there are', async () => {
  const hub = await openHub();
  const queue = await openQueue(hub);
  await hub.stop();
  await emit(queue.userId, 1);
  const { pool } = test.ctx.database;
  const first = queue.startPosition + 1;
  await expect.poll(async () => (await readBounds(pool)).head).toBe(first);
  await test.owner.query('SELECT ensure_event_partitions(100000)');
  await test.owner.query(
    `WITH moved AS (UPDATE event_head SET position = position + 25000)
     INSERT INTO event_log (position, xid, type, payload, audience, rights_of, at)
     SELECT $1::bigint + n, pg_current_xact_id(), 'test', '{"type":"test","n":0}',
            jsonb_build_object('users', jsonb_build_array(100000 + n)), '{}', now()
       FROM generate_series(1, 25000) AS n`,
    [first],
  );
  // As autovacuum does. Without statistics the planner may ask each row.
  await test.owner.query('ANALYZE event_log');
  await emit(queue.userId, 2);
  await expect.poll(async () => (await readBounds(pool)).head).toBe(first + 25_001);
  const restarted = await openHub(30_000, { replayMax: 40 });
  // On a busy machine the first answer may come too late.
  await expect
    .poll(() => poll(restarted, queue, -1, true), { timeout: 20_000 })
    .toMatchObject([{ n: 1 }, { n: 2 }]);
});

it('batches of the engine keep no queue of the chat from being read, however many there are', async () => {
  const replayMax = 40;
  const hub = await openHub();
  const queue = await openQueue(hub);
  await hub.stop();
  // As this release writes them, and as earlier ones did.
  for (const audience of [{ trading: 0 }, { users: [] }]) {
    await test.ctx.inTransaction(async (tx) => {
      for (let n = 0; n < 60; n += 1) tx.emit({ type: 'trading_batch' }, audience);
    });
  }
  await emit(queue.userId, 1);
  await expect
    .poll(async () => (await readBounds(test.ctx.database.pool)).head)
    .toBe(queue.startPosition + 121);
  const restarted = await openHub(30_000, { replayMax });
  expect(await collect(restarted, queue, -1, 1)).toMatchObject([{ n: 1 }]);
});

it('a queue reads the rows of its own product by an index that has no others', async () => {
  const concern = { userId: 1, channelIds: [], isWide: false };
  const explained: string[] = [];
  const pool = {
    async query({ text, values }: { text: string; values: unknown[] }) {
      const client = await test.owner.connect();
      // A table as small as this one is otherwise read whole, or not, as its statistics happen to be.
      await client.query('SET enable_seqscan = off');
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) ${text}`,
        values,
      );
      client.release(true);
      explained.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
      return { rows: [] };
    },
  } as unknown as typeof test.ctx.database.pool;
  const { head } = await readBounds(test.ctx.database.pool);
  await readEventsFor(pool, { ...concern, withBatches: false }, 0, head, 1000);
  await readEventsFor(pool, { ...concern, withBatches: true }, 0, head, 1000);
  await countAmong(pool, { ...concern, withBatches: false }, 0, head, 1000);
  const [chat = '', both = '', count = ''] = explained;
  const indexes = (plan: string) => new Set(plan.match(/event_log_\d+_(pkey|position_idx\d*)/g));
  expect(indexes(chat).size, chat).toBe(1);
  expect(indexes(count), count).toEqual(indexes(chat));
  expect(indexes(both).size, both).toBe(2);
  expect(both, 'the key of the table has the rows of both').not.toContain('pkey');
});

it('a long read of the log that times out is not repeated for ever', async () => {
  const hurried = openDatabase({
    url: test.ctx.config.DATABASE_URL,
    poolMax: 2,
    name: 'hurried',
    statementMs: 3000,
    onError: () => {},
  });
  const hub = await openHub();
  const [near, far] = [await openQueue(hub), await openQueue(hub)];
  await test.owner.query('UPDATE event_head SET position = position + 30000');
  const holder = await test.owner.connect();
  try {
    const node = await openHub(30_000, { readers: hurried.pool });
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE event_log IN ACCESS EXCLUSIVE MODE');
    const startMs = performance.now();
    expect(await poll(node, far, -1, true)).toBe('bad queue');
    // It does not wait as long as its connections would.
    expect(performance.now() - startMs).toBeLessThan(2000);
    // A short one is worth a retry.
    const asked = poll(node, near, idOf(near.startPosition + 29_000), true);
    await expect(asked).rejects.toMatchObject({ code: '57014' });
    await holder.query('ROLLBACK');
    expect(await poll(node, near, idOf(near.startPosition + 29_000), true)).toEqual([]);
  } finally {
    holder.release(true);
    await hurried.close();
  }
});

it('a node that finds no free connection at its start tries again', async () => {
  const crowded = openDatabase({
    url: test.ctx.config.DATABASE_URL,
    poolMax: 1,
    name: 'crowded',
    onError: () => {},
  });
  const holder = await crowded.pool.connect();
  // Longer than the wait for a connection.
  const released = pause(2500).then(() => holder.release());
  try {
    const directory = createDirectory({
      config: test.ctx.config,
      db: crowded.db,
      inTransaction: (work, options = {}) => runInTransaction(crowded.db, work, options, () => {}),
    });
    const hub = await openHub(30_000, { directory });
    const queue = await openQueue(hub);
    await emit(queue.userId, 1);
    expect(await collect(hub, queue, -1, 1)).toHaveLength(1);
    await hub.stop();
  } finally {
    await released;
    await crowded.close();
  }
});

it('a rebuild beyond the head, or before what the log still has, is refused', async () => {
  const hub = await openHub();
  const queue = await openQueue(hub);
  const { head } = await readBounds(test.ctx.database.pool);
  expect(await poll(await openHub(), queue, idOf(head + 5))).toBe('bad queue');
  await emit(queue.userId, 1);
  await collect(hub, queue, -1, 1);
  await test.owner.query('UPDATE event_head SET trimmed_through = position');
  expect(await poll(await openHub(), queue, -1)).toBe('bad queue');
});
