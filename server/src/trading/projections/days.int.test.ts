// Trades in many parts: a page opens a few of them, however many there are.
import { readFileSync } from 'node:fs';
import type { Posting } from '@rialto/matching';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../testing/context.ts';
import { exampleMarket } from '../../testing/example-market.ts';
import { DAY_MS } from '../../platform/std/time.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { listTrades } from '../orders/own-trades.ts';
import { fillFromTables } from '../replica/fill.ts';
import { listTape } from '../trades/access.ts';
import { planPage } from '../trades/page.ts';
import { historyIn } from './archive/read.ts';
import { Fold } from './fold.ts';
import { findBoundary, listLines } from './ledger/pages.ts';
import { listTotalsBefore } from './ledger/totals.ts';
import { openHistoryParts } from './parts.ts';
import { writeFold } from './store.ts';

const RICH = 10n ** 30n;
const DAYS = 120;
const FIRST_DAY = 20_000;
const dayMs = (day: number) => (FIRST_DAY + day) * DAY_MS;
/** A few trades on every third day, with ids that grow by one. */
const TRADED = Array.from({ length: DAYS / 3 }, (_, n) => n * 3);

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
  for (let day = 0; day < DAYS; day += 1) {
    await test.owner.query(
      `CREATE TABLE trading_trades_t${day} (LIKE trading_trades INCLUDING ALL, PRIMARY KEY (trade_id));
       ALTER TABLE trading_trades ATTACH PARTITION trading_trades_t${day} FOR VALUES FROM (${dayMs(day)}) TO (${dayMs(day + 1)})`,
    );
  }
  await writeTrades();
});
afterAll(() => test.close());

async function writeTrades(): Promise<void> {
  const market = exampleMarket();
  const rich = { available: RICH, hold: 0n, pendingWithdraw: 0n, updatedMs: 1 };
  const before = [1, 2].flatMap((account) =>
    [market.base, market.quote].map((coin) => ({ account, coin, ...rich })),
  );
  const fold = new Fold({ lastOrderId: 0, lastEntryId: 0 }, before);
  const step = {
    cause: 'command' as const,
    prevented: [],
    books: [],
    phases: [],
    uncrosses: [],
    timers: [],
    withdrawals: [],
    reversals: [],
    accounts: [],
    markets: [],
    orders: [],
    trades: [],
    journals: [],
  };
  let seq = 1;
  const outcomes = [
    { ...step, engineSeq: seq, time: dayMs(0), markets: [market] },
    ...TRADED.flatMap((day) =>
      [1, 2, 3].map((n) => {
        seq += 1;
        const side = (account: number) => ({ account, orderId: account, feePpm: 0, fee: 0n });
        const trade = {
          tradeId: seq - 1,
          symbol: market.symbol,
          priceTicks: 100,
          lots: 1,
          priceDecimals: market.quotePrecision,
          volumeDecimals: market.basePrecision,
          total: 100n,
          takerSide: 'buy' as const,
          buyer: side(1),
          seller: side(2),
          rebate: 0n,
        };
        const postings: Posting[] = [
          { owner: 2, coin: market.base, bucket: 'hold', amount: -1n, after: 0n },
          ...[1, 2].flatMap((owner) =>
            [market.base, market.quote].map((coin) => ({
              owner,
              coin,
              bucket: 'available' as const,
              amount: 1n,
              after: RICH + BigInt(seq - 1),
            })),
          ),
        ];
        const journals = [{ kind: 'trade' as const, reference: trade.tradeId, postings }];
        return {
          ...step,
          engineSeq: seq,
          time: dayMs(day) + n * 1000,
          trades: [trade],
          journals,
        };
      }),
    ),
  ].map((one) => ({ steps: [one], result: { kind: 'done' as const } }));
  fold.add({ outcomes, asked: new Map() });
  const client = await test.ctx.database.pool.connect();
  try {
    await writeFold(client, fold);
    await client.query('UPDATE projection_checkpoints SET last_entry_id = $1', [
      fold.counters.lastEntryId,
    ]);
  } finally {
    client.release();
  }
  // Trades are shown with the type of their order.
  await test.owner.query(
    `INSERT INTO trading_orders (order_id, account_id, client_order_id, symbol, side, type, time_in_force, post_only,
       stp_mode, price_decimals, volume_decimals, trailing_delta, order_list_kind, volume, total, filled_total, fee,
       rebate, held, status, status_reason, created_ms, updated_ms, engine_seq)
     SELECT n, n, '', $1, 'buy', 'limit', 'gtc', false, 'none', 0, 0, 0, '', 1, 0, 0, 0, 0, 0, 'filled', '', 1, 1, 1
       FROM generate_series(1, 2) AS n`,
    [market.symbol],
  );
  await test.owner.query('SELECT list_orders(0, 2)');
}

