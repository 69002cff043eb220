// Orders and trades as the projector wrote them.
import type { Order as EngineOrder } from '@rialto/matching';
import type { Selectable } from 'kysely';
import { sql, type RawBuilder } from 'kysely';
import type pg from 'pg';
import type { Db } from '../../platform/db/pool.ts';
import { PLANNED_EACH_TIME } from '../../platform/db/prepared.ts';
import type { TradingOrders } from '../../platform/db/schema.generated.ts';
import type { PageQuery } from '../pages.ts';
import { tradesOf, type Stretch } from '../trade-tables.ts';
import {
  clientOrdersThat,
  dayOfOrder,
  idsOfClientId,
  ordersThat,
  type Looked,
  type OrderTables,
  type Place,
} from '../order-tables.ts';
import type { KeptTerms } from './terms.ts';
import type { SideOfTrade } from './trade.ts';

/** The engine's first shard is the only one so far. */
const SHARD = 0;

export interface ClientOrder extends KeptTerms {
  readonly clientOrderId: string;
  readonly orderId: bigint;
  /** The engine event that took it; zero where it was projected by a release that did not keep it. */
  readonly acceptedSeq: bigint;
}

/** Client ids of one account. */
export interface UsedIds {
  readonly accountId: bigint;
  readonly clientOrderIds: readonly string[];
}

type Nullable<T> = { readonly [K in keyof T]: T[K] | null };

// An id before all orders has no day.
const toPlaces = (rows: readonly Nullable<Place>[]): Place[] =>
  rows.flatMap(({ orderId, dayMs }) =>
    orderId === null || dayMs === null ? [] : [{ orderId, dayMs }],
  );

/** Where these orders are, if they exist. */
export async function findPlaces(db: Db, ids: readonly bigint[]): Promise<Place[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Nullable<Place>>`
    SELECT w.order_id, ${sql.raw(dayOfOrder('w.order_id'))} AS day_ms
      FROM unnest(${ids}::bigint[]) AS w (order_id)`.execute(db);
  return toPlaces(rows);
}

/** Where orders are that may have these client ids of one account. */
export async function findPlacesOfClientIds(
  db: Db,
  { accountId, clientOrderIds }: UsedIds,
): Promise<Place[]> {
  if (clientOrderIds.length === 0) return [];
  const { rows } = await sql<Nullable<Place>>`
    SELECT u.order_id, ${sql.raw(dayOfOrder('u.order_id'))} AS day_ms
      FROM (SELECT ${accountId}::bigint AS account_id, unnest(${clientOrderIds}::text[]) AS client_order_id) AS wanted
     CROSS JOIN LATERAL ${sql.raw(idsOfClientId('wanted'))} AS u`.execute(db);
  return toPlaces(rows);
}

/** Client ids of any accounts, in two lists of one length. */
export interface ClientIds {
  readonly accountIds: readonly bigint[];
  readonly clientOrderIds: readonly string[];
}

/** Where an order is that may have a client id of an account. */
export interface Use extends Place {
  readonly accountId: bigint;
  readonly clientOrderId: string;
}

/** The same of many accounts, and the engine event up to which that is complete, as one statement sees them. */
export async function findUses(
  pool: pg.Pool,
  { accountIds, clientOrderIds }: ClientIds,
): Promise<{ readonly checkpoint: number; readonly uses: Use[] }> {
  const { rows } = await pool.query<Nullable<Use> & { readonly engineSeq: bigint }>({
    name: 'find-client-orders',
    text: `SELECT p.engine_seq AS "engineSeq", u.order_id AS "orderId", ${dayOfOrder('u.order_id')} AS "dayMs",
                  wanted.account_id AS "accountId", wanted.client_order_id AS "clientOrderId"
             FROM projection_checkpoints p
             LEFT JOIN (unnest($2::bigint[], $3::text[]) AS wanted (account_id, client_order_id)
                        CROSS JOIN LATERAL ${idsOfClientId('wanted')} AS u) ON true
            WHERE p.shard = $1`,
    values: [SHARD, accountIds, clientOrderIds],
  });
  // Engine events are counted one by one; 2^53 of them are never reached.
  const checkpoint = Number(rows[0]?.engineSeq ?? 0n);
  const uses = rows.flatMap(({ orderId, dayMs, accountId, clientOrderId }) =>
    orderId === null || dayMs === null || accountId === null || clientOrderId === null
      ? []
      : [{ orderId, dayMs, accountId, clientOrderId }],
  );
  return { checkpoint, uses };
}

export interface ClientOrderOfAccount extends ClientOrder {
  readonly accountId: bigint;
}

/** The uses of client ids by some orders, and by those of before. */
export async function listClientOrders(
  db: Db,
  { condition, ...from }: Looked,
  { accountIds, clientOrderIds }: ClientIds,
): Promise<ClientOrderOfAccount[]> {
  const before = sql`(account_id, client_order_id) IN (
    SELECT * FROM unnest(${accountIds}::bigint[], ${clientOrderIds}::text[]))`;
  const uses = clientOrdersThat({ ...from, condition: sql`${condition} AND ${before}`, before });
  const { rows } = await sql<ClientOrderRow>`${PLANNED_EACH_TIME}
    SELECT account_id, client_order_id, order_id, symbol, side, type, time_in_force, post_only, stp_mode, price_decimals,
           volume_decimals, price, stop_price, volume, visible_volume, total::text AS total, expire_ms,
           engine_seq AS accepted_seq, trailing_delta, order_list_id
      FROM ${uses} AS c`.execute(db);
  return rows.map((row) => ({ ...row, total: BigInt(row.total) }));
}

