// Orders in many parts: a read opens a few of them, however many there are.
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../testing/context.ts';
import { DAY_MS } from '../../platform/std/time.ts';
import { applyGrants, roleOf } from '../../platform/db/server-role.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { listOrders } from '../orders/own-orders.ts';
import { listTrades } from '../orders/own-trades.ts';
import { findClientOrders, findOrderOfAnybody, listOrdersByName } from '../orders/find.ts';
import { auditProjections, startOfAudit } from './audit.ts';
import { historyIn, type History } from './archive/read.ts';
import { separateLiveOrders } from './store.ts';

const DAYS = 120;
const FIRST_DAY = 20_000;
const dayMs = (day: number) => (FIRST_DAY + day) * DAY_MS;
/** Orders of accounts 1 and 2 by turns, on every third day. */
const PLACED_DAYS = DAYS / 3;
const A_DAY = 150;
const ALL = PLACED_DAYS * A_DAY;
const INSERT = `
  INSERT INTO trading_orders (order_id, account_id, client_order_id, symbol, side, type, time_in_force, post_only,
     stp_mode, price_decimals, volume_decimals, trailing_delta, order_list_kind, volume, total, filled_total, fee,
     rebate, held, status, status_reason, created_ms, updated_ms, last_trade_ms, engine_seq, asked)
   SELECT n, 1 + n % 2, 'c' || n, 'btcusdt', 'buy', 'limit', 'gtc', false, 'none', 0, 0, 0, '', 1, 0, 0, 0, 0, 0, 'canceled',
          'user', ${dayMs(0)} + ((n - 1) / ${A_DAY}) * 3 * ${DAY_MS} + n % ${A_DAY}, ${dayMs(DAYS)}, 0, n, ''
     FROM generate_series($1::bigint, $2::bigint) AS n`;

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
  for (let day = 0; day < DAYS; day += 1) {
    await test.owner.query(
      `CREATE TABLE trading_orders_t${day} (LIKE trading_orders INCLUDING ALL, PRIMARY KEY (order_id));
       ALTER TABLE trading_orders ATTACH PARTITION trading_orders_t${day} FOR VALUES FROM (${dayMs(day)}) TO (${dayMs(day + 1)})`,
    );
  }
  await test.owner.query(INSERT, [1, ALL]);
  await test.owner.query(`SELECT list_orders(0, ${ALL})`);
  await test.owner.query(
    `UPDATE projection_checkpoints SET last_order_id = ${ALL}, listed_order_id = ${ALL}`,
  );
});
afterAll(() => test.close());

/** A statement locks every part that it opens, until its transaction ends. */
const countingParts = <T>(
  read: (history: History & Pick<TestContext['ctx'], 'database'>, tx: Tx) => Promise<T>,
): Promise<{ value: T; parts: number }> =>
  test.ctx.inTransaction(async (tx) => {
    const value = await read({ ...historyIn(test.ctx, tx), database: test.ctx.database }, tx);
    const { rows } = await sql<{ parts: number }>`
      SELECT count(DISTINCT l.relation)::integer AS parts FROM pg_locks l
        JOIN pg_inherits i ON i.inhrelid = l.relation
       WHERE l.pid = pg_backend_pid() AND i.inhparent = 'trading_orders'::regclass`.execute(tx);
    return { value, parts: rows[0]?.parts ?? 0 };
  });

const page = (sort: 'asc' | 'desc', limit: number) => ({
  sort,
  limit,
  from: undefined,
  to: undefined,
  after: undefined,
});
const ids = (rows: readonly { orderId: number }[]) => rows.map(({ orderId }) => orderId);
/** Odd ids are of account 2. */
const NEWEST = [ALL - 1, ALL - 3, ALL - 5];

