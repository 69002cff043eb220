// Orders in two tables against a twin: the fold that kept every order in one place, as it stood.
import type { Order, Outcome, Trade } from '@rialto/matching';
import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Random } from '../../../../packages/matching/sim/random.ts';
import { Workload } from '../../../../packages/matching/sim/workload.ts';
import { createTestContext, type TestContext } from '../../testing/context.ts';
import { decodeCommand, encodeCommand } from '../engine/command.ts';
import { Machine } from '../engine/machine.ts';
import { firstConfig } from '../engine/recover.ts';
import type { OrderName } from '../orders/name.ts';
import { listOrders } from '../orders/own-orders.ts';
import { listTrades } from '../orders/own-trades.ts';
import { findClientOrders, findOrderOfAnybody, listOrdersByName } from '../orders/find.ts';
import { auditProjections, startOfAudit } from './audit.ts';
import type { Counters, OutcomeBatch } from './fold.ts';
import { everyClientOrder, isLive } from '../order-tables.ts';
import { foldBatches, openBatch } from './project.ts';
import { inTransactionOf, separateLiveOrders, writeFold } from './store.ts';

let test: TestContext;
let client: pg.PoolClient;
beforeEach(async () => {
  test = await createTestContext();
  client = await test.owner.connect();
});
afterEach(async () => {
  client.release();
  await test.close();
});

interface Accepted {
  readonly engineSeq: number;
  readonly asked: unknown;
}

/** A drawn venue, whose events go to the tables in stretches of a drawn length. */
class Drawn {
  readonly orders = new Map<number, Order>();
  /** By order id: the terms as they were asked for. */
  readonly accepted = new Map<number, Accepted>();
  readonly trades: Trade[] = [];
  readonly prevented: string[] = [];
  readonly random: Random;
  readonly #workload: Workload;
  readonly #machine = Machine.empty(firstConfig(0));
  #draft = this.#machine.begin();
  #counters: Counters = { lastOrderId: 0, lastEntryId: 0 };
  #waiting: OutcomeBatch[] = [];

  constructor(seed: bigint) {
    this.#workload = new Workload(seed);
    this.random = new Random(seed);
  }

  async run(commands: number): Promise<void> {
    let left = 0;
    for (let n = 0; n < commands; n += 1) {
      if (left === 0) {
        await this.#write();
        left = this.random.logBetween(1, 200);
      }
      left -= 1;
      const command = this.#workload.next();
      // The engine would have to be told what it has forgotten: here it forgets nothing.
      if (command.type === 'set_memory') continue;
      const { time, ...untimed } = command;
      const text = encodeCommand(untimed);
      const packed = this.#machine.apply(this.#draft, decodeCommand(text, time), text);
      const batch = openBatch(`{${packed}}`, { lastOrderId: 0, lastEntryId: 0 });
      this.#waiting.push(batch);
      for (const outcome of batch.outcomes) this.#observe(outcome, batch);
    }
    await this.#write();
  }

  #observe(outcome: Outcome, { asked }: OutcomeBatch): void {
    this.#workload.observe(outcome);
    for (const step of outcome.steps) {
      for (const order of step.orders) {
        const { orderId, engineSeq } = order;
        if (!this.orders.has(orderId) && order.clientOrderId !== '') {
          this.accepted.set(orderId, { engineSeq, asked: asked.get(orderId) });
        }
        this.orders.set(orderId, order);
      }
      this.trades.push(...step.trades);
      for (const { takerOrderId, makerOrderId } of step.prevented) {
        const accounts = [takerOrderId, makerOrderId].map((id) => this.orders.get(id)?.account);
        this.prevented.push([step.engineSeq, ...accounts].join(' '));
      }
    }
  }

  async #write(): Promise<void> {
    const batches = this.#waiting;
    this.#waiting = [];
    if (batches.length === 0) return;
    await inTransactionOf(client, async () => {
      const fold = await foldBatches(client, this.#counters, batches);
      await writeFold(client, fold);
      this.#counters = fold.counters;
    });
    if (this.#draft.lines.length === 0) return;
    this.#machine.seal(this.#draft);
    this.#draft = this.#machine.begin();
  }
}

const ALL = { from: undefined, to: undefined, limit: 100_000, after: undefined } as const;

