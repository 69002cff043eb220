// Reads and writes the projections' tables on one connection. The connection's search path decides
// the schema: live tables in `public`, those of a rebuild beside them.
import type pg from 'pg';
import type { Db } from '../../platform/db/pool.ts';
import { assert } from '../../platform/std/assert.ts';
import { toArray, writeRows, type Queryable } from './bulk.ts';
import { copyRows } from './copy.ts';
import type { Counters, Fold } from './fold.ts';
import { findMatched, writeOrders } from './order-store.ts';
import type { AccountRow, BalanceRow, MarketRow } from './rows.ts';
import * as tables from './tables.ts';

/** How far the tables are. */
export interface Reached {
  /** The last fully projected journal row, and its last engine event. */
  readonly seq: number;
  readonly engineSeq: number;
  /** The event of the log that it ended with. */
  readonly logPosition: number;
}

export interface Checkpoint extends Counters, Reached {
  /** Pushes of rows up to this one were never counted. */
  readonly streamsAfter: number;
}

interface CheckpointRow {
  seq: string;
  engine_seq: string;
  log_position: string;
  last_order_id: string;
  last_entry_id: string;
  streams_after: string;
}

const CHECKPOINT = `SELECT seq::text, engine_seq::text, log_position::text, last_order_id::text,
                           last_entry_id::text, streams_after::text FROM projection_checkpoints WHERE shard = $1`;

/** All counts are below 2^53: ids count from shard × 10^15, positions and rows by one. */
const toCheckpoint = (row: CheckpointRow): Checkpoint => ({
  seq: Number(row.seq),
  engineSeq: Number(row.engine_seq),
  logPosition: Number(row.log_position),
  lastOrderId: Number(row.last_order_id),
  lastEntryId: Number(row.last_entry_id),
  streamsAfter: Number(row.streams_after),
});

/**
 * The checkpoint, locked until the transaction ends; undefined when another process works. `wait`
 * waits for that one instead.
 */
export async function lockCheckpoint(
  db: Queryable,
  shard: number,
  { wait = false } = {},
): Promise<Checkpoint | undefined> {
  const { rows } = await db.query<CheckpointRow>(
    `${CHECKPOINT} FOR UPDATE ${wait ? '' : 'SKIP LOCKED'}`,
    [shard],
  );
  const row = rows[0];
  return row && toCheckpoint(row);
}

export async function readCheckpointRow(db: Queryable, shard: number): Promise<Checkpoint> {
  const { rows } = await db.query<CheckpointRow>(CHECKPOINT, [shard]);
  const row = rows[0];
  assert(row !== undefined, 'every shard has a checkpoint', { shard });
  return toCheckpoint(row);
}

/** How far the tables are, read in the caller's transaction. */
export async function findCheckpoint(db: Db, shard: number): Promise<Reached> {
  const row = await db
    .selectFrom('projectionCheckpoints')
    .select(['seq', 'engineSeq', 'logPosition'])
    .where('shard', '=', shard)
    .executeTakeFirstOrThrow();
  return {
    seq: Number(row.seq),
    engineSeq: Number(row.engineSeq),
    logPosition: Number(row.logPosition),
  };
}

export async function writeCheckpoint(
  db: Queryable,
  shard: number,
  checkpoint: Checkpoint,
): Promise<void> {
  await db.query({
    name: 'project checkpoint',
    text: `UPDATE projection_checkpoints SET seq = $2, engine_seq = $3, log_position = $4,
             last_order_id = $5, listed_order_id = $5, last_entry_id = $6, updated_at = clock_timestamp() WHERE shard = $1`,
    values: [
      shard,
      checkpoint.seq,
      checkpoint.engineSeq,
      checkpoint.logPosition,
      checkpoint.lastOrderId,
      checkpoint.lastEntryId,
    ],
  });
}

/**
 * The head of the journal and the checkpoint, as one statement sees them. `from` is a row that the caller knows to be in the
 * journal: only the parts from there on are opened. Planned each time, because a prepared plan would lock every part.
 */
