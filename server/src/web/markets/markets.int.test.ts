import { afterAll, beforeAll, expect, it } from 'vitest';
import { liveVenue } from '../../testing/live-venue.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import type { Trader } from '../../testing/trader.ts';
import { createEngineClient } from '../../trading/engine/client.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ withEngine: true });
  const { bus, log, secrets, database } = server.ctx;
  const engine = createEngineClient({
    bus,
    log,
    secrets,
    pool: database.pool,
    answerMs: 5000,
    underWayMax: 1000,
  });
  const venue = await liveVenue(server);
  const [maker, taker] = [await venue.trader(), await venue.trader()];
  const place = (who: Trader, side: 'buy' | 'sell') =>
    engine.submit({
      type: 'place',
      account: Number(who.accountId),
      order: {
        symbol: 'btcusdt',
        side,
        type: 'limit',
        price: 64_000,
        volume: 5,
        volumeDecimals: 3,
      },
    });
  expect((await place(maker, 'sell')).result.kind).toBe('placed');
  expect((await place(taker, 'buy')).result.kind).toBe('placed');
  await engine.stop();
});
afterAll(() => server.close());

async function get(path: string): Promise<{ answer: Response; text: string }> {
  const answer = await fetch(`${server.origin}${path}`, { redirect: 'manual' });
  return { answer, text: await answer.text() };
}

it('everybody sees the markets with price and volume, from any proxy for a moment', async () => {
  // The price is the engine's; the volume is in the tables, which follow a moment later.
  await expect
    .poll(async () => (await get('/markets')).text, { timeout: 20_000 })
    .toMatch(/>64,000[.<].*>320[.<]/s);
  const { answer, text } = await get('/markets');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-control')).toBe('public, max-age=1');
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(text).not.toMatch(/<script|\sstyle="|\son\w+="/);
  expect(text).toContain('BTC/USDT');
  expect(text).toMatch(/>320[.<]/);
});

it('the page is Persian for those who ask for it, and each names the other', async () => {
  const { text } = await get('/markets?lang=fa&q=btc');
  expect(text).toContain('<html lang="fa" dir="rtl">');
  expect(text).toContain('href="/markets?lang=en&amp;q=btc"');
  expect(text).toContain(`hreflang="en" href="${server.origin}/markets?lang=en"`);
  expect(text).toContain(`rel="canonical" href="${server.origin}/markets?lang=fa"`);
});

it('search and filter are part of the address, and what they print is escaped', async () => {
  expect((await get('/markets?q=BTC%2FUSDT')).text).toContain('BTC/USDT');
  const { text } = await get(`/markets?q=${encodeURIComponent('<b>"x')}&quote=usdt&sort=change`);
  expect(text).toContain('No market matches “&lt;b&gt;&quot;x”.');
  expect(text).not.toContain('<b>');
  for (const odd of ['q=a&q=b', 'sort=none', 'quote=%00', `q=${'a'.repeat(5_000)}`, 'lang=xx']) {
    expect((await get(`/markets?${odd}`)).answer.status, odd).toBe(200);
  }
});

it('a coin has a page with its markets and networks, at one address', async () => {
  const { answer, text } = await get('/coins/usdt');
  expect(answer.status).toBe(200);
  for (const part of ['Tether', 'Ethereum', 'Minimum withdrawal', 'BTC/USDT']) {
    expect(text).toContain(part);
  }
  const capital = await get('/coins/USDT?lang=fa');
  expect(capital.answer.status).toBe(301);
  expect(capital.answer.headers.get('location')).toBe('/coins/usdt?lang=fa');
});

it('an unknown coin has no page, and its name is not repeated as HTML', async () => {
  for (const symbol of ['nothing', '%3Cb%3E', '..%2f..', 'a'.repeat(300)]) {
    const { answer, text } = await get(`/coins/${symbol}`);
    expect(answer.status, symbol).toBe(404);
    expect(text).not.toContain('<b>');
  }
});

it('search engines find every page, and every link of the list works', async () => {
  const { text: map } = await get('/markets/sitemap.xml');
  expect(map).toContain(`<loc>${server.origin}/coins/usdt?lang=fa</loc>`);
  expect((await get('/robots.txt')).text).toContain(`${server.origin}/markets/sitemap.xml`);
  const { text } = await get('/markets');
  const links = new Set([...text.matchAll(/href="(\/[^"]*)"/g)].map(([, path = '']) => path));
  for (const path of links) {
    const { answer } = await get(path.replaceAll('&amp;', '&'));
    expect(answer.status, path).toBe(200);
  }
});
