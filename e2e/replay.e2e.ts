// A captured signature cannot be reused for writes: not for another request, not twice, not after a
// kill, not after a flush. Reads may share one.
import { fileURLToPath } from 'node:url';
import { createClient } from 'redis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startDeployment, type TestDeployment } from '../server/src/testing/deployment.ts';
import { exampleTrader, send, type Trader } from '../server/src/testing/trader.ts';
import { exampleVenue } from '../server/src/testing/venue.ts';
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
  const start = (roles: string) => startRialtoProcess(roles, deployment.environment, [SCRIPT]);
  await exampleVenue(deployment.ctx);
  // Reads of orders and balances ask the engine, which runs in the process that is never killed.
  servers = [await start('api'), await start('api,engine,relay,worker')];
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

/** One signature, to be sent as often as an attacker likes. */
function capture(what: string) {
  const { query, headers } = trader.prepare({ params: { what, recvWindow: '60000' } });
  return (server: RialtoProcess, path = '/private/test/act', method = 'POST') =>
    send(`${server.origin}/v1${path}?${query}`, { method, headers });
}

function captureRead() {
  const { query, headers } = trader.prepare({ params: { recvWindow: '60000' } });
  return (server: RialtoProcess, path: string, method = 'GET') =>
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

it('after SIGKILL and restart a write’s signature is still spent, and a read’s still only reads', async () => {
  const ofWrite = capture('restart');
  const ofRead = captureRead();
  expect((await ofWrite(servers[0])).status).toBe(200);
  expect((await ofRead(servers[0], '/private/account/info')).status).toBe(200);
  servers[0].kill('SIGKILL');
  await servers[0].restart();
  for (const server of servers) {
    expect((await ofWrite(server)).body.error?.code).toBe('3007');
    expect((await ofRead(server, '/private/test/act', 'POST')).body.error?.code).toBe('3007');
    expect((await ofRead(server, '/private/account/fees')).status).toBe(200);
  }
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
    // Refused if the claim had been committed; otherwise nothing had been done, and it is done now.
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

it('a captured signature of a write is refused on another method or path', async () => {
  const write = capture('elsewhere');
  expect((await write(servers[0])).status).toBe(200);
  expect((await write(servers[1], '/private/account/info', 'GET')).body.error?.code).toBe('3007');
  expect((await write(servers[1], '/private/order/test')).body.error?.code).toBe('3007');
  expect(await timesActed('elsewhere')).toBe(1);
});

const READS = [
  '/private/account/info',
  '/private/account/balances',
  '/private/account/fees',
  '/private/account/ledger',
  '/private/account/rate_limits',
  '/private/order/open',
  '/private/order/history',
  '/private/order/trades',
];
const WRITES: readonly [method: string, path: string][] = [
  ['POST', '/private/test/act'],
  ['POST', '/private/order/create'],
  ['POST', '/private/order/cancel_all_after'],
  ['DELETE', '/private/order/cancel_all'],
];

it('two hundred reads of one millisecond are all answered, and their signature opens no write', async () => {
  const ask = captureRead();
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      ask(servers[index % 2] as RialtoProcess, READS[(index >> 1) % READS.length] as string),
    ),
  );
  expect(answers.filter(({ status }) => status !== 200).map(({ text }) => text)).toEqual([]);
  for (const server of servers) {
    for (const [method, path] of WRITES) {
      expect((await ask(server, path, method)).body.error?.code, path).toBe('3007');
    }
  }
});

it('reads and a write race for one signature: the reads are answered, or the write acts once', async () => {
  for (let round = 0; round < 5; round += 1) {
    const what = `race ${round}`;
    const replay = capture(what);
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const server = servers[index % 2] as RialtoProcess;
        const isRead = (index + round) % 4 < 2;
        // The read does not know the parameter, but says so only after its signature was accepted.
        const { body } = await (isRead
          ? replay(server, '/private/account/info', 'GET')
          : replay(server));
        return { isRead, code: body.error?.code ?? 'done' };
      }),
    );
    const acted = await timesActed(what);
    const taken = answers.filter(({ code }) => code !== '3007');
    expect(taken.every(({ isRead, code }) => code === (isRead ? '2004' : 'done'))).toBe(true);
    if (taken[0]?.isRead === true) expect(acted).toBe(0);
    else expect([acted, taken.length]).toEqual([1, 1]);
    expect(taken.length).toBe(acted === 1 ? 1 : 10);
  }
});
