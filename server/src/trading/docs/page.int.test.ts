import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { exampleTrader, send } from '../../testing/trader.ts';
import { exampleVenue } from '../../testing/venue.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await exampleVenue(server.ctx);
});
afterAll(() => server.close());

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

it('the signing example on the page works as it stands', async () => {
  const trader = await exampleTrader(server.ctx);
  const { text } = await send(`${server.baseUrl}/docs`);
  const script = /id="signing-example">([^<]*)</
    .exec(text)?.[1]
    ?.replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace('svc_key_...', trader.keyId)
    .replace('svc_secret_...', trader.secret);
  const { stdout } = await promisify(execFile)('sh', ['-c', script ?? 'false']);
  expect(JSON.parse(stdout)).toMatchObject({ status: 'true', result: [] });
});
