// The global limit, over HTTP. `serverTime` of an admitted answer is the time of its admission, so
// the answers alone show whether any second held more requests than allowed.
import { Agent, get as httpGet } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { clusterSettings } from '../../testing/context.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../../testing/server.ts';
import { exampleTrader, send } from '../../testing/trader.ts';

const servers: TestServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0).reverse()) await server.close();
});
async function start(options: TestServerOptions = {}): Promise<TestServer> {
  const server = await startTestServer(options);
  servers.push(server);
  return server;
}

const agent = new Agent({ keepAlive: true, maxSockets: 200 });

/** Whether a request was admitted, and when that was decided. */
interface Decision {
  readonly isAdmitted: boolean;
  readonly atMs: number;
}

function ping(baseUrl: string): Promise<Decision> {
  return new Promise((resolve, reject) => {
    httpGet(`${baseUrl}/public/ping`, { agent }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => {
        const { serverTime } = JSON.parse(text) as { serverTime: string };
        resolve({ isAdmitted: response.statusCode === 200, atMs: Number(serverTime) });
      });
    }).on('error', reject);
  });
}

const BURSTS_MS = 10_000;

/** How often a process has decided alone, because Redis was too late. Such decisions come on top of the limit. */
async function countAlone(all: readonly TestServer[]): Promise<number> {
  const texts = await Promise.all(all.map(({ ctx }) => ctx.metrics.render()));
  return texts.reduce((sum, { body }) => {
    const count = /^rialto_windows_fallback_total\S* (\d+)$/m.exec(body)?.[1];
    if (count === undefined) throw new Error('No metric counts what was decided alone.');
    return sum + Number(count);
  }, 0);
}

/**
 * Sends bursts of 40 at random phases; checks every window and every burst after a quiet second. What a process decided
 * alone, as on a machine that is too busy, belongs to no window.
 */
async function expectTenInAnySecond(...all: readonly TestServer[]): Promise<void> {
  const stretches: number[][] = [[]];
  let [burstsAfterQuiet, admittedInAll, lastMs] = [0, 0, 0];
  let alone = await countAlone(all);
  const endMs = performance.now() + BURSTS_MS;
  while (performance.now() < endMs) {
    const decisions = await Promise.all(
      Array.from({ length: 40 }, (_, index) => ping(all[index % all.length]?.baseUrl ?? '')),
    );
    decisions.sort((a, b) => a.atMs - b.atMs);
    const times = decisions.filter(({ isAdmitted }) => isAdmitted).map(({ atMs }) => atMs);
    const startedMs = decisions[0]?.atMs ?? 0;
    const spanMs = (decisions.at(-1)?.atMs ?? 0) - startedMs;
    const isQuiet = startedMs - lastMs > 1002;
    lastMs = times.at(-1) ?? lastMs;
    admittedInAll += times.length;
    const now = await countAlone(all);
    if (now > alone) {
      alone = now;
      stretches.push([]);
    } else {
      // A burst that itself takes as long as a window may rightly have more admitted.
      if (isQuiet && spanMs < 1000) {
        burstsAfterQuiet += 1;
        expect(times).toHaveLength(10);
      }
      stretches.at(-1)?.push(...times);
    }
    await delay(Math.random() < 0.3 ? 1010 + Math.random() * 400 : Math.random() * 600);
  }
  for (const admitted of stretches) {
    admitted.sort((a, b) => a - b);
    for (let index = 10; index < admitted.length; index += 1) {
      const spanMs = (admitted[index] ?? 0) - (admitted[index - 10] ?? 0);
      // Eleven admissions never lie within 1,000 ms.
      expect(spanMs, `around ${admitted[index]}`).toBeGreaterThanOrEqual(1000);
    }
  }
  expect(burstsAfterQuiet).toBeGreaterThan(1);
  // And the limit is not too strict: more than half of the windows were full.
  expect(admittedInAll).toBeGreaterThan((BURSTS_MS / 1000) * 5);
}

