// Every error answer of both APIs, by every door, leads to its entry in the catalogue.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { findError } from '../../../trading/http/errors.ts';
import { CHAT_ERRORS } from './chat.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

interface Refused {
  readonly code?: string;
  readonly error?: { readonly code: string };
}

const REFUSED: readonly (readonly [method: string, path: string, code: string])[] = [
  ['GET', '/v1/nowhere', '1004'],
  ['POST', '/v1/public/ping', '1005'],
  ['GET', '/v1/public/orderbook', '2001'],
  ['GET', '/v1/public/depth?symbol=nothing', '4001'],
  ['GET', '/v1/private/account/info', '3001'],
  ['POST', '/v1/private/order/create', '3001'],
  ['GET', '/json/v1/private/account/info', '3012'],
  ['GET', '/json/v1/admin/pending', '3012'],
  ['GET', '/api/v1/nowhere', 'BAD_REQUEST'],
  ['GET', '/api/v1/users/me', 'UNAUTHORIZED'],
  ['PUT', '/api/v1/server_settings', 'BAD_REQUEST'],
  ['POST', '/api/v1/fetch_api_key', 'BAD_REQUEST'],
  ['GET', '/json/users/me', 'UNAUTHORIZED'],
];

describe('an error answer', () => {
  it.each(REFUSED)('to %s %s links to the entry of %s', async (method, path, code) => {
    const response = await fetch(`${server.origin}${path}`, { method });
    const body = (await response.json()) as Refused;
    expect(body.error?.code ?? body.code).toBe(code);
    expect(response.headers.get('link')).toBe(`</docs/errors/${code}/>; rel="help"`);
    expect(findError(code) !== undefined || code in CHAT_ERRORS).toBe(true);
  });

  it('of the sign-in form links for programs too', async () => {
    const response = await fetch(`${server.origin}/accounts/login/`, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: new URLSearchParams({ username: 'nobody', password: 'nothing' }),
    });
    const { code = '' } = (await response.json()) as Refused;
    expect(code in CHAT_ERRORS).toBe(true);
    expect(response.headers.get('link')).toBe(`</docs/errors/${code}/>; rel="help"`);
  });

  it('can be followed by a page of another site', async () => {
    const response = await fetch(`${server.origin}/v1/public/depth?symbol=nothing`, {
      headers: { origin: 'https://desk.example' },
    });
    expect(response.headers.get('access-control-expose-headers')).toContain('Link');
  });

  it('leads to a page with cause and cure', async () => {
    for (const code of ['3004', 'BAD_EVENT_QUEUE_ID']) {
      const response = await fetch(`${server.origin}/docs/errors/${code}/`);
      expect(response.status, code).toBe(200);
      expect(await response.text(), code).toContain('Cure');
    }
    // The first page of a server is built with all others.
  }, 120_000);

  it('has no link when it is a success', async () => {
    const response = await fetch(`${server.origin}/v1/public/ping`);
    expect(response.headers.get('link')).toBeNull();
  });
});
