// What every answer has in common: envelope, headers, HTTP status, methods, origins, faults.
import { pino } from 'pino';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPostgres } from '../../platform/engines/postgres.ts';
import { migrate } from '../../platform/db/migrate.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { TEST_MASTER_KEY } from '../../testing/context.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { exampleTrader, send, type TradingAnswer, type Trader } from '../../testing/trader.ts';
import { exampleVenue } from '../../testing/venue.ts';
import { tradingRoute } from './route.ts';

const ORIGIN = 'https://desk.example';
const CANARY = 'canary-4f1d';
const lines: string[] = [];
let server: TestServer;
let trader: Trader;

const broken = (name: string, error: () => unknown, access: 'public' | 'read' = 'public') =>
  tradingRoute({
    name,
    method: 'GET',
    path: `/${access === 'public' ? 'public' : 'private'}/test/${name}`,
    access,
    summary: 'Fails.',
    params: Type.Object({}),
    returns: Type.String(),
    async handle() {
      throw error();
    },
  });

beforeAll(async () => {
  server = await startTestServer({
    settings: {
      TRADING_RATE_LIMIT: '100000',
      TRADING_CORS_ORIGINS: `https://a.example, ${ORIGIN}`,
    },
    log: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }),
    tradingRoutes: [
      broken('throws', () => new Error(`The password is ${CANARY}`)),
      broken('foreign', () => new Refusal({ code: 'BAD_REQUEST', message: CANARY, status: 400 })),
      broken('throwsNothing', () => undefined),
      broken('throwsInside', () => new TypeError(CANARY), 'read'),
    ],
  });
  await exampleVenue(server.ctx);
  trader = await exampleTrader(server.ctx);
});
afterAll(() => server.close());

function expectCommonHeaders({ headers }: TradingAnswer): void {
  expect(headers.get('x-svc-request-id')).toMatch(/^[a-z0-9-]+$/);
  expect(headers.get('x-svc-ratelimit-limit')).toBe('100000');
  expect(headers.get('x-svc-ratelimit-window')).toBe('1000');
  expect(headers.get('x-svc-ratelimit-remaining')).toMatch(/^\d+$/);
  expect(headers.get('x-svc-ratelimit-reset')).toMatch(/^\d{13}$/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
}

function expectFailure(answer: TradingAnswer, status: number, code: string, name: string): void {
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(Object.keys(answer.body)).toEqual(['status', 'serverTime', 'result', 'error']);
  expect(answer.body).toMatchObject({
    status: 'false',
    serverTime: expect.stringMatching(/^\d{13}$/) as string,
    result: null,
    error: {
      code,
      name,
      message: expect.any(String) as string,
      details: expect.any(Object) as object,
    },
  });
  expectCommonHeaders(answer);
}

describe('paths and methods', () => {
  it.each(['/nope', '', '/', '/public/', '/public/ping/', '/Public/ping', '/private/x', '/%zz'])(
    'the unknown path %j answers 404, error 1004 [T002]',
    async (path) => expectFailure(await send(server.baseUrl + path), 404, '1004', 'NOT_FOUND'),
  );

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'])(
    'a known path with %s answers 405, error 1005, and says what is allowed [T052]',
    async (method) => {
      const body =
        method === 'POST' ? { body: 'x', headers: { 'Content-Type': 'text/plain' } } : {};
      const answer = await send(`${server.baseUrl}/public/ping`, { method, ...body });
      expectFailure(answer, 405, '1005', 'METHOD_NOT_ALLOWED');
      expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    },
  );

  it('HEAD answers as GET does, without a body', async () => {
    for (const path of ['/public/swagger', '/public/exchange_info', '/public/orderbook', '/nope']) {
      const get = await send(server.baseUrl + path);
      const head = await send(server.baseUrl + path, { method: 'HEAD' });
      expect(head.status).toBe(get.status);
      expect(head.text).toBe('');
      for (const name of ['content-type', 'content-length', 'cache-control']) {
        expect(head.headers.get(name), `${path} ${name}`).toBe(get.headers.get(name));
      }
    }
  });

  it('a body on GET is refused [T052]', async () => {
    const { request } = await import('node:http');
    const answer = await new Promise<string>((resolve, reject) => {
      const sent = request(`${server.baseUrl}/public/ping`, { method: 'GET' }, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => resolve(text));
      });
      sent.on('error', reject);
      sent.setHeader('Content-Length', '2');
      sent.end('{}');
    });
    expect(answer).toContain('"code":"2008"');
  });
});

describe('success', () => {
  it('has the three keys and nothing else [T006] [T008] [T009] [T010]', async () => {
    for (const path of ['ping', 'time', 'exchange_info', 'coins_info', 'fees']) {
      const answer = await send(`${server.baseUrl}/public/${path}`);
      expect(Object.keys(answer.body)).toEqual(['status', 'serverTime', 'result']);
      expect(answer.body.status).toBe('true');
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expectCommonHeaders(answer);
    }
  });

  it('every request has its own id', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () =>
        (await send(`${server.baseUrl}/public/ping`)).headers.get('x-svc-request-id'),
      ),
    );
    expect(new Set(ids).size).toBe(20);
  });
});