describe('ten requests in any second', () => {
  it('with one process, whatever the phase of the bursts [T075]', async () => {
    await expectTenInAnySecond(await start());
  });

  it('with three processes that share Redis [T075]', async () => {
    const first = await start({ settings: clusterSettings() });
    const { databaseUrl } = first;
    const second = await start({ settings: clusterSettings(), databaseUrl });
    const third = await start({ settings: clusterSettings(), databaseUrl });
    await expectTenInAnySecond(first, second, third);
  });

  it('to the fraction of a millisecond [T075]', async () => {
    let nowMs = 1_760_000_000_000.25;
    const { baseUrl } = await start({ clock: { now: () => nowMs } });
    const status = async () => (await send(`${baseUrl}/public/ping`)).status;
    for (let count = 0; count < 10; count += 1) expect(await status()).toBe(200);
    expect(await status()).toBe(429);
    nowMs += 1000;
    expect(await status()).toBe(429);
    nowMs += 0.01;
    for (let count = 0; count < 10; count += 1) expect(await status()).toBe(200);
    expect(await status()).toBe(429);
  });

  it('over all endpoints together: errors, unknown paths, wrong methods and preflights count too [T075]', async () => {
    let nowMs = 1_760_000_000_000;
    const { baseUrl } = await start({ clock: { now: () => nowMs } });
    const requests: [string, string][] = [
      ['GET', '/public/ping'],
      ['GET', '/public/swagger'],
      ['HEAD', '/public/time'],
      ['GET', '/public/orderbook'],
      ['GET', '/nope'],
      ['POST', '/public/ping'],
      ['OPTIONS', '/public/ping'],
      ['GET', '/private/account/info'],
      ['GET', '/public/exchange_info?symbol=none'],
      ['GET', '/public/coins_info'],
    ];
    for (const [index, [method, path]] of requests.entries()) {
      const { status, headers } = await send(baseUrl + path, { method });
      expect(status, path).not.toBe(429);
      expect(headers.get('x-svc-ratelimit-remaining')).toBe(String(9 - index));
    }
    for (const [method, path] of requests) {
      expect((await send(baseUrl + path, { method })).status).toBe(429);
    }
    nowMs += 1001;
    expect((await send(`${baseUrl}/public/ping`)).status).toBe(200);
  });
});

describe('a refusal', () => {
  it('says how long to wait, and the headers say the same [T075]', async () => {
    let nowMs = 1_760_000_000_000;
    const { baseUrl } = await start({ clock: { now: () => nowMs } });
    for (let count = 0; count < 10; count += 1) await send(`${baseUrl}/public/ping`);
    nowMs += 400.5;
    const { status, headers, body } = await send(`${baseUrl}/public/swagger`);
    expect(status).toBe(429);
    expect(headers.get('retry-after')).toBe('1');
    expect(headers.get('x-svc-ratelimit-limit')).toBe('10');
    expect(headers.get('x-svc-ratelimit-window')).toBe('1000');
    expect(headers.get('x-svc-ratelimit-remaining')).toBe('0');
    expect(headers.get('x-svc-ratelimit-reset')).toBe('1760000001000');
    expect(body).toEqual({
      status: 'false',
      serverTime: '1760000000400',
      result: null,
      error: {
        code: '6001',
        name: 'RATE_LIMITED',
        message: 'More than 10 requests in one second.',
        details: { scope: 'address', limit: '10', windowMs: '1000', retryAfterMs: '600' },
      },
    });
  });

  it('leaves no trace: however many there are, the next second has its ten', async () => {
    const { baseUrl } = await start();
    const startedMs = performance.now();
    let admitted = 0;
    while (performance.now() - startedMs < 3000) {
      if ((await ping(baseUrl)).isAdmitted) admitted += 1;
    }
    expect(admitted).toBeGreaterThanOrEqual(28);
    expect(admitted).toBeLessThanOrEqual(40);
  });
});

