// The caller's address from a header: it is trusted from a proxy that the operator named, and from nobody else.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sendRaw } from '../../testing/raw-http.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { exampleTrader, type Trader } from '../../testing/trader.ts';

const PROXY = '127.3.0.1';
const STRANGER = '127.3.0.2';
const HOME = '203.0.113.7';

let server: TestServer;
let trader: Trader;

beforeAll(async () => {
  server = await startTestServer({
    settings: { TRUSTED_PROXIES: `${PROXY},127.3.1.0/24`, CHAT_RATE_LIMIT_ANONYMOUS: '3' },
  });
  trader = await exampleTrader(server.ctx, { ipAllowlist: ['203.0.113.0/24'] });
});
afterAll(() => server.close());

/** A request from one of this machine's addresses, with whatever it claims. */
async function ask(path: string, from: string, headers: Record<string, string>) {
  const lines = Object.entries({ Host: 'rialto.test', Connection: 'close', ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return sendRaw(server.origin, [`GET ${path} HTTP/1.1\r\n${head}\r\n`], { localAddress: from });
}

async function useKey(from: string, forwarded: Record<string, string>): Promise<string> {
  const { query, headers } = trader.prepare();
  const path = `/v1/private/account/info?${query}`;
  const { status, text } = await ask(path, from, { ...headers, ...forwarded });
  return status === 200 ? 'accepted' : (/"name":"(\w+)"/.exec(text)?.[1] ?? text);
}

it('a key restricted to an address works through a proxy from there, and for nobody who only claims it', async () => {
  expect(await useKey(PROXY, { 'X-Forwarded-For': HOME })).toBe('accepted');
  expect(await useKey('127.3.1.9', { 'X-Forwarded-For': `${HOME}, ${PROXY}` })).toBe('accepted');
  const forged: Record<string, string>[] = [
    { 'X-Forwarded-For': HOME },
    { 'X-Forwarded-For': `${HOME}, ${PROXY}` },
    {
      'X-Forwarded-For': HOME,
      Forwarded: `for=${HOME}`,
      'X-Real-IP': HOME,
      'True-Client-IP': HOME,
    },
    { 'x-forwarded-for': HOME, 'Client-IP': HOME, 'X-Client-IP': HOME, 'CF-Connecting-IP': HOME },
  ];
  for (const headers of forged) {
    expect([headers, await useKey(STRANGER, headers)]).toEqual([headers, 'ADDRESS_NOT_ALLOWED']);
  }
  // The client's own entry stands before what the proxy saw.
  expect(await useKey(PROXY, { 'X-Forwarded-For': `${HOME}, 198.51.100.4` })).toBe(
    'ADDRESS_NOT_ALLOWED',
  );
  expect(await useKey(PROXY, {})).toBe('ADDRESS_NOT_ALLOWED');
});

it('limits by address cannot be evaded with a header, and apply to each caller behind a proxy', async () => {
  const statuses = async (from: string, claim: (index: number) => string) => {
    const all: number[] = [];
    for (let index = 0; index < 5; index += 1) {
      const headers = { 'X-Forwarded-For': claim(index) };
      all.push((await ask('/api/v1/server_settings', from, headers)).status);
    }
    return all;
  };
  expect(await statuses('127.3.0.9', (index) => `198.51.100.${index}`)).toEqual([
    200, 200, 200, 429, 429,
  ]);
  expect(await statuses(PROXY, (index) => `6.6.6.${index}, 198.51.100.77`)).toEqual([
    200, 200, 200, 429, 429,
  ]);
  expect(await statuses(PROXY, (index) => `198.51.100.${100 + index}`)).toEqual([
    200, 200, 200, 200, 200,
  ]);
});