/** Every answer of every reader is that of the twin. */
async function expectSame(drawn: Drawn): Promise<void> {
  const orders = [...drawn.orders.values()];
  const accounts = [...new Set(orders.map(({ account }) => account))];
  let compared = 0;
  for (const account of accounts) {
    const own = orders.filter((order) => order.account === account);
    for (const sort of ['asc', 'desc'] as const) {
      const page = { ...ALL, sort, limit: drawn.random.logBetween(1, 40) };
      const drawnStatus = drawn.random.pick(['any', 'any', 'open', 'filled', 'canceled']);
      const status = drawnStatus === 'any' ? undefined : drawnStatus;
      const symbol = drawn.random.below(3) === 0 ? own[0]?.symbol : undefined;
      const wanted = own
        .filter((o) => (status ?? o.status) === o.status && (symbol ?? o.symbol) === o.symbol)
        .sort((a, b) => a.createdAt - b.createdAt || a.orderId - b.orderId);
      if (sort === 'desc') wanted.reverse();
      // Page after page, and each begins behind the last row of the one before.
      let after: { ms: bigint; id: bigint } | undefined;
      const pages: Order[] = [];
      for (;;) {
        const query = { ...page, after };
        const rows = await listOrders(test.ctx, BigInt(account), { status, symbol }, query);
        pages.push(...rows.slice(0, page.limit));
        const last = rows[page.limit - 1];
        if (rows.length <= page.limit || last === undefined) break;
        after = { ms: BigInt(last.createdAt), id: BigInt(last.orderId) };
      }
      expect(pages.length).toBe(wanted.length);
      for (const [n, order] of wanted.entries()) expect(pages[n]).toEqual(order);
      compared += pages.length;
    }
    const named = own.map(({ orderId, clientOrderId }): OrderName =>
      clientOrderId === '' ? { orderId: BigInt(orderId) } : { clientOrderId },
    );
    const found = await listOrdersByName(test.ctx, BigInt(account), named);
    expect(found.length).toBe(own.length);
    for (const order of found) expect(order).toEqual(drawn.orders.get(order.orderId));
    // Somebody else's names find nothing.
    const stranger = accounts.find((id) => id !== account) ?? 0;
    const ids = own.map(({ orderId }) => ({ orderId: BigInt(orderId) }));
    expect(await listOrdersByName(test.ctx, BigInt(stranger), ids)).toEqual([]);
    await expectClientIds(drawn, own);
    const trades = await listTrades(test.ctx, BigInt(account), {}, { ...ALL, sort: 'asc' });
    const sides = drawn.trades.filter(
      ({ buyer, seller }) => buyer.account === account || seller.account === account,
    );
    expect(trades.length).toBe(sides.length);
    for (const { orderId, clientOrderId, orderType } of trades) {
      const order = drawn.orders.get(Number(orderId));
      expect({ clientOrderId, orderType }).toEqual({
        clientOrderId: order?.clientOrderId,
        orderType: order?.type,
      });
    }
  }
  expect(compared).toBeGreaterThan(50);
  for (const order of orders.filter(({ orderId }) => orderId % 7 === 0)) {
    expect(await findOrderOfAnybody(test.ctx, { orderId: BigInt(order.orderId) })).toEqual(order);
  }
  const { rows } = await client.query<{ line: string }>(
    `SELECT concat_ws(' ', engine_seq, taker_account_id, maker_account_id) AS line
       FROM prevented_matches ORDER BY engine_seq, number`,
  );
  expect(rows.map(({ line }) => line)).toEqual(drawn.prevented);
  expect(await auditProjections(test.ctx, startOfAudit())).toEqual([]);
}

/** The earlier uses of client ids, as a repeated placement and a receipt see them. */
async function expectClientIds(drawn: Drawn, own: readonly Order[]): Promise<void> {
  const named = own.filter(({ clientOrderId }) => clientOrderId !== '');
  const accountId = BigInt(own[0]?.account ?? 0);
  const clientOrderIds = named.map(({ clientOrderId }) => clientOrderId);
  const [recalled] = await findClientOrders(test.ctx, [
    { accountId, clientOrderIds: [...clientOrderIds, 'never-used'] },
  ]);
  expect(recalled?.known.length).toBe(named.length);
  for (const { clientOrderId, orderId, acceptedSeq, ...terms } of recalled?.known ?? []) {
    const order = drawn.orders.get(Number(orderId));
    const accepted = drawn.accepted.get(Number(orderId));
    expect(order?.clientOrderId).toBe(clientOrderId);
    expect(Number(acceptedSeq)).toBe(accepted?.engineSeq);
    const asNumbers = Object.fromEntries(
      Object.entries(terms).map(([name, value]) => [
        name,
        typeof value === 'bigint' && name !== 'total' ? Number(value) : value,
      ]),
    );
    expect({ ...asNumbers, orderId: Number(orderId) }).toEqual({
      symbol: order?.symbol,
      side: order?.side,
      type: order?.type,
      timeInForce: order?.timeInForce,
      postOnly: order?.postOnly,
      trailingDelta: order?.trailingDelta,
      orderListId: order?.orderListId,
      expireMs: order?.expireTime,
      ...(accepted?.asked as object),
    });
  }
}