const migration = (name: string) =>
  readFileSync(new URL(`../../../migrations/${name}.sql`, import.meta.url), 'utf8');

/** A statement locks every part that it opens, until its transaction ends. */
const countingParts = <T>(read: (tx: Tx) => Promise<T>): Promise<{ value: T; parts: number }> =>
  test.ctx.inTransaction(async (tx) => {
    const value = await read(tx);
    const { rows } = await sql<{ parts: number }>`
      SELECT count(DISTINCT l.relation)::integer AS parts FROM pg_locks l
        JOIN pg_inherits i ON i.inhrelid = l.relation
       WHERE l.pid = pg_backend_pid() AND i.inhparent = 'trading_trades'::regclass`.execute(tx);
    return { value, parts: rows[0]?.parts ?? 0 };
  });

const page = (sort: 'asc' | 'desc', limit: number) => ({
  sort,
  limit,
  from: undefined,
  to: undefined,
  after: undefined,
});
const ids = (rows: readonly { tradeId: bigint }[]) => rows.map(({ tradeId }) => Number(tradeId));
const LAST = TRADED.length * 3;
const symbol = exampleMarket().symbol;

describe('a page of trades in many parts', () => {
  it('of the newest opens one', async () => {
    const { value, parts } = await countingParts((tx) =>
      listTrades(historyIn(test.ctx, tx), 1n, {}, page('desc', 2)),
    );
    expect(ids(value)).toEqual([LAST, LAST - 1, LAST - 2]);
    expect(parts).toBe(1);
    const tape = await countingParts((tx) =>
      listTape(historyIn(test.ctx, tx), { symbol, limit: 3, sort: 'desc' }),
    );
    expect(ids(tape.value)).toEqual([LAST, LAST - 1, LAST - 2]);
    expect(tape.parts).toBe(1);
  });

  it('goes on over the days that have some, in either direction', async () => {
    const all = Array.from({ length: LAST }, (_, n) => n + 1);
    const oldest = await listTrades(test.ctx, 2n, {}, page('asc', 1000));
    expect(ids(oldest)).toEqual(all);
    const newest = await listTape(test.ctx, { symbol, limit: 1000, sort: 'desc' });
    expect(ids(newest)).toEqual(all.toReversed());
  });

  it('up to an id begins on the day of that trade', async () => {
    // Memory has what is newer, and knows the id and the time of the trade before it.
    const older = { tradeId: 61n, timeMs: BigInt(dayMs(60)) + 1000n };
    const memory = { trades: [], olderTrades: { ...older, engineSeq: 62 } };
    const asked = { symbol, limit: 3, sort: 'desc' } as const;
    const plan = planPage(memory, asked).older?.query ?? asked;
    const { value, parts } = await countingParts((tx) => listTape(historyIn(test.ctx, tx), plan));
    expect(ids(value)).toEqual([61, 60, 59]);
    // Day 60 has one of them; the stretch after it goes from day 54 to 57.
    expect(parts).toBeLessThanOrEqual(1 + 4);
    const upward = { symbol, limit: 9, sort: 'asc', throughId: 61n } as const;
    expect(ids(await listTape(test.ctx, { ...upward, fromId: 58n }))).toEqual([58, 59, 60, 61]);
    expect(ids(await listTape(test.ctx, { ...upward, fromId: 62n }))).toEqual([]);
  });

  it('for the memory of a process that starts opens the newest', async () => {
    const limits = { tradesMax: 2, tradesMs: DAY_MS };
    const reached = { engineSeq: 1, seq: 1, logPosition: 0 };
    const { value, parts } = await countingParts((tx) =>
      fillFromTables(historyIn(test.ctx, tx), limits, reached, dayMs(DAYS)),
    );
    expect(ids(value.market(symbol).trades)).toEqual([LAST - 1, LAST]);
    expect(value.market(symbol).olderTrades?.tradeId).toBe(BigInt(LAST - 2));
    expect(parts).toBe(1);
  });

  it('from an id on halves the days', async () => {
    for (const fromId of [0, 1, 2, 3, 4, 50, 61, LAST - 1, LAST, LAST + 1]) {
      const wanted = Array.from({ length: 4 }, (_, n) => Math.max(fromId, 1) + n).filter(
        (id) => id <= LAST,
      );
      const tape = await countingParts((tx) =>
        listTape(historyIn(test.ctx, tx), {
          symbol,
          limit: 4,
          sort: 'asc',
          fromId: BigInt(fromId),
        }),
      );
      expect(ids(tape.value)).toEqual(wanted);
      const own = await countingParts((tx) =>
        listTrades(historyIn(test.ctx, tx), 1n, { fromId: BigInt(fromId) }, page('asc', 3)),
      );
      expect(ids(own.value)).toEqual(wanted);
      // Six looks find one of 40 days; the page itself may reach over the two days without trades in between.
      expect(tape.parts).toBeLessThanOrEqual(6 + 5);
      expect(own.parts).toBeLessThanOrEqual(6 + 5);
    }
    const back = await listTrades(test.ctx, 1n, { fromId: 5n }, page('desc', 1000));
    expect(ids(back)).toEqual(Array.from({ length: LAST - 4 }, (_, n) => LAST - n));
  });

  it('of the ledger opens few, also for a statement', async () => {
    const { value, parts } = await countingParts((tx) =>
      listLines(historyIn(test.ctx, tx), 1n, { sort: 'desc', limit: 4 }),
    );
    expect(value.map(({ referenceId }) => Number(referenceId))).toEqual([
      LAST,
      LAST,
      LAST - 1,
      LAST - 1,
    ]);
    expect(parts).toBe(1);
    const toMs = BigInt(dayMs(60)) + 2000n;
    const statement = await countingParts(async (tx) => {
      const history = historyIn(test.ctx, tx);
      const toId = await findBoundary(history, 1n, toMs);
      return listTotalsBefore(history, 1n, { toId, toMs });
    });
    const earlier = await listLines(test.ctx, 1n, { sort: 'desc', limit: 2, toMs });
    expect(earlier.map(({ referenceId }) => referenceId)).toEqual(['61', '61']);
    const inOrder = earlier.toSorted((one, other) => (one.coin < other.coin ? -1 : 1));
    expect(statement.value.map(({ total }) => total)).toEqual(
      inOrder.map(({ balanceAfter }) => balanceAfter),
    );
    expect(statement.parts).toBe(1);
  });
});

