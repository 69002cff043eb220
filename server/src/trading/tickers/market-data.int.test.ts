import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHealth } from '../../platform/http/health.ts';
import { startApi } from '../../roles/api.ts';
import { liveVenue, type LiveVenue } from '../../testing/live-venue.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { send, type Trader } from '../../testing/trader.ts';
import { createEngineClient, type EngineClient } from '../engine/client.ts';

let server: TestServer;
let engine: EngineClient;
let venue: LiveVenue;
let maker: Trader;
let taker: Trader;

beforeAll(async () => {
  server = await startTestServer({ settings: { TRADING_RATE_LIMIT: '100000' }, withEngine: true });
  const { bus, log, secrets, database } = server.ctx;
  engine = createEngineClient({
    bus,
    log,
    secrets,
    pool: database.pool,
    answerMs: 5000,
    underWayMax: 1000,
  });
  venue = await liveVenue(server);
  maker = await venue.trader();
  taker = await venue.trader();
  await trade(64000, 5);
  await trade(64100, 10);
  await trade(63950, 20);
  await place(maker, 'buy', 63900, 7);
});
afterAll(async () => {
  await engine.stop();
  await server.close();
});

/** A limit order in whole prices and thousandths of a coin. */
async function place(who: Trader, side: 'buy' | 'sell', price: number, volume: number) {
  const { result } = await engine.submit({
    type: 'place',
    account: Number(who.accountId),
    order: { symbol: 'btcusdt', side, type: 'limit', price, volume, volumeDecimals: 3 },
  });
  if (result.kind !== 'placed') throw new Error(JSON.stringify(result));
}

async function trade(price: number, volume: number): Promise<void> {
  await place(maker, 'sell', price, volume);
  await place(taker, 'buy', price, volume);
}

const get = (path: string) => send(`${server.baseUrl}/public/${path}`);
const read = async <T>(path: string) => (await get(path)).body.result as T;
type Texts = Record<string, string>;

describe('last_trades', () => {
  it('are newest first, immediately after the trade', async () => {
    const trades = await read<Texts[]>('last_trades?symbol=BTCUSDT');
    expect(trades).toEqual(
      [
        ['3', '63950.00', '0.020000', '1279'],
        ['2', '64100.00', '0.010000', '641'],
        ['1', '64000.00', '0.005000', '320'],
      ].map(([tradeId, price, volume, total]) => ({
        tradeId,
        price,
        volume,
        total,
        takerSide: 'buy',
        time: expect.stringMatching(/^\d{13}$/) as string,
      })),
    );
  });

  it('come oldest first from an id or a time on', async () => {
    const ids = async (query: string) =>
      (await read<Texts[]>(`last_trades?symbol=btcusdt${query}`)).map(({ tradeId }) => tradeId);
    expect(await ids('&fromId=2')).toEqual(['2', '3']);
    expect(await ids('&fromId=4')).toEqual([]);
    expect(await ids('&limit=1')).toEqual(['3']);
    const [, second] = await read<Texts[]>('last_trades?symbol=btcusdt');
    expect(await ids(`&from=${second?.['time']}&limit=1`)).toEqual(['2']);
    expect(await ids(`&to=${second?.['time']}`)).toEqual(['1']);
  });

  it.each([
    ['', '2001'],
    ['?symbol=nothere', '4001'],
    ['?symbol=btcusdt&limit=1001', '2003'],
    ['?symbol=btcusdt&fromId=x', '2002'],
  ])('last_trades%s is refused with %s', async (query, code) => {
    expect((await get(`last_trades${query}`)).body.error?.code).toBe(code);
  });
});

describe('candlesticks', () => {
  it.each([
    '1m',
    '3m',
    '5m',
    '15m',
    '30m',
    '1h',
    '2h',
    '4h',
    '6h',
    '8h',
    '12h',
    '1d',
    '3d',
    '1w',
    '1M',
  ])('of %s sum up the trades', async (resolution) => {
    const candles = await read<Texts[]>(
      `candlesticks?symbol=btcusdt&resolution=${resolution}&limit=3`,
    );
    // The trades may lie on both sides of a boundary; together the candles hold them all.
    const sum = candles.reduce((total, { tradeCount }) => total + Number(tradeCount), 0);
    expect(sum).toBe(3);
    expect(candles.at(-1)).toMatchObject({ close: '63950.00', isClosed: false });
    const whole = candles.find(({ tradeCount }) => tradeCount === '3');
    if (whole === undefined) return;
    expect(whole).toMatchObject({
      open: '64000.00',
      high: '64100.00',
      low: '63950.00',
      volume: '0.035000',
      total: '2240',
    });
  });

  it('reach back to the first trade and no further, without gaps', async () => {
    const hourAgo = Date.now() - 3_600_000;
    // Three minutes of trades an hour ago; the rest is filled.
    const start = hourAgo - (hourAgo % 60_000);
    await server.ctx.database.pool.query(
      `INSERT INTO candles SELECT 'ethusdt', 1, $1::bigint + n * 120000, 3000e18, 3100e18, 2900e18,
              3000e18 + n * 1e18, 1e18, 3000e18, 1 FROM generate_series(0, 1) AS n`,
      [start],
    );
    // A process that starts now finds them in the tables.
    const other = await startApi(server.ctx, createHealth(server.ctx), { clientFolder: undefined });
    const readThere = async (path: string) =>
      (await send(`${other.origin}/v1/public/${path}`)).body.result as Texts[];
    const candles = await readThere(
      `candlesticks?symbol=ethusdt&resolution=1m&from=${start - 600_000}&limit=20`,
    );
    expect(candles).toHaveLength(10);
    expect(candles[0]).toMatchObject({ time: String(start), close: '3000.00', volume: '1.00000' });
    expect(candles[1]).toEqual({
      time: String(start + 60_000),
      open: '3000.00',
      high: '3000.00',
      low: '3000.00',
      close: '3000.00',
      volume: '0.00000',
      total: '0',
      tradeCount: '0',
      isClosed: true,
    });
    expect(candles[2]).toMatchObject({ close: '3001.00', tradeCount: '1' });
    const five = await readThere(
      `candlesticks?symbol=ethusdt&resolution=5m&from=${start - 600_000}`,
    );
    expect(five.reduce((sum, { tradeCount }) => sum + Number(tradeCount), 0)).toBe(2);
    const all = await readThere('candlesticks?symbol=ethusdt&resolution=1m&limit=30');
    expect(all).toHaveLength(30);
    expect(all.every(({ close }) => close === '3001.00')).toBe(true);
    await other.stop();
  });

  it.each([
    ['?symbol=btcusdt', '2001'],
    ['?symbol=btcusdt&resolution=7m', '2002'],
    ['?symbol=btcusdt&resolution=1m&limit=1001', '2003'],
  ])('candlesticks%s is refused with %s', async (query, code) => {
    expect((await get(`candlesticks${query}`)).body.error?.code).toBe(code);
  });
});

