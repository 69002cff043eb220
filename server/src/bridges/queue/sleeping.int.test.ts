// A queue that nobody polls while the engine writes: what it costs, what it gives, and when it ends.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTradingKey } from '../../accounts/trading-keys/actions.ts';
import { createDirectory } from '../../chat/realtime/delivery/directory.ts';
import { isChatEvent } from '../../chat/realtime/events/catalog.ts';
import { startHub, type Hub } from '../../platform/realtime/hub.ts';
import { examplePerson, type Person } from '../../testing/example.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { limitOrder, openingCommands } from '../../testing/trading/batches.ts';
import { TestJournal } from '../../testing/trading/journal.ts';
import { createBatchReader, type OpenBatch } from '../../trading/batches/batch.ts';
import { ELEMENTS_MAX } from './events.ts';
import { createTradingExpander } from './expander.ts';
import { ofType, QueueClient } from './test-client.ts';

const FILLS = 5000;
const PASSING = 600;

let server: TestServer;
let journal: TestJournal;
let taker: Person;
let account: number;
const makers = [1001, 1002];

beforeAll(async () => {
  server = await startTestServer({ settings: { CHAT_RATE_LIMIT: '100000' } });
  taker = await examplePerson(server.ctx);
  const key = await createTradingKey(server.ctx, { userId: taker.id, permissions: ['read'] });
  account = Number(key.accountId);
  journal = new TestJournal(server.ctx);
  for (const command of openingCommands([account, ...makers])) journal.apply(command);
  await journal.commit();
});
afterAll(() => server.close());

it('one order with five thousand fills fits, live and from the log', async () => {
  for (let n = 0; n < FILLS; n += 1) {
    journal.apply(limitOrder(makers[n % 2] as number, 'sell'));
    if (n % 1000 === 999) await journal.commit();
  }
  await journal.commit();
  const live = await QueueClient.register(server, taker);
  const start = live.last;
  journal.apply(limitOrder(account, 'buy', { lots: 1000 * FILLS }));
  await journal.commit();
  const seen = await live.collect((events) => ofType(events, 'balance').length > 0);
  expect(seen.map(({ type }) => type)).toEqual([
    'order',
    ...Array.from({ length: FILLS / ELEMENTS_MAX }, () => 'trade'),
    'balance',
  ]);
  const trades = ofType(seen, 'trade').flatMap((event) => event.trades);
  expect(new Set(trades.map(({ tradeId }) => tradeId)).size).toBe(FILLS);
  expect(new Set(seen.map(({ id }) => Math.floor(id / 4096))).size).toBe(1);

  // From the log, and from the middle of those ids.
  const again: typeof seen = [];
  for (let last = start; again.length < seen.length; last = again.at(-1)?.id ?? last) {
    again.push(...(await live.poll(last)));
  }
  expect(again).toEqual(seen);
  const middle = seen[4]?.id ?? 0;
  expect((await live.poll(middle))[0]).toEqual(seen[5]);
});

it('a queue that sleeps while others trade goes on where it was, unless too many batches passed', async () => {
  const sleeper = await QueueClient.register(server, taker, ['order', 'message']);
  const chat = await QueueClient.register(server, taker, ['message']);
  const start = sleeper.last;
  journal.apply(limitOrder(account, 'buy', { ticks: -500 }));
  await journal.commit();
  for (let n = 0; n < PASSING; n += 1) {
    journal.apply(limitOrder(makers[n % 2] as number, 'sell', { ticks: 1000 + n }));
    await journal.commit();
  }
  journal.apply(limitOrder(account, 'buy', { ticks: -501 }));
  await journal.commit();
  const seen = await sleeper.collect((events) => ofType(events, 'order').length >= 2);
  expect(seen).toHaveLength(2);
  expect(await sleeper.poll(start), 'read from the log').toEqual(seen);

  // Another node, which may read less.
  const node = await startNode({ replayMax: PASSING - 1 });
  try {
    const ask = ({ queueId }: QueueClient) =>
      node.poll({
        queueId,
        userId: taker.id,
        lastEventId: start,
        dontBlock: true,
        signal: new AbortController().signal,
      });
    expect(await ask(sleeper)).toBe('bad queue');
    expect(await ask(chat)).toEqual({ events: '[]' });
  } finally {
    await node.stop();
  }
});

it('a batch that a node could not open when it came is not lost: its queues read the log', async () => {
  const client = await QueueClient.register(server, taker, ['order']);
  const start = client.last;
  const node = await startNode({
    openBatch: () => {
      throw new Error('This batch cannot be opened.');
    },
  });
  const ask = () =>
    node.poll({
      queueId: client.queueId,
      userId: taker.id,
      lastEventId: start,
      dontBlock: true,
      signal: new AbortController().signal,
    });
  try {
    expect(await ask()).toEqual({ events: '[]' });
    journal.apply(limitOrder(account, 'buy', { ticks: -502 }));
    await journal.commit();
    const seen = await client.collect((events) => events.length > 0);
    await expect.poll(ask).toEqual({ events: JSON.stringify(seen) });
  } finally {
    await node.stop();
  }
});

/** A node of its own beside the server's. */
function startNode({
  replayMax = 10_000,
  openBatch = createBatchReader(),
}: {
  replayMax?: number;
  openBatch?: OpenBatch;
}): Promise<Hub> {
  const { ctx } = server;
  return startHub({
    pool: ctx.database.pool,
    readers: ctx.database.pool,
    bus: ctx.bus,
    log: ctx.log,
    metrics: ctx.metrics,
    clock: ctx.clock,
    pollMs: 50,
    heartbeatMs: 30_000,
    wantedByDefault: isChatEvent,
    directory: createDirectory(ctx),
    expander: createTradingExpander(ctx, openBatch),
    replayMax,
  });
}
