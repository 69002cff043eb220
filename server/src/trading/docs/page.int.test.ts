import { afterAll, beforeAll, expect, it } from 'vitest';
import { runBot } from '../../testing/bot.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { send } from '../../testing/trader.ts';
import { liveVenue, type LiveVenue } from '../../testing/live-venue.ts';
import { startProjector, type Projector } from '../projections/projector.ts';

let server: TestServer;
let projector: Projector;
let venue: LiveVenue;
beforeAll(async () => {
  server = await startTestServer({ withEngine: true });
  projector = startProjector(server.ctx);
  venue = await liveVenue(server);
});
afterAll(async () => {
  await projector.stop();
  await server.close();
});

it('the old address of the reference leads to the documentation, and counts against no limit', async () => {
  for (let count = 0; count < 15; count += 1) {
    const { status, headers } = await send(`${server.baseUrl}/docs`, { redirect: 'manual' });
    expect(status).toBe(308);
    expect(headers.get('location')).toBe('/docs/trading/');
    expect(headers.get('x-svc-ratelimit-limit')).toBeNull();
  }
  expect((await send(`${server.baseUrl}/docs`)).text).toContain('<h1>Trading API</h1>');
  const { status, headers } = await send(`${server.baseUrl}/docs`, { method: 'POST' });
  expect(status).toBe(405);
  expect(headers.get('allow')).toBe('GET, HEAD');
});

it('the bot works unchanged, with one key: places, amends, cancels, buys, reads back', async () => {
  const maker = await venue.trader({ btc: '1', usdt: '1000' });
  const place = async (side: string, price: string) => {
    const params = { symbol: 'btcusdt', type: 'limit', side, price, volume: '0.01' };
    const url = `${server.baseUrl}/private/order/create`;
    expect((await maker.call(url, { method: 'POST', params })).status).toBe(200);
  };
  await place('buy', '63000.00');
  await place('sell', '64000.00');
  const file = await send(`${server.baseUrl}/docs/bot.mjs`);
  expect(file.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(file.text.trim().split('\n').length).toBeLessThanOrEqual(50);
  const trader = await venue.trader({ usdt: '1000' });
  expect(await runBot(file.text, trader.keyId, trader.secret)).toEqual([
    'market 63000.00 to 64000.00',
    expect.stringMatching(/^placed \d+ open at 62370\.00$/) as string,
    expect.stringMatching(/^repeated \d+ true$/) as string,
    'amended 0.008000 place kept: true',
    'canceled canceled left: 0.008000',
    'bought 0.000781 for 49.984',
    'trade 0.000781 at 64000.00 fee 0.0000011715',
    'btc 0.0007798285 held 0',
    'usdt 950.016 held 0',
  ]);
});
