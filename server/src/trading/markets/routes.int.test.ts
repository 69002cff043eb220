import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { send } from '../../testing/trader.ts';
import { exampleVenue } from '../../testing/venue.ts';
import type { Market } from './market.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ settings: { TRADING_RATE_LIMIT: '100000' } });
  await exampleVenue(server.ctx);
});
afterAll(() => server.close());

const exchangeInfo = (query = '') => send(`${server.baseUrl}/public/exchange_info${query}`);
const markets = async (query = '') => (await exchangeInfo(query)).body.result as Market[];

const BTCUSDT = {
  symbol: 'btcusdt',
  base: 'btc',
  quote: 'usdt',
  basePrecision: '6',
  quotePrecision: '2',
  minimumQuoteSize: '5',
  maxMarketOrderAsk: '10',
  maxMarketOrderBid: '500000',
  isActive: true,
};

describe('exchange_info', () => {
  it('a market has these nine fields, numbers as texts [T007] [T011] [T012] [T013] [T014] [T015] [T016] [T017] [T018] [T019] [T056]', async () => {
    const { status, body } = await exchangeInfo('?symbol=btcusdt');
    expect(status).toBe(200);
    expect(body.status).toBe('true');
    expect(body.result).toEqual([BTCUSDT]);
    expect(Object.keys((body.result as object[])[0] ?? {})).toEqual(Object.keys(BTCUSDT));
  });

  it('without a symbol lists every market but the delisted, by symbol [T056] [T061]', async () => {
    const result = await markets();
    expect(result.map(({ symbol }) => symbol)).toEqual(['btcirt', 'btcusdt', 'ethusdt']);
    for (const market of result) {
      expect(market.symbol).toBe(`${market.base}${market.quote}`);
      expect(market.symbol).toBe(market.symbol.toLowerCase());
      for (const [name, value] of Object.entries(market)) {
        expect(typeof value).toBe(name === 'isActive' ? 'boolean' : 'string');
        if (/Precision|Size|Order/.test(name)) expect(value).toMatch(/^\d+(\.\d*[1-9])?$/);
      }
    }
    expect(await markets('?symbol=')).toEqual(result);
    expect(await markets('?unknown=1&unknown=2')).toEqual(result);
  });

  it('active means that new orders are admitted [T019] [T051]', async () => {
    const active = Object.fromEntries((await markets()).map((one) => [one.symbol, one.isActive]));
    expect(active).toEqual({ btcirt: false, btcusdt: true, ethusdt: true });
  });

  it('follows a change of phase within a second, for every phase [T019] [T051]', async () => {
    const expected = {
      pre_open: [false],
      post_only: [true],
      continuous: [true],
      cancel_only: [false],
      halted: [false],
      delisted: [],
    };
    for (const [phase, isActive] of Object.entries(expected)) {
      await server.ctx.inTransaction((tx) =>
        tx.updateTable('markets').set({ phase }).where('symbol', '=', 'ethusdt').execute(),
      );
      await delay(1001);
      const found = (await markets()).filter(({ symbol }) => symbol === 'ethusdt');
      expect(found.map((market) => market.isActive)).toEqual(isActive);
    }
    expect((await exchangeInfo('?symbol=ethusdt')).body.error?.code).toBe('4001');
  });

  it('the symbol may be typed in any letter case [T061]', async () => {
    for (const symbol of ['BTCUSDT', 'BtcUsdt', 'btcusdt']) {
      expect(await markets(`?symbol=${symbol}`)).toEqual([BTCUSDT]);
    }
  });

  it('an unknown symbol is an error, not an empty list', async () => {
    const { status, body } = await exchangeInfo('?symbol=BTCXYZ');
    expect(status).toBe(404);
    expect(body).toEqual({
      status: 'false',
      serverTime: expect.stringMatching(/^\d{13}$/) as string,
      result: null,
      error: {
        code: '4001',
        name: 'UNKNOWN_SYMBOL',
        message: "No market has the symbol 'btcxyz'.",
        details: { parameter: 'symbol', value: 'btcxyz' },
      },
    });
  });

  it('an unknown symbol that resembles a known one is answered with a suggestion', async () => {
    for (const path of ['public/exchange_info', 'public/orderbook', 'public/candlesticks']) {
      const query = 'symbol=BTCUSD&resolution=1m';
      const { status, body } = await send(`${server.baseUrl}/${path}?${query}`);
      expect(status).toBe(404);
      expect(body.error).toMatchObject({
        message: "No market has the symbol 'btcusd'. Did you mean 'btcusdt'?",
        details: { parameter: 'symbol', value: 'btcusd', nearest: 'btcusdt' },
      });
    }
  });

  it('a repeated symbol is refused', async () => {
    const { status, body } = await exchangeInfo('?symbol=btcusdt&symbol=btcirt');
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: '2005', details: { parameter: 'symbol' } });
  });

  it('size limits of a market are its data [T016] [T017] [T018] [T076]', async () => {
    const [market] = await markets('?symbol=btcirt');
    expect(market).toMatchObject({
      minimumQuoteSize: '100000',
      maxMarketOrderAsk: '2.5',
      maxMarketOrderBid: '9000000000',
    });
  });
});
