// A captured signature is worth nothing: not elsewhere, not twice, not after a kill, not after a flush.
import { fileURLToPath } from 'node:url';
import { createClient } from 'redis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startDeployment, type TestDeployment } from '../server/src/testing/deployment.ts';
import { exampleTrader, send, type Trader } from '../server/src/testing/trader.ts';
import { startRialtoProcess, type RialtoProcess } from '../server/src/testing/rialto-process.ts';

const SCRIPT = fileURLToPath(new URL('acting-server.ts', import.meta.url));

let deployment: TestDeployment;
let servers: [RialtoProcess, RialtoProcess];
let trader: Trader;

beforeAll(async () => {
  deployment = await startDeployment({ TRADING_RATE_LIMIT: '100000' });
  await deployment.owner.query(
    'CREATE TABLE acts (what text NOT NULL); GRANT SELECT, INSERT ON acts TO rialto_server',
  );
  const start = () => startRialtoProcess('api', deployment.environment, [SCRIPT]);
  servers = [await start(), await start()];
  trader = await exampleTrader(deployment.ctx);
});
afterAll(async () => {
  for (const server of servers) {
    server.kill('SIGKILL');
  }
  await deployment.close();
});

const timesActed = async (what: string): Promise<number> => {
  const { rows } = await deployment.ctx.database.pool.query<{ count: bigint }>(
    'SELECT count(*) FROM acts WHERE what = $1',
    [what],
  );
  return Number(rows[0]?.count);
};

/** One signature, to be sent as often as a thief likes. */
function capture(what: string) {
  const { query, headers } = trader.prepare({ params: { what, recvWindow: '60000' } });
  return (server: RialtoProcess, path = '/private/test/act', method = 'POST') =>
    send(`${server.origin}/v1${path}?${query}`, { method, headers });
}

it('one hundred copies at once, over two processes, act once', async () => {
  const replay = capture('parallel');
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) => replay(servers[index % 2] as RialtoProcess)),
  );
  const accepted = answers.filter(({ status }) => status === 200);
  expect(accepted).toHaveLength(1);
  expect(answers.filter(({ body }) => body.error?.code === '3007')).toHaveLength(99);
  expect(await timesActed('parallel')).toBe(1);
});

it('after SIGKILL and restart the signature is still spent', async () => {
  const replay = capture('restart');
  expect((await replay(servers[0])).status).toBe(200);
  servers[0].kill('SIGKILL');
  await servers[0].restart();
  for (const server of servers) expect((await replay(server)).body.error?.code).toBe('3007');
  expect(await timesActed('restart')).toBe(1);
});

it('killed while acting, it acted at most once, and is spent either way', async () => {
  for (let round = 0; round < 5; round += 1) {
    const what = `killed ${round}`;
    const replay = capture(what);
    const cut = replay(servers[0]).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 10 * round));
    servers[0].kill('SIGKILL');
    await cut;
    await servers[0].restart();
    const again = await replay(servers[1]);
    const acted = await timesActed(what);
    expect(acted).toBeLessThanOrEqual(1);
    // Refused if the claim had been committed; otherwise nothing had been done, and now it is.
    if (again.status === 200) expect(acted).toBe(1);
    else expect(again.body.error?.code).toBe('3007');
  }
});

it('after FLUSHALL the signature is still spent', async () => {
  const replay = capture('flush');
  expect((await replay(servers[0])).status).toBe(200);
  const redis = createClient({ url: deployment.environment['REDIS_URL'] as string });
  await redis.connect();
  await redis.flushAll();
  redis.destroy();
  for (const server of servers) expect((await replay(server)).body.error?.code).toBe('3007');
  expect(await timesActed('flush')).toBe(1);
});

it('a captured signature, of a read or a write, is refused on another method or path', async () => {
  const write = capture('elsewhere');
  expect((await write(servers[0])).status).toBe(200);
  expect((await write(servers[1], '/private/account/info', 'GET')).body.error?.code).toBe('3007');
  const { query, headers } = trader.prepare({ params: { what: 'read' } });
  const read = (path: string, method: string) =>
    send(`${servers[1].origin}/v1${path}?${query}`, { method, headers });
  // The read does not know this parameter, but its signature was accepted, and so it is spent.
  expect((await read('/private/account/balances', 'GET')).body.error?.code).toBe('2004');
  expect((await read('/private/test/act', 'POST')).body.error?.code).toBe('3007');
  expect((await read('/private/account/info', 'GET')).body.error?.code).toBe('3007');
  expect(await timesActed('read')).toBe(0);
});
