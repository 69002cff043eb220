import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Random } from '../../../../packages/matching/sim/random.ts';
import { liveVenue, type LiveVenue } from '../../testing/live-venue.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { send, type Trader } from '../../testing/trader.ts';
import { createEngineClient, type EngineClient } from '../engine/client.ts';

let server: TestServer;
let engine: EngineClient;
let venue: LiveVenue;
let trader: Trader;

beforeAll(async () => {
  server = await startTestServer({
    settings: { TRADING_RATE_LIMIT: '100000' },
    withEngine: true,
  });
  const { bus, log, secrets, database } = server.ctx;
  engine = createEngineClient({
    bus,
    log,
    secrets,
    pool: database.pool,
    answerMs: 5000,
    underWayMax: 10_000,
  });
  venue = await liveVenue(server, {
    terms: { ethusdt: { maxOpenOrders: 5000, priceBandPercent: '90' } },
  });
  trader = await venue.trader();
});
afterAll(async () => {
  await engine.stop();
  await server.close();
});

interface Sides {
  bids: { price: string; volume: string }[];
  asks: { price: string; volume: string }[];
}
interface Book {
  symbol: string;
  orderbook: Sides;
}
interface Depth extends Sides {
  updateId: string;
  time: string;
  checksum: string;
}
const orderbook = (query = '') => send(`${server.baseUrl}/public/orderbook${query}`);
const book = async (query: string) => (await orderbook(query)).body.result as Book;
const depth = async (query: string) =>
  (await send(`${server.baseUrl}/public/depth${query}`)).body.result as Depth;

/** Places a limit order; decimals as given. */
async function place(
  symbol: string,
  side: 'buy' | 'sell',
  price: [number, number],
  volume: [number, number],
): Promise<number> {
  const { result } = await engine.submit({
    type: 'place',
    account: Number(trader.accountId),
    order: {
      symbol,
      side,
      type: 'limit',
      price: price[0],
      priceDecimals: price[1],
      volume: volume[0],
      volumeDecimals: volume[1],
    },
  });
  if (result.kind !== 'placed') throw new Error(JSON.stringify(result));
  return result.order.orderId;
}

/** Waits until the copy has what the engine has. */
async function caughtUp(symbol: string): Promise<Depth> {
  const truth = await engine.read('depth', { symbol, limit: 1 });
  let found = await depth(`?symbol=${symbol}&limit=1000`);
  await expect
    .poll(
      async () => {
        found = await depth(`?symbol=${symbol}&limit=1000`);
        return Number(found.updateId);
      },
      { timeout: 15_000 },
    )
    .toBeGreaterThanOrEqual(truth?.updateId ?? 0);
  return found;
}

describe('orderbook', () => {
  it('an empty book has two empty sides [T046] [T047] [T048] [T049] [T058]', async () => {
    const { status, body } = await orderbook('?symbol=ethusdt');
    expect(status).toBe(200);
    expect(body.status).toBe('true');
    expect(body.result).toEqual({ symbol: 'ethusdt', orderbook: { bids: [], asks: [] } });
  });

  it('entries are price levels, best first, as texts of the market’s precision [T007] [T046] [T047] [T048] [T049] [T058]', async () => {
    await place('btcusdt', 'buy', [64249, 0], [12, 1]);
    await place('btcusdt', 'buy', [642501, 1], [1, 2]);
    await place('btcusdt', 'buy', [642501, 1], [5, 3]);
    await place('btcusdt', 'sell', [64252, 0], [1, 1]);
    await place('btcusdt', 'sell', [642515, 1], [4, 1]);
    await caughtUp('btcusdt');
    const { body } = await orderbook('?symbol=btcusdt');
    expect(body.result).toEqual({
      symbol: 'btcusdt',
      orderbook: {
        bids: [
          { price: '64250.10', volume: '0.015000' },
          { price: '64249.00', volume: '1.200000' },
        ],
        asks: [
          { price: '64251.50', volume: '0.400000' },
          { price: '64252.00', volume: '0.100000' },
        ],
      },
    });
  });

  it('an answer is one state of the book, with every change that was applied [T048] [T049]', async () => {
    const orderId = await place('btcusdt', 'buy', [64251, 0], [7, 3]);
    expect((await caughtUp('btcusdt')).bids[0]).toEqual({ price: '64251.00', volume: '0.007000' });
    await engine.submit({ type: 'cancel', account: Number(trader.accountId), orderId });
    await caughtUp('btcusdt');
    const { orderbook: sides } = await book('?symbol=btcusdt');
    expect(sides.bids[0]).toEqual({ price: '64250.10', volume: '0.015000' });
  });

  it('a market without decimals prints none, and an inactive one still answers [T048] [T051]', async () => {
    await venue.setPhase('btcirt', 'continuous');
    await place('btcirt', 'buy', [5_400_000_000, 0], [2, 0]);
    await venue.setPhase('btcirt', 'halted');
    await caughtUp('btcirt');
    expect((await book('?symbol=btcirt')).orderbook).toEqual({
      bids: [{ price: '5400000000', volume: '2.000000' }],
      asks: [],
    });
  });

  it('has all levels up to a thousand a side, or as many as limit says [T058]', async () => {
    await venue.setPhase('ethusdt', 'continuous');
    const placing: Promise<number>[] = [];
    for (let n = 0; n < 1100; n += 1) {
      placing.push(place('ethusdt', 'buy', [3100_00 - n, 2], [1, 2]));
      placing.push(place('ethusdt', 'sell', [3300_00 + n, 2], [1, 2]));
    }
    await Promise.all(placing);
    await caughtUp('ethusdt');
    const count = async (query: string) => {
      const { bids, asks } = (await book(`?symbol=ethusdt${query}`)).orderbook;
      return [bids.length, asks.length];
    };
    expect(await count('')).toEqual([1000, 1000]);
    expect(await count('&limit=')).toEqual([1000, 1000]);
    expect(await count('&limit=1')).toEqual([1, 1]);
    expect(await count('&limit=1000')).toEqual([1000, 1000]);
    const { bids, asks } = (await book('?symbol=ethusdt&limit=2')).orderbook;
    expect(bids.map(({ price }) => price)).toEqual(['3100.00', '3099.99']);
    expect(asks.map(({ price }) => price)).toEqual(['3300.00', '3300.01']);
  });

  it.each([
    ['', '2001', 400, 'symbol'],
    ['?symbol=', '2001', 400, 'symbol'],
    ['?symbol=btcusdt&symbol=btcusdt', '2005', 400, 'symbol'],
    ['?symbol=btcusdt&limit=0', '2003', 400, 'limit'],
    ['?symbol=btcusdt&limit=1001', '2003', 400, 'limit'],
    ['?symbol=btcusdt&limit=ten', '2002', 400, 'limit'],
    ['?symbol=btcusdt&limit=%zz', '2002', 400, 'limit'],
    ['?symbol=nothere', '4001', 404, 'symbol'],
    ['?symbol=xrpusdt', '4001', 404, 'symbol'],
  ])('orderbook%s is refused with %s [T062]', async (query, code, status, parameter) => {
    const answer = await orderbook(query);
    expect(answer.status).toBe(status);
    expect(answer.body.error).toMatchObject({ code, details: { parameter } });
  });

  it('finds a symbol typed in capitals [T058]', async () => {
    expect((await book('?symbol=BTCUSDT&limit=1')).symbol).toBe('btcusdt');
  });
});