describe('callers', () => {
  const from = (address: string) => ({ 'X-Forwarded-For': address });

  it('are addresses; an IPv6 /64 is one', async () => {
    const { baseUrl } = await start({
      clock: { now: () => 1_760_000_000_000 },
      settings: { TRUSTED_PROXIES: '127.0.0.1', TRADING_RATE_LIMIT: '2' },
    });
    const status = async (address: string) =>
      (await send(`${baseUrl}/public/ping`, { headers: from(address) })).status;
    expect(await status('203.0.113.1')).toBe(200);
    expect(await status('203.0.113.1')).toBe(200);
    expect(await status('203.0.113.1')).toBe(429);
    expect(await status('203.0.113.2')).toBe(200);
    expect(await status('2001:db8:1:2::1')).toBe(200);
    expect(await status('2001:db8:1:2:ffff::9')).toBe(200);
    expect(await status('2001:db8:1:2::3')).toBe(429);
    expect(await status('2001:db8:1:3::3')).toBe(200);
  });

  it('cannot change their identity with a header when no proxy is trusted', async () => {
    const { baseUrl } = await start({
      clock: { now: () => 1_760_000_000_000 },
      settings: { TRADING_RATE_LIMIT: '2' },
    });
    const statuses: number[] = [];
    for (const last of [1, 2, 3]) {
      const headers = from(`203.0.113.${last}`);
      statuses.push((await send(`${baseUrl}/public/ping`, { headers })).status);
    }
    expect(statuses).toEqual([200, 200, 429]);
  });

  it.each([
    ['one process', () => ({})],
    ['Redis', clusterSettings],
  ])(
    'are accounts as well, over all keys and addresses; a refusal by account costs the address nothing (%s) [T075]',
    async (_name, settings) => {
      // A long window, so that the test's own duration does not matter.
      const { baseUrl, ctx } = await start({
        settings: {
          ...settings(),
          TRUSTED_PROXIES: '127.0.0.1',
          TRADING_RATE_LIMIT: '4',
          TRADING_RATE_WINDOW_MS: '60000',
        },
      });
      const first = await exampleTrader(ctx);
      const second = await exampleTrader(ctx, { userId: first.userId });
      const info = `${baseUrl}/private/account/info`;
      const headers = from('203.0.113.1');
      for (const trader of [first, second, first, second]) {
        const answer = await trader.call(info, { headers });
        expect(answer.status).toBe(200);
      }
      const other = from('203.0.113.2');
      for (let count = 0; count < 3; count += 1) {
        const refused = await first.call(info, { headers: other });
        expect(refused.status).toBe(429);
        expect(refused.body.error?.details).toMatchObject({ scope: 'account', limit: '4' });
        expect(refused.headers.get('x-svc-ratelimit-remaining')).toBe('0');
      }
      // The address has all of its four left.
      for (let count = 0; count < 4; count += 1) {
        expect((await send(`${baseUrl}/public/ping`, { headers: other })).status).toBe(200);
      }
      expect((await send(`${baseUrl}/public/ping`, { headers: other })).status).toBe(429);
    },
  );

  it('get the stricter of both windows', async () => {
    const { baseUrl, ctx } = await start({
      clock: { now: () => 1_760_000_000_000 },
      settings: { TRUSTED_PROXIES: '127.0.0.1' },
    });
    const trader = await exampleTrader(ctx);
    const call = (address: string, atMs: number) =>
      trader.call(`${baseUrl}/private/account/info`, { headers: from(address), atMs });
    const remaining = async (address: string, atMs: number) =>
      (await call(address, atMs)).headers.get('x-svc-ratelimit-remaining');
    expect(await remaining('203.0.113.1', 1_759_999_999_001)).toBe('9');
    expect(await remaining('203.0.113.2', 1_759_999_999_002)).toBe('8');
    await send(`${baseUrl}/public/ping`, { headers: from('203.0.113.3') });
    await send(`${baseUrl}/public/ping`, { headers: from('203.0.113.3') });
    await send(`${baseUrl}/public/ping`, { headers: from('203.0.113.3') });
    expect(await remaining('203.0.113.3', 1_759_999_999_003)).toBe('6');
  });

  it('the value in force is configuration, and the headers state it', async () => {
    const { baseUrl } = await start({
      settings: { TRADING_RATE_LIMIT: '3', TRADING_RATE_WINDOW_MS: '2000' },
    });
    const { headers } = await send(`${baseUrl}/public/ping`);
    expect(headers.get('x-svc-ratelimit-limit')).toBe('3');
    expect(headers.get('x-svc-ratelimit-window')).toBe('2000');
    expect(headers.get('x-svc-ratelimit-remaining')).toBe('2');
  });
});