export async function readProgress(
  db: Queryable,
  shard: number,
  from = 0,
): Promise<{ head: number; seq: number; engineSeq: number }> {
  const { rows } = await db.query<{ head: string; seq: string; engine_seq: string }>({
    text: `SELECT coalesce((SELECT seq FROM trading_journal WHERE shard = $1 AND seq >= $2 ORDER BY seq DESC LIMIT 1), 0)::text
                    AS head, seq::text, engine_seq::text
             FROM projection_checkpoints WHERE shard = $1`,
    values: [shard, from],
  });
  const row = rows[0];
  assert(row !== undefined, 'every shard has a checkpoint', { shard });
  const head = Number(row.head);
  // The database has lost rows, in a failover or by a restore: what the caller knows is of no use.
  if (head === 0 && from > 0) return readProgress(db, shard);
  return { head, seq: Number(row.seq), engineSeq: Number(row.engine_seq) };
}

export async function readBalances(
  db: Queryable,
  keys: ReadonlyArray<readonly [account: number, coin: string]>,
): Promise<BalanceRow[]> {
  if (keys.length === 0) return [];
  const { rows } = await db.query<{
    account_id: string;
    coin: string;
    available: string;
    held: string;
    pending_withdraw: string;
  }>({
    name: 'project read balances',
    text: `SELECT account_id::text, coin, available::text, held::text, pending_withdraw::text
             FROM balances JOIN unnest($1::bigint[], $2::text[]) AS k(account_id, coin)
            USING (account_id, coin)`,
    values: [
      toArray('bigint', keys, ([account]) => account),
      toArray('text', keys, ([, coin]) => coin),
    ],
  });
  return rows.map((row) => ({
    account: Number(row.account_id),
    coin: row.coin,
    available: BigInt(row.available),
    hold: BigInt(row.held),
    pendingWithdraw: BigInt(row.pending_withdraw),
    updatedMs: 0,
  }));
}

/** Everything that a fold produced, except the accounts. */
export async function writeFold(db: Queryable, fold: Fold): Promise<void> {
  await writeOrders(db, fold);
  await copyRows(db, tables.TRADES, fold.trades);
  await copyRows(db, tables.ENTRIES, fold.entries);
  const changed = [...fold.balances.values()].filter(({ updatedMs }) => updatedMs > 0);
  await writeRows(db, tables.BALANCES, changed);
  await writeRows(db, tables.VENUE_BALANCES, [...fold.venueBalances.values()]);
  await writeRows(db, tables.MOVEMENTS, [...fold.movements.values()]);
  await writeRows(db, tables.CANDLES, [...fold.candles.values()]);
  await writeRows(db, tables.VOLUMES, [...fold.volumes.values()]);
  await writeRows(db, tables.PREVENTED, await findMatched(db, fold));
  await writeMarkets(db, [...fold.markets.values()]);
}

/**
 * Puts in their place what workers of a release before this one wrote: live orders in the table of ended ones, and orders that are in
 * no list. Returns how many rows were out of place.
 */
export async function separateLiveOrders(client: pg.ClientBase, shard: number): Promise<number> {
  return inTransactionOf(client, async () => {
    await lockCheckpoint(client, shard, { wait: true });
    const { rows } = await client.query<{ count: string }>(
      'SELECT separate_live_orders()::text AS count',
    );
    await client.query(
      `WITH late AS (
         SELECT listed_order_id, last_order_id FROM projection_checkpoints
          WHERE shard = $1 AND listed_order_id < last_order_id),
       listed AS (SELECT list_orders(listed_order_id, last_order_id) FROM late)
       UPDATE projection_checkpoints SET listed_order_id = last_order_id
        WHERE shard = $1 AND (SELECT count(*) FROM listed) > 0`,
      [shard],
    );
    return Number(rows[0]?.count);
  });
}