interface ClientOrderRow extends Omit<ClientOrderOfAccount, 'total'> {
  readonly total: string;
}

export type OrderWords = Pick<Selectable<TradingOrders>, 'orderId' | 'clientOrderId' | 'type'>;

/** What trades show of their orders. */
export async function listOrderWords(db: Db, looked: Looked): Promise<OrderWords[]> {
  const orders = ordersThat({ ...looked, columns: sql`order_id, client_order_id, type` });
  const { rows } = await sql<OrderWords>`${PLANNED_EACH_TIME} SELECT * FROM ${orders} AS o`.execute(
    db,
  );
  return rows;
}

/** Those of some orders that an account gave these names. */
export const listOrdersNamed = (
  db: Db,
  { condition, ...from }: Looked,
  { accountId, clientOrderIds, ids }: UsedIds & { readonly ids: readonly bigint[] },
): Promise<EngineOrder[]> =>
  listOrdersThat(db, {
    ...from,
    condition: sql`${condition} AND account_id = ${accountId}
      AND (order_id = ANY(${ids}::bigint[]) OR client_order_id = ANY(${clientOrderIds}::text[]))`,
  });

/** Orders that meet a condition, in one snapshot of all the tables. `page` orders and limits each. */
export async function listOrdersThat(
  db: Db,
  looked: Looked,
  page?: RawBuilder<unknown>,
): Promise<EngineOrder[]> {
  const orders = ordersThat({ ...looked, columns: sql`*`, page });
  const { rows } = await sql<
    Selectable<TradingOrders>
  >`${PLANNED_EACH_TIME} SELECT * FROM ${orders} AS o ${page ?? sql``}`.execute(db);
  return rows.map(toEngineOrder);
}

export interface OrderFilter {
  readonly symbol?: string | undefined;
  readonly status?: string | undefined;
  readonly side?: string | undefined;
  readonly type?: string | undefined;
}

export interface OrdersWanted extends Pick<PageQuery, 'from' | 'to' | 'sort' | 'after' | 'limit'> {
  readonly tables: OrderTables;
  readonly archived?: string | undefined;
}

/** Some orders of an account by time of creation. */
export function listOrdersWithin(
  db: Db,
  accountId: bigint,
  filter: OrderFilter,
  { from, to, sort, after, limit, tables, archived }: OrdersWanted,
): Promise<EngineOrder[]> {
  const all = [sql`account_id = ${accountId}`];
  for (const column of ['symbol', 'status', 'side', 'type'] as const) {
    if (filter[column] !== undefined) all.push(sql`${sql.ref(column)} = ${filter[column]}`);
  }
  if (from !== undefined) all.push(sql`created_ms >= ${from}`);
  if (to !== undefined) all.push(sql`created_ms < ${to}`);
  const direction = sql.raw(sort);
  if (after !== undefined) {
    const { ms, id } = after;
    const than = sql.raw(sort === 'asc' ? '>' : '<');
    all.push(sql`(created_ms, order_id) ${than} (${ms}::bigint, ${id}::bigint)`);
  }
  return listOrdersThat(
    db,
    { tables, archived, condition: sql.join(all, sql` AND `) },
    sql`ORDER BY created_ms ${direction}, order_id ${direction} LIMIT ${limit}`,
  );
}

/** Ids, ticks and lots are below 2^53 by the core's own bounds, and so are times. The number of NULL is zero, as meant. */
function toEngineOrder(row: Selectable<TradingOrders>): EngineOrder {
  return {
    orderId: Number(row.orderId),
    account: Number(row.accountId),
    clientOrderId: row.clientOrderId,
    symbol: row.symbol,
    // The projector wrote the core's own words.
    side: row.side as EngineOrder['side'],
    type: row.type as EngineOrder['type'],
    timeInForce: row.timeInForce as EngineOrder['timeInForce'],
    postOnly: row.postOnly,
    stpMode: row.stpMode as EngineOrder['stpMode'],
    priceDecimals: row.priceDecimals,
    volumeDecimals: row.volumeDecimals,
    price: Number(row.price),
    stopPrice: Number(row.stopPrice),
    trailingDelta: row.trailingDelta,
    orderListId: Number(row.orderListId),
    orderListKind: row.orderListKind as EngineOrder['orderListKind'],
    volume: Number(row.volume),
    total: BigInt(row.total),
    visibleVolume: Number(row.visibleVolume),
    filledVolume: Number(row.filledVolume),
    remainingVolume: Number(row.remainingVolume),
    preventedVolume: Number(row.preventedVolume),
    filledTotal: BigInt(row.filledTotal),
    fee: BigInt(row.fee),
    rebate: BigInt(row.rebate),
    held: BigInt(row.held),
    status: row.status as EngineOrder['status'],
    statusReason: row.statusReason as EngineOrder['statusReason'],
    createdAt: Number(row.createdMs),
    updatedAt: Number(row.updatedMs),
    lastTradeAt: Number(row.lastTradeMs),
    triggeredAt: Number(row.triggeredMs),
    expireTime: Number(row.expireMs),
    engineSeq: Number(row.engineSeq),
  };
}

