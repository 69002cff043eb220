import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { send } from '../../testing/trader.ts';
import { exampleVenue } from '../../testing/venue.ts';
import { tradingRoute } from '../http/route.ts';
import type { Books, Level } from './replica.ts';

let server: TestServer;
let books: Books;

/** The engine fills the copies in earnest; here a route hands them to the test. */
const takeBooks = tradingRoute({
  name: 'testTakeBooks',
  method: 'GET',
  path: '/public/test_books',
  access: 'public',
  summary: 'Hands the books to the test.',
  params: Type.Object({}),
  returns: Type.String(),
  handle(ctx) {
    books = ctx.books;
    return 'taken';
  },
});

beforeAll(async () => {
  server = await startTestServer({
    settings: { TRADING_RATE_LIMIT: '100000' },
    tradingRoutes: [takeBooks],
  });
  await exampleVenue(server.ctx);
  await send(`${server.baseUrl}/public/test_books`);
});
afterAll(() => server.close());

interface Book {
  symbol: string;
  orderbook: Record<'bids' | 'asks', { price: string; volume: string }[]>;
}
const orderbook = (query = '') => send(`${server.baseUrl}/public/orderbook${query}`);
const book = async (query: string) => (await orderbook(query)).body.result as Book;

const level = (priceTicks: number, volumeLots: number): Level => ({
  priceTicks: BigInt(priceTicks),
  volumeLots: BigInt(volumeLots),
});

describe('orderbook', () => {
  it('an empty book has two empty sides [T046] [T047] [T048] [T049] [T058]', async () => {
    const { status, body } = await orderbook('?symbol=ethusdt');
    expect(status).toBe(200);
    expect(body.status).toBe('true');
    expect(body.result).toEqual({ symbol: 'ethusdt', orderbook: { bids: [], asks: [] } });
  });

  it('entries are price levels, best first, as texts of the market’s precision [T007] [T046] [T047] [T048] [T049] [T058]', async () => {
    books.reset('btcusdt', {
      seq: 1n,
      basePrecision: 6,
      quotePrecision: 2,
      bids: [level(6424900, 1_200_000), level(6425010, 15_000)],
      asks: [level(6425200, 100_000), level(6425150, 400_000)],
    });
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
    books.apply('btcusdt', 2n, [
      { side: 'bids', ...level(6425010, 0) },
      { side: 'asks', ...level(6425100, 5) },
    ]);
    const { orderbook: sides } = await book('?symbol=btcusdt');
    expect(sides.bids[0]).toEqual({ price: '64249.00', volume: '1.200000' });
    expect(sides.asks[0]).toEqual({ price: '64251.00', volume: '0.000005' });
  });

  it('a market without decimals prints none, and an inactive one still answers [T048] [T051]', async () => {
    books.reset('btcirt', {
      seq: 1n,
      basePrecision: 6,
      quotePrecision: 0,
      bids: [level(5_400_000_000, 2_000_000)],
      asks: [],
    });
    expect((await book('?symbol=btcirt')).orderbook).toEqual({
      bids: [{ price: '5400000000', volume: '2.000000' }],
      asks: [],
    });
  });

  it('has a hundred levels a side, or as many as limit says [T058]', async () => {
    const levels = Array.from({ length: 1200 }, (_, index) => level(1000 + index, 1));
    const options = { seq: 1n, basePrecision: 5, quotePrecision: 2 };
    books.reset('ethusdt', { ...options, bids: levels, asks: levels.map((one) => one) });
    const count = async (query: string) => {
      const { bids, asks } = (await book(`?symbol=ethusdt${query}`)).orderbook;
      return [bids.length, asks.length];
    };
    expect(await count('')).toEqual([100, 100]);
    expect(await count('&limit=')).toEqual([100, 100]);
    expect(await count('&limit=1')).toEqual([1, 1]);
    expect(await count('&limit=1000')).toEqual([1000, 1000]);
    const { bids, asks } = (await book('?symbol=ethusdt&limit=2')).orderbook;
    expect(bids.map(({ price }) => price)).toEqual(['21.99', '21.98']);
    expect(asks.map(({ price }) => price)).toEqual(['10.00', '10.01']);
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