/** As a client computes it from the answer. */
function checksumOf({ bids, asks }: Sides): string {
  const parts: string[] = [];
  for (let n = 0; n < 25; n += 1) {
    for (const level of [bids[n], asks[n]]) if (level) parts.push(level.price, level.volume);
  }
  return String(crc32(parts.join(':')));
}

describe('depth', () => {
  it('is the book with its update id, its time and a checksum', async () => {
    await caughtUp('btcusdt');
    const found = await depth('?symbol=BTCUSDT');
    const { orderbook: sides } = await book('?symbol=btcusdt');
    const truth = await engine.read('depth', { symbol: 'btcusdt', limit: 1 });
    expect(found).toEqual({
      symbol: 'btcusdt',
      updateId: String(truth?.updateId),
      time: expect.stringMatching(/^\d{13}$/) as string,
      ...sides,
      checksum: checksumOf(sides),
    });
  });

  it('equals the engine’s book after many random orders, with every checksum right', async () => {
    const random = new Random(7n);
    const account = Number(trader.accountId);
    for (let round = 0; round < 20; round += 1) {
      const placing: Promise<unknown>[] = [];
      for (let n = 0; n < 50; n += 1) {
        const side = random.chance(0.5) ? ('buy' as const) : ('sell' as const);
        const price =
          side === 'buy' ? random.between(310_000, 319_000) : random.between(319_001, 330_000);
        placing.push(place('ethusdt', side, [price, 2], [random.between(1, 900), 3]));
        if (random.chance(0.3)) {
          const orderId = random.between(1, 3000);
          placing.push(engine.submit({ type: 'cancel', account, orderId }));
        }
      }
      await Promise.all(placing);
      const found = await depth('?symbol=ethusdt&limit=1000');
      expect(found.checksum).toBe(checksumOf(found));
    }
    const found = await caughtUp('ethusdt');
    const truth = await engine.read('depth', { symbol: 'ethusdt', limit: 1000 });
    const printed = (levels: readonly { priceTicks: number; lots: number }[] = []) =>
      levels.map(({ priceTicks, lots }) => ({
        price: (priceTicks / 100).toFixed(2),
        volume: (lots / 1e5).toFixed(5),
      }));
    expect(found.updateId).toBe(String(truth?.updateId));
    expect(found.bids).toEqual(printed(truth?.bids));
    expect(found.asks).toEqual(printed(truth?.asks));
    expect(found.checksum).toBe(checksumOf(found));
  });
});

it('a server that starts later has the same books', async () => {
  await caughtUp('btcusdt');
  const before = await depth('?symbol=ethusdt&limit=1000');
  const { startApi } = await import('../../roles/api.ts');
  const { createHealth } = await import('../../platform/http/health.ts');
  const other = await startApi(server.ctx, createHealth(server.ctx));
  try {
    const { body } = await send(`${other.origin}/v1/public/depth?symbol=ethusdt&limit=1000`);
    // A fetched book has the time of its fetch.
    expect(body.result).toEqual({ ...before, time: expect.any(String) as string });
  } finally {
    await other.stop();
  }
});