describe('a read of orders in many parts', () => {
  it('by an id opens the part of its day, and none of an id that nobody has', async () => {
    for (const orderId of [1, A_DAY, A_DAY + 1, 3001, ALL]) {
      const own = await countingParts((history) =>
        listOrdersByName(history, BigInt(1 + (orderId % 2)), [{ orderId: BigInt(orderId) }]),
      );
      expect(ids(own.value)).toEqual([orderId]);
      expect(own.parts).toBe(1);
      const anybodys = await countingParts((history) =>
        findOrderOfAnybody(history, { orderId: BigInt(orderId) }),
      );
      expect(anybodys.value?.orderId).toBe(orderId);
      expect(anybodys.parts).toBe(1);
    }
    for (const [orderId, parts] of [
      [0n, 0],
      [BigInt(ALL) + 1n, 1],
    ] as const) {
      const none = await countingParts((history) => findOrderOfAnybody(history, { orderId }));
      expect(none).toEqual({ value: undefined, parts });
    }
  });

  it('by a client id opens the part of that order, and none for an id that was never used', async () => {
    const name = { accountId: 1n, clientOrderId: 'c302' };
    const found = await countingParts((history) => findOrderOfAnybody(history, name));
    expect(found.value?.orderId).toBe(302);
    expect(found.parts).toBe(1);
    const asked = (clientOrderIds: string[]) =>
      countingParts((history) => findClientOrders(history, [{ accountId: 1n, clientOrderIds }]));
    const used = await asked(['c2', 'c302', 'c301']);
    // The last one is the other account's.
    expect(used.value[0]?.known.map(({ orderId }) => orderId)).toEqual([2n, 302n]);
    expect(used.parts).toBe(2);
    const unused = await asked(['new']);
    expect(unused.value[0]?.known).toEqual([]);
    expect(unused.parts).toBe(0);
  });

  it('of an account opens the days that a page needs, and pages have all in order', async () => {
    const newest = await countingParts((history) => listOrders(history, 2n, {}, page('desc', 2)));
    expect(ids(newest.value)).toEqual(NEWEST);
    expect(newest.parts).toBe(1);
    for (const sort of ['asc', 'desc'] as const) {
      const all: number[] = [];
      let after: { ms: bigint; id: bigint } | undefined;
      for (;;) {
        const query = { ...page(sort, 400), after };
        const { value, parts } = await countingParts((history) =>
          listOrders(history, 2n, {}, query),
        );
        all.push(...ids(value.slice(0, 400)));
        // 75 orders a day: a page has six days, which lie three days apart.
        expect(parts).toBeLessThanOrEqual(3 * 8);
        const last = value[399];
        if (value.length <= 400 || last === undefined) break;
        after = { ms: BigInt(last.createdAt), id: BigInt(last.orderId) };
      }
      const wanted = Array.from({ length: ALL / 2 }, (_, n) => 2 * n + 1);
      expect(all).toEqual(sort === 'asc' ? wanted : wanted.toReversed());
    }
    const nobody = await countingParts((history) => listOrders(history, 3n, {}, page('desc', 2)));
    expect(nobody).toEqual({ value: [], parts: 0 });
  });

  it('for the trades of a page opens the parts of their orders', async () => {
    const at = dayMs(DAYS - 1);
    await test.owner.query(
      `INSERT INTO trading_trades (trade_id, symbol, price_decimals, volume_decimals, price, volume, total, taker_side,
         buyer_order_id, buyer_account_id, buyer_fee_ppm, buyer_fee, seller_order_id, seller_account_id, seller_fee_ppm,
         seller_fee, rebate, time_ms, engine_seq, first_entry_id)
       VALUES (1, 'btcusdt', 0, 0, 1, 1, 1, 'buy', 3001, 2, 0, 0, 2, 1, 0, 0, 0, ${at}, 1, 1)`,
    );
    const { value, parts } = await countingParts((history) =>
      listTrades(history, 2n, {}, { ...page('desc', 2), from: BigInt(at), to: BigInt(at) + 1n }),
    );
    expect(value.map(({ clientOrderId, orderType }) => [clientOrderId, orderType])).toEqual([
      ['c3001', 'limit'],
    ]);
    expect(parts).toBe(1);
    await test.owner.query('DELETE FROM trading_trades');
  });

  it('by an audit opens the days of its stretch alone', async () => {
    // It would wait for this lock.
    const holder = await test.owner.connect();
    try {
      await holder.query(`BEGIN; LOCK TABLE trading_orders_t${DAYS - 3} IN ACCESS EXCLUSIVE MODE`);
      const cursor = startOfAudit();
      expect(await auditProjections(test.ctx, cursor)).toEqual([]);
      expect(cursor.orders).toBe(5000);
      await holder.query('ROLLBACK');
      expect(await auditProjections(test.ctx, cursor)).toEqual([]);
      expect(cursor.orders).toBe(0);
    } finally {
      holder.release(true);
    }
  });

  it('by an audit finds a client id that two days have', async () => {
    await test.owner.query(
      `BEGIN; UPDATE trading_orders SET client_order_id = 'c2' WHERE order_id = ${ALL};
       UPDATE order_client_ids SET client_key = client_key(1, 'c2') WHERE order_id = ${ALL}; COMMIT`,
    );
    const rules = (await auditProjections(test.ctx, startOfAudit())).map(({ rule, subject }) => [
      rule,
      subject,
    ]);
    expect(rules).toEqual([['a client id names one order', '2']]);
    await test.owner.query(
      `BEGIN; UPDATE trading_orders SET client_order_id = 'c${ALL}' WHERE order_id = ${ALL};
       UPDATE order_client_ids SET client_key = client_key(1, 'c${ALL}') WHERE order_id = ${ALL}; COMMIT`,
    );
  });
});

