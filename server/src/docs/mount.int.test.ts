import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { sendRaw } from '../testing/raw-http.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { listPages } from './pages.ts';
import { readAssets, readPicture } from './site/assets.ts';
import { buildSite } from './site/build.ts';
import { findRoot, readFrom } from './site/files.ts';
import { pickSettings, toldLimits } from './site/settings.ts';

/** Requests at once; a stranger may have more. */
const TOGETHER = 32;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    settings: { WEB_RATE_LIMIT: '1000000', TRADING_RATE_LIMIT: '17' },
  });
});
afterAll(() => server.close());

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${server.origin}${path}`, { headers, method, redirect: 'manual' });

it('every file is served as it is built for this server, and nothing else is', async () => {
  const { config } = server.ctx;
  const settings = pickSettings(config);
  const { files, problems } = buildSite(
    listPages({ ...readFrom(findRoot()), settings, limits: toldLimits }),
    {
      origin: server.origin,
      base: '/docs/',
      isStatic: false,
      version: manifest.version,
      assets: readAssets(),
      picture: readPicture(),
    },
  );
  expect(problems).toEqual([]);
  expect(files.size).toBeGreaterThan(500);
  const check = async (path: string) => {
    const { text, type, isForever } = files.get(path) ?? { text: '', type: '', isForever: false };
    const answer = await get(`/docs/${path.replace(/(^|\/)index\.html$/, '$1')}`);
    expect(answer.status, path).toBe(200);
    expect(answer.headers.get('content-type'), path).toBe(type);
    expect(answer.headers.get('cache-control')?.includes('immutable'), path).toBe(isForever);
    expect((await answer.text()) === text, path).toBe(true);
  };
  const paths = [...files.keys()];
  for (let start = 0; start < paths.length; start += TOGETHER) {
    await Promise.all(paths.slice(start, start + TOGETHER).map(check));
  }
}, 180_000);

describe('a page', () => {
  it('allows our own scripts only, no frame, and calls to this server only', async () => {
    const { headers } = await get('/docs/');
    const policy = headers.get('content-security-policy') ?? '';
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'self'",
    ]) {
      expect(policy).toContain(part);
    }
    expect(policy).not.toMatch(/unsafe|\*|data:/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('set-cookie')).toBeNull();
  });

  it('tells the limits in force, and the address of this server', async () => {
    expect(await (await get('/docs/limits/')).text()).toContain('17');
    expect(await (await get('/docs/llms-full.txt')).text()).not.toContain('https://rialto.example');
  });

  it('is sent once: its tag answers 304, in both forms, and HEAD has no body', async () => {
    const first = await get('/docs/', { 'accept-encoding': 'gzip' });
    const tag = first.headers.get('etag') ?? '';
    expect(tag).toMatch(/^W\/"[\w-]{22}"$/);
    expect(first.headers.get('vary')).toContain('accept-encoding');
    for (const coding of ['gzip', 'identity']) {
      const again = await get('/docs/', { 'if-none-match': tag, 'accept-encoding': coding });
      expect(again.status).toBe(304);
      expect(await again.text()).toBe('');
    }
    expect((await get('/docs/', { 'if-none-match': '"other"' })).status).toBe(200);
    const head = await get('/docs/', {}, 'HEAD');
    expect(head.status).toBe(200);
    expect(head.headers.get('etag')).toBe(tag);
    expect(await head.text()).toBe('');
  });

  it.each([
    ['gzip', true],
    ['br, gzip;q=0.5', true],
    ['*', true],
    ['gzip;q=0', false],
    ['gzip;q=0.0, br', false],
    ['identity', false],
    ['x-gzip-not', false],
  ])('for a reader who accepts "%s" is compressed: %s', async (accepted, isCompressed) => {
    const request = `GET /docs/ HTTP/1.1\r\nHost: a\r\nAccept-Encoding: ${accepted}\r\nConnection: close\r\n\r\n`;
    const { text } = await sendRaw(server.origin, [request]);
    expect(/^content-encoding: gzip\r$/im.test(text)).toBe(isCompressed);
    const body = Buffer.from(text.slice(text.indexOf('\r\n\r\n') + 4), 'latin1');
    const page = isCompressed ? gunzipSync(body).toString() : body.toString();
    expect(page).toContain('<!doctype html>');
  });
});

describe('an address', () => {
  it('without its last slash leads to the page, with its query', async () => {
    const answer = await get('/docs/concepts/signing?a=1');
    expect(answer.status).toBe(308);
    expect(answer.headers.get('location')).toBe('/docs/concepts/signing/?a=1');
  });

  it('/docs leads to the language that the reader prefers', async () => {
    const to = async (language: string) =>
      (await get('/docs', { 'accept-language': language })).headers.get('location');
    expect(await to('fa-IR,fa;q=0.9,en;q=0.8')).toBe('/docs/fa/');
    expect(await to('en,fa;q=0.8')).toBe('/docs/');
    expect((await get('/docs')).headers.get('vary')).toContain('accept-language');
    const persian = await (await get('/docs/fa/')).text();
    expect(persian).toContain('<html lang="fa" dir="rtl">');
  });

  it.each([
    'nothing',
    'nothing/',
    'nothing.html',
    'concepts/signing/index',
    'concepts//signing/',
    '..%2f..%2fpackage.json',
    '%2e%2e/%2e%2e/package.json',
    'assets/../../package.json%00',
    'assets/',
    '__proto__',
    'constructor/',
    'a/'.repeat(2000),
    '%zz',
    'fa/nothing/',
  ])('that is unknown gets a page inside the site: %s', async (path) => {
    const request = `GET /docs/${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
    const { status, text } = await sendRaw(server.origin, [request]);
    expect(status).toBe(404);
    expect(text).toContain('There is no such page.');
    expect(text).not.toContain('"dependencies"');
    expect(text).toMatch(/content-security-policy: default-src 'none'; script-src 'self'/i);
  });

  it.each(['POST', 'PUT', 'DELETE'])('cannot be changed by %s', async (method) => {
    expect((await get('/docs/', {}, method)).status).toBeGreaterThanOrEqual(404);
  });
});

