// A signed write acts once: no matter who repeats it, how often, over any process, and whatever was
// restarted or wiped in between.
import { Type } from 'typebox';
import { createClient } from 'redis';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { PrivateServer } from '../../platform/engines/engine.ts';
import { startRedis } from '../../platform/engines/redis.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { exampleTrader, send, type Trader } from '../../testing/trader.ts';
import { tradingRoute } from '../../trading/http/route.ts';

let redis: PrivateServer;
let first: TestServer;
let second: TestServer;
let trader: Trader;

/** A write that leaves a row each time it acts. */
const act = tradingRoute({
  name: 'testAct',
  method: 'POST',
  path: '/private/test/act',
  access: 'trade',
  audit: { none: 'own orders' },
  summary: 'Acts.',
  params: Type.Object({ what: Type.String() }),
  returns: Type.String(),
  async handle(ctx, _caller, { what }) {
    await ctx.database.pool.query('INSERT INTO acts (what) VALUES ($1)', [what]);
    return 'done';
  },
});

const start = (databaseUrl?: string) =>
  startTestServer({
    settings: {
      NATS_URL: inject('natsUrl'),
      REDIS_URL: redis.url,
      TRADING_RATE_LIMIT: '100000',
    },
    tradingRoutes: [act],
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
  });

beforeAll(async () => {
  // A separate Redis, since one test wipes it.
  redis = await startRedis();
  first = await start();
  await first.owner.query(
    'CREATE TABLE acts (what text NOT NULL); GRANT SELECT, INSERT ON acts TO rialto_server',
  );
  second = await start(first.databaseUrl);
  trader = await exampleTrader(first.ctx);
});
afterAll(async () => {
  await second.close();
  await first.close();
  await redis.remove();
});

const timesActed = async (what: string) => {
  const { rows } = await first.ctx.database.pool.query<{ count: bigint }>(
    'SELECT count(*) FROM acts WHERE what = $1',
    [what],
  );
  return Number(rows[0]?.count);
};

const prepare = (what: string) => {
  const { query, headers } = trader.prepare({ params: { what, recvWindow: '60000' } });
  return (server: TestServer) =>
    send(`${server.baseUrl}/private/test/act?${query}`, { method: 'POST', headers });
};

describe('a signed write', () => {
  it('sent a hundred times at once over two processes acts once', async () => {
    for (const what of ['race 1', 'race 2', 'race 3']) {
      const sendTo = prepare(what);
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, index) => sendTo(index % 2 === 0 ? first : second)),
      );
      const codes = answers.map(({ body }) => body.error?.code ?? 'done').sort();
      expect(codes).toEqual([...Array.from({ length: 99 }, () => '3007'), 'done']);
      expect(await timesActed(what)).toBe(1);
    }
  });

  it('sent again after a restart is refused', async () => {
    const sendTo = prepare('restart');
    expect((await sendTo(second)).status).toBe(200);
    await second.close();
    second = await start(first.databaseUrl);
    expect((await sendTo(second)).body.error?.code).toBe('3007');
    expect((await sendTo(first)).body.error?.code).toBe('3007');
    expect(await timesActed('restart')).toBe(1);
  });

  it('sent again after Redis was wiped is refused', async () => {
    const sendTo = prepare('flush');
    expect((await sendTo(first)).status).toBe(200);
    const client = createClient({ url: redis.url });
    await client.connect();
    await client.flushAll();
    client.destroy();
    expect((await sendTo(first)).body.error?.code).toBe('3007');
    expect((await sendTo(second)).body.error?.code).toBe('3007');
    expect(await timesActed('flush')).toBe(1);
  });

  it('captured from a read does not act, and further reads may use it', async () => {
    const { query, headers } = trader.prepare({ params: { recvWindow: '60000' } });
    const read = (server: TestServer, path: string) =>
      send(`${server.baseUrl}/private/account/${path}?${query}`, { headers });
    expect((await read(first, 'info')).status).toBe(200);
    const asWrite = await send(`${second.baseUrl}/private/test/act?${query}`, {
      method: 'POST',
      headers,
    });
    expect(asWrite.body.error?.code).toBe('3007');
    expect((await read(second, 'fees')).status).toBe(200);
    expect((await read(second, 'info')).status).toBe(200);
  });
});