const migration = (name: string) =>
  readFileSync(new URL(`../../../migrations/${name}.sql`, import.meta.url), 'utf8');

const lists = async () => {
  const all: string[] = [];
  for (const table of ['order_days', 'account_order_days', 'order_client_ids']) {
    const { rows } = await test.owner.query<{ line: string }>(
      `SELECT '${table} ' || t::text AS line FROM ${table} AS t ORDER BY 1`,
    );
    all.push(...rows.map(({ line }) => line));
  }
  return all;
};

describe('parts of orders', () => {
  it('begin after an existing table, which becomes one part as it is', async () => {
    const { owner } = test;
    const listed = await lists();
    expect(listed.length).toBe(3 * PLACED_DAYS + ALL);
    // As the release before left it.
    await owner.query(
      `CREATE TABLE existing (LIKE trading_orders INCLUDING DEFAULTS);
       INSERT INTO existing SELECT * FROM trading_orders;
       DROP TABLE trading_orders, order_days, account_order_days, order_client_ids;
       DROP FUNCTION list_orders(bigint, bigint), client_key(bigint, text);
       ALTER TABLE projection_checkpoints DROP COLUMN listed_order_id;
       DELETE FROM history_tables WHERE name = 'trading_orders';
       ALTER TABLE existing RENAME TO trading_orders;
       ALTER TABLE trading_orders ADD CONSTRAINT trading_orders_pkey PRIMARY KEY (order_id);
       CREATE INDEX trading_orders_account_time ON trading_orders (account_id, created_ms);
       CREATE INDEX trading_orders_live ON trading_orders (account_id, order_id)
         WHERE status IN ('pending', 'open', 'partially_filled');
       CREATE INDEX trading_orders_client ON trading_orders
         (((account_id << 32) # (hashtext(client_order_id)::bigint & 4294967295))) WHERE asked IS NOT NULL`,
    );
    const files = async () =>
      (
        await owner.query<{ file: string }>(
          `SELECT pg_relation_filenode(indexrelid)::text AS file FROM pg_index
            WHERE indrelid = coalesce(to_regclass('trading_orders_before'), 'trading_orders'::regclass) ORDER BY 1`,
        )
      ).rows.map(({ file }) => file);
    const before = await files();
    await owner.query(migration('0161_listed_orders'));
    await owner.query(migration('0162_order_parts'));
    // As the command that migrates does after them.
    const client = await owner.connect();
    await applyGrants(client, roleOf(test.config.DATABASE_URL).name);
    client.release();
    // The same files: no index was built anew.
    expect(await files()).toEqual(before);
    const { rows } = await owner.query<{ part: string; rows: number }>(
      `SELECT tableoid::regclass::text AS part, count(*)::integer AS rows FROM trading_orders GROUP BY 1`,
    );
    expect(rows).toEqual([{ part: 'trading_orders_before', rows: ALL }]);
    expect(await lists()).toEqual(listed);
    const { value, parts } = await countingParts((history) =>
      listOrders(history, 2n, {}, page('desc', 2)),
    );
    expect(ids(value)).toEqual(NEWEST);
    expect(parts).toBe(1);
  });

  it('are found also of orders that a worker of the release before wrote later', async () => {
    await test.owner.query(INSERT, [ALL + 1, ALL + 4]);
    await test.owner.query(`UPDATE projection_checkpoints SET last_order_id = ${ALL + 4}`);
    const listed = await lists();
    const client = await test.ctx.database.pool.connect();
    try {
      expect(await separateLiveOrders(client, 0)).toBe(0);
      // A day, both accounts on it, and four client ids; the second time nothing.
      expect((await lists()).length).toBe(listed.length + 1 + 2 + 4);
      await separateLiveOrders(client, 0);
      expect((await lists()).length).toBe(listed.length + 1 + 2 + 4);
    } finally {
      client.release();
    }
    expect(await listOrdersByName(test.ctx, 1n, [{ clientOrderId: `c${ALL + 4}` }])).toHaveLength(
      1,
    );
  });
});