describe('the search without a script', () => {
  const search = async (query: string, prefix = '') =>
    (await get(`/docs/${prefix}search/?q=${encodeURIComponent(query)}`)).text();

  it('finds the exact name first', async () => {
    const [first] = /<ol class="results">[^]*?<\/li>/.exec(await search('3004')) ?? [];
    expect(first).toContain('/errors/');
    expect(first).toContain('3004');
  });

  it('finds Persian on the Persian page', async () => {
    expect(await search('امضا', 'fa/')).toMatch(/<li lang="fa" dir="rtl"><a href="/);
  });

  it('says so when there is nothing, and shows a query only as text', async () => {
    const page = await search('<script>alert(1)</script>"zzqq');
    expect(page).toContain('Nothing was found.');
    expect(page).not.toContain('<script>alert');
    expect(page).toContain('&lt;script&gt;');
  });

  it('takes a huge query, many of them, and one that is no text', async () => {
    const huge = await get(`/docs/search/?q=${'x'.repeat(12_000)}`);
    expect(huge.status).toBe(200);
    expect((await huge.text()).length).toBeLessThan(100_000);
    expect((await get('/docs/search/?q=a&q=b')).status).toBe(200);
    expect((await get('/docs/search/?q=%00%ff')).status).toBe(200);
    const pages = await Promise.all(Array.from({ length: 50 }, () => search('order')));
    expect(new Set(pages).size).toBe(1);
  });

  it('is at /docs/search too', async () => {
    const answer = await get('/docs/search?q=order');
    expect(answer.headers.get('location')).toBe('/docs/search/?q=order');
  });
});
