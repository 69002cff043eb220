import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
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

it('the signing example on the page works as it stands', async () => {
  const trader = await exampleTrader(server.ctx);
  const { text } = await send(`${server.baseUrl}/docs`);
  const script = exampleOn(text, 'signing-example')
    .replace('svc_key_...', trader.keyId)
    .replace('svc_secret_...', trader.secret);
  // Whole seconds would be one signature for all that is signed within them.
  expect(script).not.toContain('date +%s');
  const { stdout } = await promisify(execFile)('sh', ['-c', script]);
  expect(JSON.parse(stdout)).toMatchObject({ status: 'true', result: [] });
});

it('the bot on the page works as it stands: places, trades, amends, cancels, reads back', async () => {
  const [maker, taker] = [await venue.trader({ btc: '1' }), await venue.trader({ usdt: '1000' })];
  const { text } = await send(`${server.baseUrl}/docs`);
  const script = exampleOn(text, 'bot-example')
    .replace("'svc_key_....'", `'${taker.keyId}'`)
    .replace("'svc_secret_....'", `'${taker.secret}'`)
    .replace("'svc_key_...'", `'${maker.keyId}'`)
    .replace("'svc_secret_...'", `'${maker.secret}'`);
  expect(script.trim().split('\n').length).toBeLessThanOrEqual(45);
  const folder = await mkdtemp(join(tmpdir(), 'bot-'));
  try {
    const file = join(folder, 'bot.mjs');
    await writeFile(file, script);
    const { stdout } = await promisify(execFile)(process.execPath, [file]);
    expect(stdout.trim().split('\n')).toEqual([
      expect.stringMatching(/^placed \d+ open$/) as string,
      expect.stringMatching(/^repeated \d+ true$/) as string,
      'traded partially_filled 0.004000 at 64000',
      'amended 0.008000 place kept: true',
      'canceled canceled left: 0.004000',
      'trade 0.004000 256 fee 0.256',
      'btc 0.996 held 0',
      'usdt 255.744 held 0',
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