/** What the projector wrote of where orders are is what follows from the orders. */
async function expectListed(): Promise<void> {
  const tables = ['order_days', 'account_order_days', 'order_client_ids'];
  const read = async () => {
    const { rows } = await client.query<{ line: string }>(
      tables
        .map((name) => `SELECT '${name} ' || t::text AS line FROM ${name} AS t`)
        .join(' UNION ALL '),
    );
    return rows.map(({ line }) => line).toSorted();
  };
  const written = await read();
  expect(written.length).toBeGreaterThan(50);
  await client.query(`TRUNCATE ${tables.join(', ')}`);
  await client.query('SELECT list_orders(0, 4611686018427387904)');
  expect(await read()).toEqual(written);
}

const count = async (statement: string): Promise<number> =>
  (await client.query<{ count: number }>(`SELECT count(*)::int AS count ${statement}`)).rows[0]
    ?.count ?? 0;

describe('orders in two tables', () => {
  it.each([1n, 2n, 3n])('of drawn venue %s answer as if they stood in one', async (seed) => {
    const drawn = new Drawn(seed);
    await drawn.run(1500);
    const live = [...drawn.orders.values()].filter(isLive).length;
    expect(live).toBeGreaterThan(0);
    expect(await count('FROM trading_live_orders')).toBe(live);
    expect(await count('FROM trading_orders')).toBe(drawn.orders.size - live);
    await expectSame(drawn);
    await expectListed();
  });

  it('are written once where an order begins and ends in one stretch', async () => {
    const drawn = new Drawn(4n);
    await drawn.run(1200);
    // Rows that have ended were never changed: each version that was ever written still stands.
    await client.query('SELECT pg_stat_force_next_flush()');
    const { rows } = await client.query<{ changed: number }>(
      `SELECT sum(n_tup_upd + n_tup_del)::int AS changed FROM pg_stat_all_tables WHERE relname ~ '^trading_orders_'`,
    );
    expect(rows).toEqual([{ changed: 0 }]);
  });

  it('take over what a worker of the release before wrote, even after a new one', async () => {
    const drawn = new Drawn(5n);
    const hasEnough = async () =>
      (await count("FROM trading_live_orders WHERE status = 'open'")) > 1 &&
      (await count("FROM trading_orders WHERE status = 'filled'")) > 0;
    for (let stretch = 0; stretch < 3 || (stretch < 30 && !(await hasEnough())); stretch += 1) {
      await drawn.run(300);
    }
    const live = await count('FROM trading_live_orders');
    // As the release before wrote them; every other order is one that it has taken.
    await client.query(
      `INSERT INTO client_orders SELECT account_id, client_order_id, order_id, symbol, side, type, time_in_force, post_only,
              stp_mode, price_decimals, volume_decimals, price, stop_price, volume, visible_volume, total, expire_ms,
              trailing_delta, order_list_id, engine_seq
         FROM ${everyClientOrder('public')} AS used WHERE order_id % 2 = 0`,
    );
    for (const table of ['trading_orders', 'trading_live_orders']) {
      await client.query(
        `UPDATE ${table} SET accepted_seq = NULL, asked = NULL WHERE order_id % 2 = 0`,
      );
    }
    await client.query('INSERT INTO trading_orders SELECT * FROM trading_live_orders');
    await client.query('DELETE FROM trading_live_orders');
    // A new worker had separated two already; then the old one worked on, changed one of them and ended another.
    await client.query(
      `INSERT INTO trading_live_orders SELECT * FROM trading_orders WHERE status = 'open'
        ORDER BY order_id DESC LIMIT 2`,
    );
    await client.query(
      `UPDATE trading_live_orders SET filled_total = filled_total + 1
        WHERE order_id = (SELECT min(order_id) FROM trading_live_orders)`,
    );
    await client.query(
      `INSERT INTO trading_live_orders SELECT * FROM trading_orders WHERE status = 'filled' LIMIT 1`,
    );
    await client.query("UPDATE trading_live_orders SET status = 'open' WHERE status = 'filled'");
    await client.query(
      `UPDATE trading_orders SET accepted_seq = NULL, asked = NULL
        WHERE order_id IN (SELECT order_id FROM trading_live_orders)`,
    );
    const both = 'FROM trading_live_orders JOIN trading_orders USING (order_id)';
    expect(await count(both)).toBeGreaterThan(1);
    // The audit takes none of this for a fault: it puts the orders in their place first.
    expect(await auditProjections(test.ctx, startOfAudit())).toEqual([]);
    expect(await count('FROM trading_live_orders')).toBe(live);
    await expectSame(drawn);
    expect(await separateLiveOrders(client, 0)).toBe(0);
    await drawn.run(600);
    await expectSame(drawn);
  });

  it('may be taken apart by the server, which may delete no other row of them', async () => {
    const server = await test.ctx.database.pool.connect();
    try {
      expect(await separateLiveOrders(server, 0)).toBe(0);
      await expect(server.query('DELETE FROM trading_orders')).rejects.toThrow('permission denied');
    } finally {
      server.release();
    }
  });
});
