// Streams survive cuts and killed servers. A watcher that knows only the SDK follows the book, its own orders on the private
// stream, and the same orders in the event queue, while orders rain down, its connections are cut and the processes that
// serve it are killed. STREAMS_ORDERS, STREAMS_CUTS and STREAMS_KILLS set the size; the defaults fit the gate.
import { setTimeout as sleep } from 'node:timers/promises';
import { Chat, LiveBook, Streams, Trading, type MyTrade, type Order } from '@rialto/sdk';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createRandom, type Random } from '../server/src/testing/random.ts';
import { START_WITHIN_MS, startSdkCluster, type Member, type SdkCluster } from './sdk/cluster.ts';

const ORDERS = Number(process.env['STREAMS_ORDERS'] ?? 2000);
const CUTS = Number(process.env['STREAMS_CUTS'] ?? 8);
const KILLS = Number(process.env['STREAMS_KILLS'] ?? 2);
const SEED = Number(process.env['STREAMS_SEED'] ?? Date.now() % 1_000_000);
const SYMBOL = 'btcusdt';
const BATCH = 20;
const TIMEOUT_MS = 900_000;

let cluster: SdkCluster | undefined;
let watcher: Member;
let other: Member;

beforeAll(async () => {
  cluster = await startSdkCluster({
    TRADING_RATE_LIMIT: '1000000',
    CHAT_RATE_LIMIT: '1000000',
    CHAT_RATE_LIMIT_POLLS: '1000000',
  });
  watcher = await cluster.join();
  other = await cluster.join();
}, START_WITHIN_MS);
afterAll(() => cluster?.close());

function venue(): SdkCluster {
  if (cluster === undefined) throw new Error('The cluster did not start.');
  return cluster;
}
const url = () => venue().balancer.origin;
/** Waits for a killed server as long as a test may take. */
const PATIENT = { attempts: 1000, totalMs: 120_000, pauseMaxMs: 1000 };
const tradingOf = ({ trading }: Member) => new Trading({ url: url(), ...trading, retry: PATIENT });

/** What came on the private stream. */
interface Seen {
  readonly seqs: bigint[];
  readonly orders: Map<string, Order>;
  readonly changes: string[];
  readonly trades: MyTrade[];
  readonly balances: Map<string, { readonly total: string; readonly hold: string }>;
  readonly resets: string[];
}

function watchPrivate(streams: Streams): Seen {
  const seen: Seen = {
    seqs: [],
    orders: new Map(),
    changes: [],
    trades: [],
    balances: new Map(),
    resets: [],
  };
  streams.subscribe(['orders', 'my_trades', 'balances'], (event) => {
    if (event.type === 'reset' || event.type === 'gap') {
      seen.resets.push(`${event.channel} ${event.type}`);
      return;
    }
    if (event.type === 'update') seen.seqs.push(BigInt(event.streamSeq ?? 0));
    if (event.channel === 'orders' && event.type === 'update') {
      const { lastFill: _fill, ...order } = event.data;
      seen.orders.set(order.orderId, order);
      seen.changes.push(`${event.data.orderId} ${event.data.engineSeq}`);
    }
    if (event.channel === 'my_trades') seen.trades.push(event.data);
    if (event.channel === 'balances')
      for (const one of event.data) seen.balances.set(one.coin, one);
  });
  return seen;
}

/** The same from the event queue. */
interface Queued {
  readonly ids: number[];
  readonly changes: string[];
  readonly trades: string[];
  readonly restarts: number;
  stop(): Promise<void>;
}

async function watchQueue(member: Member): Promise<Queued> {
  const chat = new Chat({ url: url(), ...member.chat, retry: PATIENT });
  const started = Promise.withResolvers<void>();
  const queued = {
    ids: [] as number[],
    changes: [] as string[],
    trades: [] as string[],
    restarts: 0,
  };
  const listening = chat.listen({ types: ['order', 'trade'] }, (event) => {
    if (event.type === 'started') started.resolve();
    else if (event.type === 'restarted') queued.restarts += 1;
    else {
      queued.ids.push(event.id);
      const { orders = [], trades = [] } = event as unknown as {
        orders?: Order[];
        trades?: MyTrade[];
      };
      for (const { orderId, engineSeq } of orders) queued.changes.push(`${orderId} ${engineSeq}`);
      for (const { tradeId, orderId } of trades) queued.trades.push(`${tradeId} ${orderId}`);
    }
  });
  listening.done.catch((error: unknown) => started.reject(error));
  await started.promise;
  return Object.assign(queued, { stop: () => listening.stop() });
}

const cents = (ticks: number) =>
  `${Math.floor(ticks / 100)}.${String(ticks % 100).padStart(2, '0')}`;
const volume = (random: Random) => `0.00${String(1000 + random.below(8999))}`;

/** Orders that were placed, and faults that have struck: neither runs ahead of the other. */
interface Progress {
  placed: number;
  struck: number;
}

const EVERY = ORDERS / (CUTS + KILLS + 1);

/** Batches of orders around one price, with some canceled again. */
async function rain(
  member: Member,
  count: number,
  random: Random,
  progress: Progress,
): Promise<void> {
  const trading = tradingOf(member);
  const live: string[] = [];
  for (let left = count; left > 0; left -= BATCH) {
    const orders = Array.from({ length: Math.min(BATCH, left) }, () => ({
      symbol: SYMBOL,
      side: random.pick(['buy', 'sell'] as const),
      type: 'limit' as const,
      price: cents(6_400_000 - 4000 + random.below(8000)),
      volume: volume(random),
      ...(random.below(8) === 0 && { timeInForce: 'IOC' as const }),
    }));
    while (progress.placed > EVERY * (progress.struck + 1)) await sleep(5);
    const answers = await trading.order.createBatch({ orders });
    for (const answer of answers) {
      if (answer.status !== 'true') throw new Error(JSON.stringify(answer.error));
      live.push(answer.order.orderId);
    }
    progress.placed += answers.length;
    const orderIds = live.splice(0, random.below(12));
    // Many are filled by now, and say so.
    if (orderIds.length > 0) await trading.order.cancelBatch({ orderIds });
  }
}