describe('parts of days', () => {
  it('are made ahead, once, and leave a day alone whose rows are elsewhere', async () => {
    const { owner } = test;
    const names = async () =>
      (
        await owner.query<{ name: string }>(
          `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
            WHERE i.inhparent = 'trading_trades'::regclass AND c.relname ~ '_[0-9]{8}$' ORDER BY 1`,
        )
      ).rows.map(({ name }) => name);
    const made = await names();
    expect(made.length).toBeGreaterThanOrEqual(8);
    expect(await openHistoryParts(test.ctx)).toBeLessThanOrEqual(1);
    // A row of the tenth day ahead has no part yet.
    const day = new Date(Date.now() + 10 * DAY_MS);
    await owner.query(
      `INSERT INTO trading_trades SELECT (t).* FROM (SELECT jsonb_populate_record(t, jsonb_build_object(
         'trade_id', 999999, 'time_ms', $1::bigint)) AS t FROM trading_trades t LIMIT 1) AS copied`,
      [day.getTime()],
    );
    await owner.query('SELECT ensure_history_parts(11)');
    const later = await names();
    const name = `trading_trades_${day.toISOString().slice(0, 10).replaceAll('-', '')}`;
    expect(later).not.toContain(name);
    expect(later.length).toBeGreaterThan(made.length + 1);
    await owner.query('DELETE FROM trading_trades WHERE trade_id = 999999');
    await expect(owner.query('SELECT ensure_history_parts(32)')).rejects.toThrow('0 to 31 days');
  });

  it('begin after an existing table, which becomes one part as it is', async () => {
    const { owner } = test;
    // As the release before left it.
    await owner.query(
      `CREATE TABLE existing (LIKE trading_trades INCLUDING DEFAULTS);
       INSERT INTO existing SELECT * FROM trading_trades;
       DROP TABLE trading_trades, history_archive_blocks, history_archives, history_tables;
       DROP FUNCTION history_part_end(oid), ensure_history_parts(integer);
       ALTER TABLE existing RENAME TO trading_trades;
       ALTER TABLE trading_trades ADD CONSTRAINT trading_trades_pkey PRIMARY KEY (trade_id);
       CREATE INDEX trading_trades_symbol_time ON trading_trades (symbol, time_ms);
       CREATE INDEX trading_trades_buyer_time ON trading_trades (buyer_account_id, time_ms);
       CREATE INDEX trading_trades_seller_time ON trading_trades (seller_account_id, time_ms);
       CREATE INDEX trading_trades_buy_order ON trading_trades (buyer_order_id);
       CREATE INDEX trading_trades_sell_order ON trading_trades (seller_order_id)`,
    );
    const files = async () =>
      (
        await owner.query<{ file: string }>(
          `SELECT pg_relation_filenode(indexrelid)::text AS file FROM pg_index
            WHERE indrelid = coalesce(to_regclass('trading_trades_before'), 'trading_trades'::regclass) ORDER BY 1`,
        )
      ).rows.map(({ file }) => file);
    const before = await files();
    await owner.query(migration('0119_trades_until_tomorrow'));
    await owner.query(migration('0120_trade_parts'));
    // The same files: no index was built anew.
    expect(await files()).toEqual(before);
    const { rows } = await owner.query<{ part: string; rows: number }>(
      `SELECT tableoid::regclass::text AS part, count(*)::integer AS rows FROM trading_trades GROUP BY 1`,
    );
    expect(rows).toEqual([{ part: 'trading_trades_before', rows: LAST }]);
    // The day after tomorrow is the first with a part of its own.
    const { rows: days } = await owner.query<{ first: string }>(
      `SELECT min(c.relname) AS first FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = 'trading_trades'::regclass AND c.relname ~ '_[0-9]{8}$'`,
    );
    const first = new Date(Date.now() + 2 * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '');
    expect(days[0]?.first).toBe(`trading_trades_${first}`);
    const page2 = await owner.query<{ plan: string }>(
      `EXPLAIN (COSTS false) SELECT * FROM trading_trades WHERE symbol = 'x' AND time_ms >= ${dayMs(1)} AND time_ms < ${dayMs(2)}`,
    );
    expect(JSON.stringify(page2.rows)).toContain('trading_trades_before');
    expect(JSON.stringify(page2.rows)).not.toContain('trading_trades_rest');
  });
});
