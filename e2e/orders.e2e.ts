// Money and client ids under load, over real processes: one balance cannot be spent twice, and one
// client id is one order: concurrently, after a kill, and long after the engine has forgotten it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDeployment, type TestDeployment } from '../server/src/testing/deployment.ts';
import { liveVenue, type LiveVenue } from '../server/src/testing/live-venue.ts';
import { startRialtoProcess, type RialtoProcess } from '../server/src/testing/rialto-process.ts';
import { send, type Trader, type TradingAnswer } from '../server/src/testing/trader.ts';
import { createEngineClient, type EngineClient } from '../server/src/trading/engine/client.ts';

interface Order {
  orderId: string;
  status: string;
  engineSeq: string;
}

const LIMIT = { symbol: 'btcusdt', side: 'buy', type: 'limit', price: '64000.00', volume: '0.01' };

/** Orders between the first and the repeated use of a client id; OTHER_ORDERS=100000 is the full proof. */
const OTHERS = Number(process.env['OTHER_ORDERS'] ?? 5000);

let deployment: TestDeployment;
let processes: RialtoProcess[];
let apis: RialtoProcess[];
let venue: LiveVenue;
let engine: EngineClient;

beforeAll(async () => {
  deployment = await startDeployment({
    MONEY: 'simulated',
    TRADING_RATE_LIMIT: '1000000',
    ENGINE_MEMORY_ORDERS: '1000',
  });
  const { environment, ctx } = deployment;
  processes = [];
  for (const roles of ['engine', 'relay,worker', 'api', 'api']) {
    processes.push(await startRialtoProcess(roles, environment));
  }
  apis = processes.filter(({ roles }) => roles === 'api');
  venue = await liveVenue(deployment, {
    phase: 'continuous',
    terms: { btcusdt: { maxOpenOrders: 100_000 } },
  });
  engine = createEngineClient({
    bus: ctx.bus,
    pool: ctx.database.pool,
    secrets: ctx.secrets,
    log: ctx.log,
    answerMs: 30_000,
    underWayMax: 20_000,
  });
});
afterAll(async () => {
  await engine?.stop();
  for (const one of processes ?? []) one.kill('SIGKILL');
  await deployment?.close();
});

/**
 * Sends `count` requests at once, spread over the api processes. They differ only by their nonce. A
 * machine that is too slow answers some with 1001, "nothing was done, try again", and those are
 * repeated.
 */
async function flood(trader: Trader, count: number, params: Record<string, string>) {
  const answers: TradingAnswer[] = [];
  let again = 0;
  for (let round = 0; answers.length < count && round < ROUNDS_MAX; round += 1) {
    const atMs = Date.now();
    const requests = Array.from({ length: count - answers.length }, (_, index) => {
      const nonce = `${round}-${index}`;
      return trader.prepare({ atMs, params: { ...params, recvWindow: '60000', nonce } });
    });
    const got = await Promise.all(
      requests.map(({ query, headers }, index) => {
        const { origin } = apis[index % apis.length] as RialtoProcess;
        return send(`${origin}/v1/private/order/create?${query}`, { method: 'POST', headers });
      }),
    );
    answers.push(...got.filter(({ body }) => body.error?.code !== '1001'));
    again += count - answers.length;
  }
  if (again > 0) console.log(`${again} of the requests were told to come again`);
  return answers;
}
const ROUNDS_MAX = 50;

const call = (trader: Trader, path: string, params: Record<string, string> = {}, method = 'GET') =>
  trader.call(`${apis[0]?.origin}/v1/private/${path}`, { params, method });

const isReplay = ({ headers }: TradingAnswer) => headers.get('x-svc-idempotent-replay') === 'true';

it('a thousand concurrent orders on one balance: exactly what it covers is accepted', async () => {
  // Each holds 640; the balance covers 137 of them and part of another.
  const trader = await venue.trader({ usdt: String(137 * 640 + 639) });
  const answers = await flood(trader, 1000, LIMIT);
  const codes = Map.groupBy(answers, ({ body }) => body.error?.code ?? 'accepted');
  const counts = Object.fromEntries([...codes].map(([code, { length }]) => [code, length]));
  expect(counts).toEqual({ accepted: 137, '5001': 863 });
  const ids = codes.get('accepted')?.map(({ body }) => (body.result as Order).orderId);
  expect(new Set(ids).size).toBe(137);
  const { body } = await call(trader, 'account/balances', { coin: 'usdt' });
  expect(body.result).toMatchObject([{ available: '639', hold: String(137 * 640) }]);
  const { body: canceled } = await call(trader, 'order/cancel_all', {}, 'DELETE');
  expect(canceled.result).toMatchObject({ canceledCount: '137' });
  const { body: after } = await call(trader, 'account/balances', { coin: 'usdt' });
  expect(after.result).toMatchObject([{ available: String(137 * 640 + 639), hold: '0' }]);
});