describe('tickers', () => {
  it('cover the last 24 hours and the best prices', async () => {
    await expect
      .poll(() => read<Texts[]>('tickers?symbol=btcusdt'), { timeout: 5000 })
      .toEqual([
        {
          symbol: 'btcusdt',
          time: expect.stringMatching(/^\d{13}$/) as string,
          openTime: expect.stringMatching(/^\d{13}$/) as string,
          open: '64000.00',
          high: '64100.00',
          low: '63950.00',
          last: '63950.00',
          previousClose: '',
          change: '-50.00',
          changePercent: '-0.08',
          vwap: '64000.00',
          volume: '0.035000',
          total: '2240',
          tradeCount: '3',
          bidPrice: '63900.00',
          bidVolume: '0.007000',
          askPrice: '',
          askVolume: '',
        },
      ]);
  });

  it('of a market without trades have no prices', async () => {
    const [quiet] = await read<Texts[]>('tickers?symbol=btcirt');
    expect(quiet).toMatchObject({
      open: '',
      last: '',
      vwap: '',
      changePercent: '',
      tradeCount: '0',
    });
    expect(await read<Texts[]>('tickers')).toHaveLength(3);
    expect((await get('tickers?symbol=nothere')).body.error?.code).toBe('4001');
  });

  it('have short forms: last_prices and best_prices', async () => {
    await expect
      .poll(() => read<Texts[]>('last_prices?symbol=btcusdt'), { timeout: 3000 })
      .toEqual([
        {
          symbol: 'btcusdt',
          price: '63950.00',
          time: expect.stringMatching(/^\d{13}$/) as string,
        },
      ]);
    const [never] = await read<Texts[]>('last_prices?symbol=btcirt');
    expect(never).toEqual({ symbol: 'btcirt', price: '', time: '' });
    expect(await read<Texts[]>('best_prices?symbol=btcusdt')).toEqual([
      {
        symbol: 'btcusdt',
        bidPrice: '63900.00',
        bidVolume: '0.007000',
        askPrice: '',
        askVolume: '',
        updateId: expect.stringMatching(/^\d+$/) as string,
      },
    ]);
  });
});

describe('markets', () => {
  it('contain all rules for an order', async () => {
    await expect
      .poll(async () => (await read<Texts[]>('markets?symbol=btcusdt'))[0], { timeout: 3000 })
      .toMatchObject({
        symbol: 'btcusdt',
        basePrecision: '6',
        quotePrecision: '2',
        isActive: true,
        phase: 'continuous',
        priceStep: '0.01',
        volumeStep: '0.000001',
        referencePrice: '63950.00',
        makerFee: '0.001',
        takerFee: '0.0015',
        timeInForce: ['GTC', 'IOC', 'FOK', 'GTD'],
        defaultStpMode: 'expire_taker',
        createdAt: expect.stringMatching(/^\d{13}$/) as string,
      });
    const all = await read<Texts[]>('markets');
    expect(all.map(({ symbol, phase }) => [symbol, phase])).toEqual([
      ['btcirt', 'halted'],
      ['btcusdt', 'continuous'],
      ['ethusdt', 'post_only'],
    ]);
    // Without trades, the listing price is all there is.
    expect(all[0]?.['referencePrice']).toBe('5500000000');
  });

  it('follow a change of phase within a second or so', async () => {
    await venue.setPhase('ethusdt', 'cancel_only');
    await expect
      .poll(async () => (await read<Texts[]>('markets?symbol=ethusdt'))[0]?.['phase'], {
        timeout: 3000,
      })
      .toBe('cancel_only');
  });
});

it('status says whether orders are accepted, and what the money is worth', async () => {
  expect(await read<Texts>('status')).toEqual({
    status: 'ok',
    updatedAt: expect.stringMatching(/^\d{13}$/) as string,
    eta: '',
    engine: 'ok',
    historyLag: expect.stringMatching(/^\d+$/) as string,
    money: 'simulated',
    networks: [],
  });
});
