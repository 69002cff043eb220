// Signals reach the open queues, under ids that no event has, and may be lost without harm.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createDirectory } from '../../chat/realtime/delivery/directory.ts';
import { createTestContext, type TestContext } from '../../testing/context.ts';
import { relayOptions } from '../../testing/server.ts';
import { parseDatabaseSnapshot } from '../db/snapshot.ts';
import { idOf, type Audience } from '../events/event.ts';
import { startRelay, type Relay } from '../events/relay.ts';
import { pause } from '../std/wait.ts';
import { startHub, type Hub } from './hub.ts';
import { sendSignal } from './signals.ts';
import { insertQueue } from './store.ts';

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

async function openHub(): Promise<Hub> {
  const { ctx } = test;
  const hub = await startHub({
    pool: ctx.database.pool,
    readers: ctx.database.pool,
    bus: ctx.bus,
    log: ctx.log,
    metrics: ctx.metrics,
    clock: ctx.clock,
    pollMs: 50,
    heartbeatMs: 30_000,
    replayMax: ctx.config.QUEUE_REPLAY_MAX,
    wantedByDefault: () => true,
    directory: createDirectory(ctx),
  });
  hubs.push(hub);
  return hub;
}

interface Queue {
  readonly id: string;
  readonly userId: number;
  readonly startPosition: number;
}

let users = 1000;

async function openQueue(hub: Hub, eventTypes: string[] | null = null): Promise<Queue> {
  const id = randomUUID();
  const userId = (users += 1);
  const { rows } = await sql<{ position: bigint; snapshot: string }>`
    SELECT position, pg_current_snapshot()::text AS snapshot FROM event_head`.execute(test.ctx.db);
  const { position, snapshot } = rows[0] as { position: bigint; snapshot: string };
  const startPosition = Number(position);
  await test.ctx.inTransaction((tx) =>
    insertQueue(tx, { id, userId, startPosition, snapshot, eventTypes, idleSeconds: 600 }),
  );
  await hub.adopt({
    id,
    userId,
    startPosition,
    snapshot: parseDatabaseSnapshot(snapshot),
    eventTypes: eventTypes && new Set(eventTypes),
    filter: {},
    idleSeconds: 600,
  });
  return { id, userId, startPosition };
}

interface Received {
  readonly id: number;
  readonly type: string;
  readonly n: number;
}

async function poll(hub: Hub, queue: Queue, lastEventId: number, dontBlock = false) {
  const result = await hub.poll({
    queueId: queue.id,
    userId: queue.userId,
    lastEventId,
    dontBlock,
    signal: new AbortController().signal,
  });
  if (result === 'bad queue') throw new Error('bad queue');
  return JSON.parse(result.events) as Received[];
}

const signal = (n: number, audience: Audience, type = 'test_signal') =>
  sendSignal(test.ctx.bus, { type, n } as { type: string }, audience);

const emit = (n: number, userId: number) =>
  test.ctx.inTransaction(async (tx) => {
    tx.emit({ type: 'test', n } as { type: string }, { users: [userId] });
  });

it('wakes the polls of its audience, and of nobody else, at every node', async () => {
  const [hub, other] = [await openHub(), await openHub()];
  const here = await openQueue(hub);
  const there = await openQueue(other);
  const stranger = await openQueue(hub);
  const waiting = [poll(hub, here, -1), poll(other, there, -1)];
  signal(1, { users: [here.userId, there.userId] });
  expect(await Promise.all(waiting)).toMatchObject([[{ n: 1 }], [{ n: 1 }]]);
  expect(await poll(hub, stranger, -1, true)).toEqual([]);
});

it('comes only to queues that asked for its type', async () => {
  const hub = await openHub();
  const queue = await openQueue(hub, ['test']);
  signal(1, { users: [queue.userId] });
  await emit(2, queue.userId);
  expect(await poll(hub, queue, -1)).toMatchObject([{ type: 'test', n: 2 }]);
});

it('has ids between those of events, ascending, and does not come again once acknowledged', async () => {
  const hub = await openHub();
  const queue = await openQueue(hub);
  signal(1, { users: [queue.userId] });
  const [first] = await poll(hub, queue, -1);
  expect(first).toMatchObject({ n: 1, id: idOf(queue.startPosition) + 1 });
  await emit(2, queue.userId);
  await expect.poll(() => hub.position()).toBeGreaterThan(queue.startPosition);
  signal(3, { users: [queue.userId] });
  await pause(20);
  const all = await poll(hub, queue, first?.id ?? 0);
  expect(all.map(({ n }) => n)).toEqual([2, 3]);
  const [event, second] = all as [Received, Received];
  expect(second.id).toBe(event.id + 1);
  // Another node knows nothing of it, and loses nothing by the id.
  const other = await openHub();
  await emit(4, queue.userId);
  expect(await poll(other, queue, second.id)).toMatchObject([{ n: 4 }]);
  expect(await poll(hub, queue, second.id)).toMatchObject([{ n: 4 }]);
});

it('is dropped for a queue that is far behind, while events are not', async () => {
  const hub = await openHub();
  const queue = await openQueue(hub);
  for (let n = 0; n < 300; n += 1) signal(n, { users: [queue.userId] });
  await emit(1000, queue.userId);
  await expect.poll(() => hub.position()).toBeGreaterThan(queue.startPosition);
  const all = await poll(hub, queue, -1);
  expect(all).toHaveLength(201);
  expect(all.at(-1)).toMatchObject({ n: 1000 });
  expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).toSorted((a, b) => a - b));
});

it('is dropped when no id is left before the next event, and works again after one', async () => {
  const hub = await openHub();
  const queue = await openQueue(hub);
  let last = idOf(queue.startPosition) + 4094;
  expect(await poll(hub, queue, last, true)).toEqual([]);
  const take = async (n: number) => {
    signal(n, { users: [queue.userId] });
    await pause(20);
    const events = await poll(hub, queue, last, true);
    last = events.at(-1)?.id ?? last;
    return events.map((event) => event.n);
  };
  expect(await take(1)).toEqual([1]);
  expect(await take(2)).toEqual([]);
  await emit(3, queue.userId);
  await expect.poll(() => hub.position()).toBeGreaterThan(queue.startPosition);
  expect(await take(4)).toEqual([3, 4]);
});

it('too large for the bus is lost silently', () => {
  expect(() => signal(1, { users: Array.from({ length: 400_000 }, (_, n) => n) })).not.toThrow();
});