describe('one client id', () => {
  let trader: Trader;
  const live = { ...LIMIT, price: '60000.00', clientOrderId: 'live' };
  const done = { ...LIMIT, price: '60000.00', clientOrderId: 'done' };
  let first: Map<string, Order>;

  /**
   * A hundred concurrent requests return the one order, and at most one of them is not a
   * repetition.
   */
  async function expectOne(params: { clientOrderId: string }, isNew: boolean): Promise<Order> {
    const answers = await flood(trader, 100, params);
    expect(answers.map(({ status, text }) => (status === 200 ? 200 : text))).toEqual(
      Array.from({ length: 100 }, () => 200),
    );
    const orders = answers.map(({ body }) => JSON.stringify(body.result));
    expect(new Set(orders).size).toBe(1);
    expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(isNew ? 1 : 0);
    return answers[0]?.body.result as Order;
  }

  beforeAll(async () => {
    trader = await venue.trader();
  });

  it('sent a hundred times at once is one order and one answer', async () => {
    first = new Map([
      ['live', await expectOne(live, true)],
      ['done', await expectOne(done, true)],
    ]);
    const open = (await call(trader, 'order/open')).body.result as Order[];
    expect(open.map(({ orderId }) => orderId)).toEqual([...first.values()].map((o) => o.orderId));
    const { body } = await call(trader, 'order/cancel', { clientOrderId: 'done' }, 'DELETE');
    first.set('done', body.result as Order);
    expect(await expectOne(done, false)).toEqual(first.get('done'));
  });

  it('is the same order after every process was killed and started again', async () => {
    for (const one of processes) one.kill('SIGKILL');
    for (const one of processes) await one.restart();
    await expect
      .poll(async () => (await call(trader, 'order/open')).status, { timeout: 60_000 })
      .toBe(200);
    expect(await expectOne(live, false)).toEqual(first.get('live'));
    expect(await expectOne(done, false)).toEqual(first.get('done'));
  });

  it(`is the same order after ${OTHERS} others have finished, of which the engine remembers 1,000`, async () => {
    const filler = await venue.trader();
    const account = Number(filler.accountId);
    const order = {
      symbol: 'btcusdt',
      side: 'buy' as const,
      type: 'limit' as const,
      price: 61_000,
      priceDecimals: 0,
      volume: 1,
      volumeDecimals: 2,
      timeInForce: 'IOC' as const,
    };
    const total = OTHERS;
    const width = 4000;
    const startedMs = Date.now();
    for (let from = 0; from < total; from += width) {
      const outcomes = await Promise.all(
        Array.from({ length: width }, (_, index) =>
          engine.submit({
            type: 'place',
            account,
            // These ids are certainly new, so nothing has to be looked up for them.
            checkpoint: Number.MAX_SAFE_INTEGER,
            order: { ...order, clientOrderId: `filler-${from + index}` },
          }),
        ),
      );
      const kinds = new Set(
        outcomes.map(({ result }) =>
          result.kind === 'placed' ? result.order.status : result.kind,
        ),
      );
      expect([...kinds]).toEqual(['expired']);
      // While the projection lags, a repetition finds the order or is told to try again; it never
      // creates a second one.
      const [answer] = await flood(trader, 1, done);
      expect(answer?.body.result).toEqual(first.get('done'));
    }
    console.log(`${total} orders through the engine's door in ${Date.now() - startedMs} ms`);
    expect(await expectOne(done, false)).toEqual(first.get('done'));
    expect(await expectOne(live, false)).toEqual(first.get('live'));
    const [other] = await flood(trader, 1, { ...done, volume: '0.02' });
    expect(other?.body.error).toMatchObject({
      code: '4012',
      details: { clientOrderId: 'done', orderId: first.get('done')?.orderId },
    });
    // The engine has forgotten it: the projection answers the cancellation that the order is final.
    const { body } = await call(trader, 'order/cancel', { clientOrderId: 'done' }, 'DELETE');
    expect(body.error).toMatchObject({ code: '4013', details: { order: first.get('done') } });
    const { rows } = await deployment.ctx.database.pool.query<{ count: bigint }>(
      `SELECT (SELECT count(*) FROM trading_orders WHERE account_id = $1)
            + (SELECT count(*) FROM trading_live_orders WHERE account_id = $1) AS count`,
      [trader.accountId],
    );
    expect(Number(rows[0]?.count)).toBe(2);
  });
});