describe('browsers', () => {
  const allowed = (answer: TradingAnswer) => answer.headers.get('access-control-allow-origin');
  const headers = { Origin: 'https://anywhere.example' };

  it('any page may read public endpoints, and errors', async () => {
    expect(allowed(await send(`${server.baseUrl}/public/ping`, { headers }))).toBe('*');
    expect(allowed(await send(`${server.baseUrl}/nope`, { headers }))).toBe('*');
  });

  it('only configured pages may read private ones', async () => {
    const url = `${server.baseUrl}/private/account/info`;
    const configured = await trader.call(url, { headers: { Origin: ORIGIN } });
    expect(allowed(configured)).toBe(ORIGIN);
    expect(configured.headers.get('vary')).toBe('Origin');
    expect(configured.headers.get('access-control-expose-headers')).toContain('X-SVC-REQUEST-ID');
    expect(allowed(await trader.call(url, { headers }))).toBeNull();
    expect(allowed(await trader.call(url))).toBeNull();
  });

  it('OPTIONS answers the preflight', async () => {
    const preflight = (path: string, origin: string) =>
      send(server.baseUrl + path, {
        method: 'OPTIONS',
        headers: { Origin: origin, 'Access-Control-Request-Method': 'GET' },
      });
    const open = await preflight('/public/ping', 'https://anywhere.example');
    expect(open.status).toBe(204);
    expect(open.text).toBe('');
    expect(open.headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS');
    expect(open.headers.get('access-control-allow-headers')).toContain('X-SVC-APIKEY');
    expect(allowed(open)).toBe('*');
    expectCommonHeaders(open);
    expect(allowed(await preflight('/private/account/info', ORIGIN))).toBe(ORIGIN);
    expect(allowed(await preflight('/private/account/info', 'https://x.example'))).toBeNull();
    expectFailure(await preflight('/nope', ORIGIN), 404, '1004', 'NOT_FOUND');
  });
});

describe('faults', () => {
  it.each(['throws', 'foreign', 'throwsNothing'])(
    'an unexpected fault (%s) answers 1000 and reveals only the id',
    async (name) => {
      const answer = await send(`${server.baseUrl}/public/test/${name}`);
      expectFailure(answer, 500, '1000', 'INTERNAL');
      expect(answer.text).not.toContain(CANARY);
      const id = answer.headers.get('x-svc-request-id') ?? '';
      expect(answer.body.error?.message).toContain(id);
      expect(lines.some((line) => line.includes(id) && line.includes('unexpectedly'))).toBe(true);
    },
  );

  it('the same behind a signature', async () => {
    const answer = await trader.call(`${server.baseUrl}/private/test/throwsInside`);
    expectFailure(answer, 500, '1000', 'INTERNAL');
    expect(answer.text).not.toContain(CANARY);
  });

  it('no secret is ever logged or answered', async () => {
    const url = `${server.baseUrl}/private/account/balances`;
    const { query, headers } = trader.prepare();
    const answers = [
      await send(`${url}?${query}`, { headers }),
      await send(`${url}?${query}&x=1`, { headers }),
      await send(`${url}?${query}`, { headers: { ...headers, 'X-SVC-SIGNATURE': trader.secret } }),
      await send(`${url}?${query}`, { headers: { ...headers, 'X-SVC-APIKEY': trader.secret } }),
      await trader.call(`${server.baseUrl}/private/test/throwsInside`),
      await trader.call(`${server.baseUrl}/private/account/info`),
      await send(`${server.baseUrl}/public/swagger`, { headers }),
    ];
    const everything = [...lines, ...answers.map(({ text }) => text)].join('\n');
    for (const secret of [
      trader.secret,
      trader.secret.replace('svc_secret_', ''),
      headers['X-SVC-SIGNATURE'] ?? '',
      TEST_MASTER_KEY,
    ]) {
      expect(secret.length).toBeGreaterThan(20);
      expect(everything).not.toContain(secret);
    }
  });
});

it('without its database the service answers 1001, and recovers when it is back', async () => {
  const postgres = await startPostgres();
  let alone: TestServer | undefined;
  try {
    await migrate(postgres.ownerUrl, postgres.serverUrl);
    alone = await startTestServer({
      databaseUrl: postgres.serverUrl,
      settings: { TRADING_RATE_LIMIT: '100000', LOG_LEVEL: 'silent' },
    });
    await exampleVenue(alone.ctx);
    const caller = await exampleTrader(alone.ctx);
    const { baseUrl } = alone;
    const markets = () => send(`${baseUrl}/public/exchange_info`);
    const info = () => caller.call(`${baseUrl}/private/account/info`);
    expect((await info()).status).toBe(200);
    await postgres.stop('immediate');
    for (const answer of [await markets(), await info(), await info()]) {
      expectFailure(answer, 503, '1001', 'UNAVAILABLE');
    }
    expect((await send(`${baseUrl}/public/ping`)).status).toBe(200);
    await postgres.restart();
    await expect.poll(async () => (await info()).status, { timeout: 10_000 }).toBe(200);
    expect((await markets()).status).toBe(200);
  } finally {
    await alone?.close();
    await postgres.remove();
  }
});