/** Spreads the faults over the orders, so that each strikes in the middle of work, and a connection that works. */
async function disturb(random: Random, progress: Progress, streams: Streams): Promise<void> {
  const faults = random.shuffled([
    ...Array.from({ length: CUTS }, () => 'cut' as const),
    ...Array.from({ length: KILLS }, () => 'kill' as const),
  ]);
  for (const [at, fault] of faults.entries()) {
    const from = EVERY * at + random.below(EVERY);
    while (progress.placed < from || !streams.isConnected) await sleep(5);
    if (fault === 'cut') venue().balancer.cut();
    else {
      const victim = venue().findServing();
      victim.kill('SIGKILL');
      await victim.restart();
    }
    progress.struck += 1;
  }
}

it(
  'the watched book equals the fetched one, and no order event is lost or doubled',
  { timeout: TIMEOUT_MS },
  async () => {
    console.log(`seed ${SEED}: ${ORDERS} orders, ${CUTS} cuts, ${KILLS} kills`);
    const random = createRandom(SEED);
    let connections = 0;
    const streams = new Streams({
      url: url(),
      ...watcher.trading,
      maxWaitMs: 1000,
      onEvent: ({ type }) => (connections += type === 'connected' ? 1 : 0),
    });
    onTestFinished(() => streams.close());
    const faults: string[] = [];
    const follow = (isFast: boolean) =>
      new LiveBook(streams, SYMBOL, { isFast, onFault: (fault) => faults.push(fault) });
    const books = [follow(false), follow(true)];
    const seen = watchPrivate(streams);
    const queued = await watchQueue(watcher);
    await Promise.all(books.map((book) => book.ready));
    await streams.connect();

    const progress: Progress = { placed: 0, struck: 0 };
    await Promise.all([
      rain(watcher, ORDERS / 2, createRandom(SEED + 1), progress),
      rain(other, ORDERS / 2, createRandom(SEED + 2), progress),
      disturb(random, progress, streams),
    ]);

    // The books, once they have come to where the venue is.
    const trading = tradingOf(watcher);
    for (const book of books) {
      // A node that answers may be a moment behind the one that pushes, and the other way round.
      const fetched = async () => {
        const { bids, asks, updateId, checksum } = await trading.public.depth({
          symbol: SYMBOL,
          limit: '1000',
        });
        return { bids, asks, updateId, checksum };
      };
      await expect
        .poll(async () => (await fetched()).updateId === book.updateId, { timeout: 60_000 })
        .toBe(true);
      const { bids, asks, updateId, checksum } = book;
      expect({ bids, asks, updateId, checksum }).toEqual(await fetched());
    }
    expect(faults, 'every checksum right, no gap').toEqual([]);

    // The private stream: numbers without a hole, and what REST has.
    const history = new Map<string, Order>();
    for await (const order of trading.each('order.history', { limit: '500' })) {
      history.set(order.orderId, order);
    }
    const trades: MyTrade[] = [];
    for await (const trade of trading.each('order.trades', { limit: '500' })) trades.push(trade);
    const last = [...history.values()].reduce(
      (max, { engineSeq }) => (BigInt(engineSeq) > max ? BigInt(engineSeq) : max),
      0n,
    );
    expect(seen.resets).toEqual([]);
    await expect
      .poll(() => seen.changes.some((change) => change.endsWith(` ${last}`)), { timeout: 30_000 })
      .toBe(true);
    await expect.poll(() => seen.trades.length, { timeout: 30_000 }).toBe(trades.length);
    expect(seen.resets).toEqual([]);
    const [first = 0n] = seen.seqs;
    expect(seen.seqs, 'numbers without a hole').toEqual(
      seen.seqs.map((_, at) => first + BigInt(at)),
    );
    expect(seen.orders.size).toBe(ORDERS / 2);
    expect(seen.orders).toEqual(history);
    expect(seen.trades.map(({ tradeId, orderId }) => `${tradeId} ${orderId}`).sort()).toEqual(
      trades.map(({ tradeId, orderId }) => `${tradeId} ${orderId}`).sort(),
    );
    for (const { coin, ...balance } of await trading.account.balances({ omitZero: true })) {
      expect(seen.balances.get(coin), coin).toMatchObject({
        total: balance.total,
        hold: balance.hold,
      });
    }

    // The event queue has told exactly the same changes.
    await expect.poll(() => queued.changes.length, { timeout: 30_000 }).toBe(seen.changes.length);
    await queued.stop();
    expect(queued.restarts).toBe(0);
    expect(queued.ids).toEqual([...new Set(queued.ids)].sort((a, b) => a - b));
    expect(queued.changes).toEqual(seen.changes);
    expect(queued.trades).toEqual(
      seen.trades.map(({ tradeId, orderId }) => `${tradeId} ${orderId}`),
    );

    console.log(
      `${progress.placed} orders, ${connections} connections of the watcher; books ${books.map(({ applied }) => applied).join(' and ')} pushes, every checksum right; ` +
        `${seen.seqs.length} private events without a hole, ${seen.changes.length} order events and ${trades.length} trades, the same ${queued.changes.length} in the queue`,
    );
  },
);
