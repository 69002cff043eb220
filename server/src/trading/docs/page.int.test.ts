import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runBot } from '../../testing/bot.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { exampleTrader, send } from '../../testing/trader.ts';
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

it('the page is HTML without scripts or inline styles, and counts against no limit', async () => {
  for (let count = 0; count < 15; count += 1) {
    const { status, headers, text } = await send(`${server.baseUrl}/docs`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'self'; /,
    );
    expect(headers.get('x-svc-ratelimit-limit')).toBeNull();
    expect(text).toContain('<!doctype html>');
    expect(text).not.toMatch(/<script|<style|style=|onclick=/);
    expect(text).toContain(`${server.baseUrl}/public/ping`);
  }
  expect((await send(`${server.baseUrl}/docs`, { method: 'HEAD' })).text).toBe('');
  const { status, headers } = await send(`${server.baseUrl}/docs`, { method: 'POST' });
  expect(status).toBe(405);
  expect(headers.get('allow')).toBe('GET, HEAD');
});

/** The text of an example as a browser shows it. */
function exampleOn(page: string, id: string): string {
  const text = new RegExp(`id="${id}">([^<]*)<`).exec(page)?.[1];
  if (text === undefined) throw new Error(`The page has no ${id}.`);
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

it('the signing example on the page works unchanged', async () => {
  const trader = await exampleTrader(server.ctx);
  const { text } = await send(`${server.baseUrl}/docs`);
  const script = exampleOn(text, 'signing-example')
    .replace('svc_key_...', trader.keyId)
    .replace('svc_secret_...', trader.secret);
  // With whole seconds, equal requests within one second would have the same signature.
  expect(script).not.toContain('date +%s');
  const { stdout } = await promisify(execFile)('sh', ['-c', script]);
  expect(JSON.parse(stdout)).toMatchObject({ status: 'true', result: [] });
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
  const { text } = await send(`${server.baseUrl}/docs`);
  expect(exampleOn(text, 'bot-example')).toBe(file.text);
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
