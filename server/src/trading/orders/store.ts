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
import { clientOrderOf, ordersNamed } from '../order-tables.ts';
import type { OrderName } from './name.ts';
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

export interface Recalled {
  readonly checkpoint: number;
  readonly known: ClientOrder[];
}

interface ClientOrderRow extends Omit<ClientOrder, 'total'> {
  readonly engineSeq: bigint;
  readonly accountId: bigint;
  readonly total: string;
}

/**
 * The earlier uses of client ids, for many callers at once, and the engine event up to which that
 * is complete. One statement reads both, so they belong to one state of the database.
 */
export async function findClientOrders(
  pool: pg.Pool,
  asked: readonly UsedIds[],
): Promise<Recalled[]> {
  const wanted = asked.flatMap(({ accountId, clientOrderIds }) =>
    clientOrderIds.map((id) => [accountId, id] as const),
  );
  const { rows } = await pool.query<ClientOrderRow | NoClientOrder>({
    name: 'find-client-orders',
    text: `SELECT p.engine_seq AS "engineSeq", c.account_id AS "accountId",
                  c.client_order_id AS "clientOrderId", c.order_id AS "orderId", c.symbol, c.side, c.type,
                  c.time_in_force AS "timeInForce", c.post_only AS "postOnly", c.stp_mode AS "stpMode",
                  c.price_decimals AS "priceDecimals", c.volume_decimals AS "volumeDecimals", c.price,
                  c.stop_price AS "stopPrice", c.volume, c.visible_volume AS "visibleVolume",
                  c.total::text AS total, c.expire_ms AS "expireMs", c.engine_seq AS "acceptedSeq",
                  c.trailing_delta AS "trailingDelta", c.order_list_id AS "orderListId"
             FROM projection_checkpoints p
             LEFT JOIN (unnest($2::bigint[], $3::text[]) AS wanted (account_id, client_order_id)
                        CROSS JOIN LATERAL ${clientOrderOf('wanted')} AS c) ON true
            WHERE p.shard = $1`,
    values: [SHARD, wanted.map(([accountId]) => accountId), wanted.map(([, id]) => id)],
  });
  const known = new Map<string, ClientOrder>();
  for (const row of rows) {
    // The join is by the whole key, so either all of it is there or none.
    if (row.clientOrderId === null) continue;
    const { engineSeq: _, accountId, total, ...terms } = row;
    known.set(`${accountId} ${terms.clientOrderId}`, { ...terms, total: BigInt(total) });
  }
  // Engine events are counted one by one; 2^53 of them are never reached.
  const checkpoint = Number(rows[0]?.engineSeq ?? 0n);
  return asked.map(({ accountId, clientOrderIds }) => ({
    checkpoint,
    known: clientOrderIds.flatMap((id) => known.get(`${accountId} ${id}`) ?? []),
  }));
}

interface NoClientOrder {
  readonly engineSeq: bigint;
  readonly clientOrderId: null;
}

export async function listOrdersByName(
  db: Db,
  accountId: bigint,
  names: readonly OrderName[],
): Promise<EngineOrder[]> {
  const ids = names.flatMap((name) => ('orderId' in name ? [name.orderId] : []));
  const clientIds = names.flatMap((name) => ('clientOrderId' in name ? [name.clientOrderId] : []));
  const named = sql`account_id = ${accountId} AND order_id = ANY(
    ${ids}::bigint[] || ARRAY(
      SELECT c.order_id FROM (SELECT ${accountId}::bigint AS account_id, unnest(${clientIds}::text[]) AS client_order_id)
        AS wanted CROSS JOIN LATERAL ${sql.raw(clientOrderOf('wanted'))} AS c))`;
  return listFromBoth(db, named);
}

/** Orders that meet a condition, live ones and those that have ended, in one snapshot. `page` orders and limits each half. */
async function listFromBoth(
  db: Db,
  condition: RawBuilder<unknown>,
  page = sql``,
): Promise<EngineOrder[]> {
  const { rows } = await sql<Selectable<TradingOrders>>`
    SELECT * FROM ((SELECT * FROM trading_live_orders WHERE ${condition} ${page})
                   UNION ALL (SELECT * FROM trading_orders WHERE ${condition} ${page})) AS o ${page}`.execute(
    db,
  );
  return rows.map(toEngineOrder);
}

/** An order of any account: for operators. A client id is unique only within an account. */
export async function findOrderOfAnybody(
  db: Db,
  name:
    { readonly orderId: bigint } | { readonly accountId: bigint; readonly clientOrderId: string },
): Promise<EngineOrder | undefined> {
  if ('accountId' in name) return (await listOrdersByName(db, name.accountId, [name]))[0];
  return (await listFromBoth(db, sql`order_id = ${name.orderId}`))[0];
}

export interface OrderFilter {
  readonly symbol?: string | undefined;
  readonly status?: string | undefined;
  readonly side?: string | undefined;
  readonly type?: string | undefined;
}

/** By time of creation; one more than the page holds. */
export async function listOrders(
  db: Db,
  accountId: bigint,
  filter: OrderFilter,
  page: PageQuery,
): Promise<EngineOrder[]> {
  const all = [sql`account_id = ${accountId}`];
  for (const column of ['symbol', 'status', 'side', 'type'] as const) {
    if (filter[column] !== undefined) all.push(sql`${sql.ref(column)} = ${filter[column]}`);
  }
  if (page.from !== undefined) all.push(sql`created_ms >= ${page.from}`);
  if (page.to !== undefined) all.push(sql`created_ms < ${page.to}`);
  const direction = sql.raw(page.sort);
  if (page.after !== undefined) {
    const { ms, id } = page.after;
    const than = sql.raw(page.sort === 'asc' ? '>' : '<');
    all.push(sql`(created_ms, order_id) ${than} (${ms}::bigint, ${id}::bigint)`);
  }
  return listFromBoth(
    db,
    sql.join(all, sql` AND `),
    sql`ORDER BY created_ms ${direction}, order_id ${direction} LIMIT ${page.limit + 1}`,
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
): Promise<SideOfTrade[]> {
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
    ${PLANNED_EACH_TIME} SELECT s.*, o.client_order_id, o.type AS order_type
      FROM (${half('buyer', 'buy')} UNION ALL ${half('seller', 'sell')}) s
     CROSS JOIN LATERAL ${sql.raw(ordersNamed('s.order_id', 'client_order_id, type'))} AS o
     ORDER BY s.time_ms ${direction}, s.trade_id ${direction} LIMIT ${limit}`.execute(db);
  return rows.map((row) => ({
    ...row,
    total: BigInt(row.total),
    fee: BigInt(row.fee),
    rebate: BigInt(row.rebate),
  }));
}

interface TradeRow extends Omit<SideOfTrade, 'total' | 'fee' | 'rebate'> {
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