async function writeMarkets(db: Queryable, rows: readonly MarketRow[]): Promise<void> {
  const configured = rows.flatMap(({ config, firstConfig, isReset = false }) =>
    config === undefined || firstConfig === undefined
      ? []
      : [{ config, createdMs: firstConfig.timeMs, first: firstConfig.quotePrecision, isReset }],
  );
  if (configured.length > 0) {
    await db.query({
      name: 'project resets',
      text: `UPDATE markets AS m SET last_price = 0, last_trade_ms = 0
               FROM unnest($1::text[], $2::smallint[], $3::boolean[]) AS p(symbol, first, is_reset)
              WHERE m.symbol = p.symbol AND (p.is_reset OR p.first < m.quote_precision)`,
      values: [
        toArray('text', configured, ({ config }) => config.symbol),
        toArray('smallint', configured, ({ first }) => first),
        toArray('boolean', configured, ({ isReset }) => isReset),
      ],
    });
  }
  await writeRows(db, tables.MARKETS, configured);
  const phases = rows.flatMap(({ symbol, phase }) => (phase ? [{ symbol, ...phase }] : []));
  if (phases.length > 0) {
    await db.query({
      name: 'project phases',
      text: `UPDATE markets AS m SET phase = p.phase, phase_until_ms = p.until
               FROM unnest($1::text[], $2::text[], $3::bigint[]) AS p(symbol, phase, until)
              WHERE m.symbol = p.symbol`,
      values: [
        toArray('text', phases, ({ symbol }) => symbol),
        toArray('text', phases, ({ phase }) => phase),
        toArray('bigint', phases, ({ until }) => until),
      ],
    });
  }
  const priced = rows.flatMap(({ symbol, lastPrice }) =>
    lastPrice ? [{ symbol, ...lastPrice }] : [],
  );
  if (priced.length > 0) {
    await db.query({
      name: 'project prices',
      text: `UPDATE markets AS m SET last_price = p.price * 1e-18, last_trade_ms = p.time
               FROM unnest($1::text[], $2::numeric[], $3::bigint[]) AS p(symbol, price, time)
              WHERE m.symbol = p.symbol`,
      values: [
        toArray('text', priced, ({ symbol }) => symbol),
        toArray('numeric', priced, ({ units }) => units),
        toArray('bigint', priced, ({ timeMs }) => timeMs),
      ],
    });
  }
}

/**
 * The engine owns tier and suspension, but not the rest of an account, so its table is never
 * rebuilt.
 */
export async function writeAccounts(db: Queryable, rows: readonly AccountRow[]): Promise<void> {
  if (rows.length === 0) return;
  await db.query({
    name: 'project accounts',
    text: `UPDATE public.trading_accounts AS a SET fee_tier = p.tier, is_suspended = p.suspended
             FROM unnest($1::bigint[], $2::smallint[], $3::boolean[]) AS p(id, tier, suspended)
            WHERE a.id = p.id AND (a.fee_tier, a.is_suspended) IS DISTINCT FROM (p.tier, p.suspended)`,
    values: [
      toArray('bigint', rows, ({ account }) => account),
      toArray('smallint', rows, ({ tier }) => tier),
      toArray('boolean', rows, ({ suspended }) => suspended),
    ],
  });
}

export interface BatchEvent {
  readonly position: number;
  readonly payload: string;
  /** When it was written, by the database's clock. */
  readonly atMs: number;
}

/** Events of the log read at once: bounds the work of a busy chat between two batches. */
const POSITIONS_MAX = 20_000;
const EVENTS_MAX = 500;

/**
 * The trading batches after a position, in order: at most about `bytesMax` of them, and at least
 * one if there is any. `through` says how far the log was read.
 */
export async function readBatches(
  db: Queryable,
  after: number,
  head: number,
  bytesMax: number,
): Promise<{ events: BatchEvent[]; through: number }> {
  const limit = Math.min(head, after + POSITIONS_MAX);
  const { rows } = await db.query<{ position: string; payload: string; at: Date }>({
    name: 'project read batches',
    text: `SELECT position::text, payload, at
             FROM (SELECT position, payload, at,
                          sum(octet_length(payload)) OVER (ORDER BY position) - octet_length(payload) AS before
                     FROM (SELECT position, payload, at FROM event_log
                            WHERE position > $1 AND position <= $2 AND type = 'trading_batch'
                            ORDER BY position LIMIT $4) AS page) AS sized
            WHERE before < $3 ORDER BY sized.position`,
    values: [after, limit, bytesMax, EVENTS_MAX],
  });
  const events = rows.map(({ position, payload, at }) => ({
    position: Number(position),
    payload,
    atMs: at.getTime(),
  }));
  // Events after the last of them may have been cut off by the limit.
  return { events, through: events.at(-1)?.position ?? limit };
}

export async function inTransactionOf<T>(
  client: pg.ClientBase,
  work: () => Promise<T>,
): Promise<T> {
  await client.query('BEGIN');
  try {
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}
