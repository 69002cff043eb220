// Which credentials work where: a session works only under /json, and with its token where something changes; a
// key works only under /api/v1, and only in its header.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chatRoutes, sessionRoutes } from '../chat/routes.ts';
import { openBrowser, type Browser } from '../testing/browser.ts';
import { examplePerson, type Person } from '../testing/example.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

const PASSWORD = 'a long enough secret';

let server: TestServer;
let ada: Person;
let browser: Browser;

beforeAll(async () => {
  server = await startTestServer({
    settings: { CHAT_RATE_LIMIT: '100000', CHAT_RATE_LIMIT_ANONYMOUS: '100000' },
  });
  ada = await examplePerson(server.ctx, { password: PASSWORD });
  browser = openBrowser(server);
  expect((await browser.signIn(ada.email, PASSWORD)).status).toBe(302);
});
afterAll(() => server.close());

const fill = (path: string): string => path.replaceAll(/\{[^}]*\}/g, '1');

const cookieOf = (): string =>
  ['sessionid', 'device'].map((name) => `${name}=${browser.cookies.get(name) ?? ''}`).join('; ');

async function ask(method: string, path: string, init: RequestInit = {}) {
  const answer = await fetch(`${server.origin}${path}`, { method, redirect: 'manual', ...init });
  const text = await answer.text();
  let code: unknown;
  try {
    code = (JSON.parse(text) as { code?: unknown }).code;
  } catch {
    code = text.slice(0, 100);
  }
  return { status: answer.status, code };
}

describe('a session', () => {
  const changing = sessionRoutes.filter(({ method }) => method !== 'GET');

  it('changes nothing by any route without its token, with a wrong one, or with one of another session', async () => {
    const other = openBrowser(server);
    await other.signIn(ada.email, PASSWORD);
    const tokens = [undefined, '', 'A'.repeat(43), other.cookies.get('csrftoken') ?? ''];
    const wrong: string[] = [];
    for (const { method, path, name } of changing) {
      for (const token of tokens) {
        const headers = {
          cookie: cookieOf(),
          ...(token !== undefined && { 'x-csrftoken': token }),
        };
        const { status, code } = await ask(method, `/json${fill(path)}`, { headers });
        if (status !== 403 || code !== 'CSRF_FAILED') wrong.push(`${method} ${name}: ${status}`);
      }
    }
    expect(changing.length).toBeGreaterThan(80);
    expect(wrong).toEqual([]);
  }, 120_000);

  it('nor by a POST that claims to be another method', async () => {
    const wrong: string[] = [];
    for (const { method, path, name } of sessionRoutes) {
      const headers = { cookie: cookieOf() };
      const body = new URLSearchParams({ method });
      const { status, code } = await ask('POST', `/json${fill(path)}`, { headers, body });
      if (status !== 403 || code !== 'CSRF_FAILED') wrong.push(`${method} ${name}: ${status}`);
    }
    expect(wrong).toEqual([]);
  }, 120_000);

  it('works on no route that takes keys', async () => {
    const headers = { cookie: cookieOf(), 'x-csrftoken': browser.cookies.get('csrftoken') ?? '' };
    const wrong: string[] = [];
    for (const { method, path, name, allow } of chatRoutes) {
      if (allow === 'anyone') continue;
      const { status } = await ask(method, `/api/v1${fill(path)}`, { headers });
      if (status !== 401) wrong.push(`${method} ${name}: ${status}`);
    }
    expect(wrong).toEqual([]);
    for (const path of ['/v1/private/account/balances', '/v1/private/account/info']) {
      expect((await ask('GET', path, { headers })).status).toBe(401);
    }
  }, 120_000);
});

describe('a key', () => {
  it('is accepted only in its header: in a URL, a form or a cookie it does nothing', async () => {
    const key = ada.chatKey;
    for (const path of ['/api/v1/users/me', '/json/users/me', '/api/v1/messages']) {
      const query = new URLSearchParams({ api_key: key, email: ada.email }).toString();
      const cookie = `api_key=${key}; sessionid=${key}`;
      expect((await ask('GET', `${path}?${query}`)).status).toBe(401);
      expect((await ask('GET', path, { headers: { cookie } })).status).toBe(401);
    }
    const body = new URLSearchParams({ api_key: key, email: ada.email });
    expect((await ask('POST', '/api/v1/messages', { body })).status).toBe(401);
  });

  it('works on no route for sessions', async () => {
    const wrong: string[] = [];
    for (const { method, path, name } of sessionRoutes) {
      const headers = { authorization: ada.basic };
      const { status } = await ask(method, `/json${fill(path)}`, { headers });
      if (status !== 401) wrong.push(`${method} ${name}: ${status}`);
    }
    expect(wrong).toEqual([]);
  }, 120_000);

  it('is replaced with a session only if that is fresh', () => {
    const route = sessionRoutes.find(({ name }) => name === 'regenerate-api-key');
    expect(route?.stepUpOf({})).toBe('fresh');
  });
});