export interface TradeFilter {
  readonly symbol?: string | undefined;
  readonly orderId?: bigint | undefined;
  readonly fromId?: bigint | undefined;
  /** Only what had happened by this engine event. */
  readonly throughSeq?: bigint | undefined;
}

export interface TradesWanted extends Stretch, Pick<PageQuery, 'sort' | 'limit' | 'after'> {}

/** Each side is read by its own index and limited before both are merged; no account trades with itself, so none occurs twice. */
export async function listTradesWithin(
  db: Db,
  accountId: bigint,
  filter: TradeFilter,
  { fromMs, toMs, archived, sort, limit, after }: TradesWanted,
): Promise<TradeOfOrder[]> {
  const direction = sql.raw(sort);
  const trades = tradesOf({ fromMs, toMs, archived });
  const conditions = (side: 'buyer' | 'seller') => {
    const all = [
      sql`t.${sql.ref(`${side}AccountId`)} = ${accountId}`,
      sql`t.time_ms >= ${fromMs} AND t.time_ms < ${toMs}`,
    ];
    if (filter.symbol !== undefined) all.push(sql`t.symbol = ${filter.symbol}`);
    if (filter.orderId !== undefined) {
      all.push(sql`t.${sql.ref(`${side}OrderId`)} = ${filter.orderId}`);
    }
    if (filter.fromId !== undefined) all.push(sql`t.trade_id >= ${filter.fromId}`);
    if (filter.throughSeq !== undefined) all.push(sql`t.engine_seq <= ${filter.throughSeq}`);
    if (after !== undefined) {
      const { ms, id } = after;
      const than = sql.raw(sort === 'asc' ? '>' : '<');
      all.push(sql`(t.time_ms, t.trade_id) ${than} (${ms}::bigint, ${id}::bigint)`);
    }
    return sql.join(all, sql` AND `);
  };
  const half = (side: 'buyer' | 'seller', word: 'buy' | 'sell') => sql`
    (SELECT t.trade_id, t.symbol, t.price_decimals, t.volume_decimals, t.price, t.volume, t.total,
            t.rebate, t.time_ms, t.engine_seq, ${word} AS side, t.taker_side <> ${word} AS is_maker,
            t.${sql.ref(`${side}OrderId`)} AS order_id, t.${sql.ref(`${side}FeePpm`)} AS fee_ppm,
            t.${sql.ref(`${side}Fee`)} AS fee
       FROM ${trades} AS t WHERE ${conditions(side)}
      ORDER BY t.time_ms ${direction}, t.trade_id ${direction} LIMIT ${limit})`;
  const { rows } = await sql<TradeRow>`
    ${PLANNED_EACH_TIME} SELECT * FROM (${half('buyer', 'buy')} UNION ALL ${half('seller', 'sell')}) s
     ORDER BY time_ms ${direction}, trade_id ${direction} LIMIT ${limit}`.execute(db);
  return rows.map((row) => ({
    ...row,
    total: BigInt(row.total),
    fee: BigInt(row.fee),
    rebate: BigInt(row.rebate),
  }));
}

/** A side of a trade without what it shows of its order. */
export type TradeOfOrder = Omit<SideOfTrade, 'clientOrderId' | 'orderType'>;

interface TradeRow extends Omit<TradeOfOrder, 'total' | 'fee' | 'rebate'> {
  readonly total: string;
  readonly fee: string;
  readonly rebate: string;
}

/**
 * Counts orders against the account's ceiling of the day; returns false, and counts nothing, when
 * they would pass it. One row per account, which starts again each day, so the table does not grow.
 */
export async function takeOrderQuota(
  db: Db,
  accountId: bigint,
  day: string,
  { count, ceiling }: { count: number; ceiling: number },
): Promise<boolean> {
  if (count > ceiling) return false;
  const { rows } = await sql`
    INSERT INTO order_quotas (account_id, day, used) VALUES (${accountId}, ${day}::date, ${count})
    ON CONFLICT (account_id) DO UPDATE
       SET day = excluded.day,
           used = CASE WHEN order_quotas.day = excluded.day THEN order_quotas.used ELSE 0 END
                  + excluded.used
     WHERE order_quotas.day <> excluded.day OR order_quotas.used + excluded.used <= ${ceiling}
    RETURNING 1`.execute(db);
  return rows.length === 1;
}

export async function returnOrderQuota(
  db: Db,
  accountId: bigint,
  day: string,
  count: number,
): Promise<void> {
  await sql`UPDATE order_quotas SET used = greatest(0, used - ${count})
             WHERE account_id = ${accountId} AND day = ${day}::date`.execute(db);
}
