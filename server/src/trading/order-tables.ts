// Orders stand in two tables: live ones, whose rows change, and those that have ended, whose rows do not. An order moves
// from one to the other in one transaction, so a statement that reads both sees it once.
import { hash } from 'node:crypto';
import type { Order } from '@rialto/matching';
import { sql, type RawBuilder } from 'kysely';

/** The table of orders that have ended. It has a part for each day. */
export const ORDERS_NAME = 'trading_orders';

const LIVE: readonly string[] = ['pending', 'open', 'partially_filled'] satisfies Order['status'][];

/** Whether it has not ended. */
export const isLive = ({ status }: Pick<Order, 'status'>): boolean => LIVE.includes(status);

/** Every order that meets a condition on its own columns, in no order: a source of SQL. */
export const everyOrder = (columns: string, where = 'true'): string =>
  `(SELECT ${columns} FROM trading_live_orders WHERE ${where}
    UNION ALL SELECT ${columns} FROM trading_orders WHERE ${where})`;

/** The day on which the order of this id was placed: an expression of SQL. NULL of an id before all orders. */
export const dayOfOrder = (id: string): string =>
  `(SELECT day_ms FROM order_days WHERE first_order_id <= ${id} ORDER BY first_order_id DESC LIMIT 1)`;

/**
 * Ids of orders that may have the client id of a row with `account_id` and `client_order_id`: a source of SQL. The ids must
 * be compared too.
 */
export const idsOfClientId = (row: string): string =>
  `(SELECT order_id FROM order_client_ids WHERE client_key = client_key(${row}.account_id, ${row}.client_order_id)
    UNION ALL SELECT order_id FROM client_orders
     WHERE account_id = ${row}.account_id AND client_order_id = ${row}.client_order_id)`;

/** The number by which a client id is found. The function of this name in the database gives the same. */
export const clientKey = (account: number, clientOrderId: string): bigint => {
  // As text, because a buffer for each takes longer to make than the hash.
  const digest = Number.parseInt(hash('sha256', clientOrderId).slice(0, 8), 16);
  return BigInt.asIntN(64, (BigInt(account) << 32n) ^ BigInt(digest));
};

const BEFORE = `
  SELECT account_id, client_order_id, order_id, symbol, side, type, time_in_force, post_only, stp_mode, price_decimals,
         volume_decimals, price, stop_price, volume, visible_volume, total, expire_ms, trailing_delta, order_list_id,
         engine_seq FROM`;

/** Beside an order stand only those of its terms that were asked for otherwise. */
const ASKED = `
  SELECT account_id, client_order_id, order_id, symbol, side, type, time_in_force, post_only,
         coalesce(a ->> 'stpMode', '') AS stp_mode,
         coalesce((a ->> 'priceDecimals')::smallint, price_decimals) AS price_decimals,
         coalesce((a ->> 'volumeDecimals')::smallint, volume_decimals) AS volume_decimals,
         coalesce((a ->> 'price')::bigint, price, 0) AS price,
         coalesce((a ->> 'stopPrice')::bigint, stop_price, 0) AS stop_price,
         coalesce((a ->> 'volume')::bigint, volume) AS volume,
         coalesce((a ->> 'visibleVolume')::bigint, visible_volume, 0) AS visible_volume,
         coalesce((a ->> 'total')::numeric, total) AS total,
         coalesce((a ->> 'expireMs')::bigint, expire_ms, 0) AS expire_ms,
         trailing_delta, coalesce(order_list_id, 0) AS order_list_id,
         coalesce(accepted_seq, engine_seq) AS engine_seq`;

/** Orders of archived days, for `archived` as an expression of SQL. */
export const ordersFrom = (archived: string): string =>
  `json_populate_recordset(NULL::public.${ORDERS_NAME}, ${archived}::json)`;

/** Uses of client ids by such orders: a source of SQL. */
export const clientOrdersFrom = (archived: string): string =>
  `(${ASKED} FROM (SELECT *, nullif(asked, '')::jsonb AS a FROM ${ordersFrom(archived)}) AS o WHERE asked IS NOT NULL)`;

/** Every use of a client id with the terms that were asked for, those of before as they are stored: a source of SQL. */
export const everyClientOrder = (schema: string): string =>
  `(${BEFORE} ${schema}.client_orders
    UNION ALL ${ASKED} FROM (SELECT *, nullif(asked, '')::jsonb AS a FROM ${schema}.trading_live_orders) AS o WHERE asked IS NOT NULL
    UNION ALL ${ASKED} FROM (SELECT *, nullif(asked, '')::jsonb AS a FROM ${schema}.${ORDERS_NAME}) AS o WHERE asked IS NOT NULL)`;

/** Where an order is. */
export interface Place {
  readonly orderId: bigint;
  /** The day on which it was placed. */
  readonly dayMs: bigint;
}

/** Where a statement looks for orders. */
export type OrderTables = 'live' | 'ended' | 'both';

const NAMES: Readonly<Record<OrderTables, readonly string[]>> = {
  live: ['trading_live_orders'],
  ended: [ORDERS_NAME],
  both: ['trading_live_orders', ORDERS_NAME],
};

/** Which orders a statement reads, and where. */
export interface Looked {
  readonly tables: OrderTables;
  readonly condition: RawBuilder<unknown>;
  /** Some rows of archived days, as a JSON array; the statement reads these instead of the tables. */
  readonly archived?: string | undefined;
}

const sourcesOf = ({ tables, archived }: Pick<Looked, 'tables' | 'archived'>) =>
  archived === undefined
    ? NAMES[tables].map((name) => sql.raw(name))
    : [sql`json_populate_recordset(NULL::${sql.raw(ORDERS_NAME)}, ${archived}::json) AS archived`];

interface OrdersThat extends Looked {
  readonly columns: RawBuilder<unknown>;
  /** Orders and limits what is read of each table. */
  readonly page?: RawBuilder<unknown> | undefined;
}

/** Orders that meet a condition: a source of SQL for the query builder. */
export const ordersThat = ({
  columns,
  condition,
  page,
  ...from
}: OrdersThat): RawBuilder<unknown> =>
  sql`(${sql.join(
    sourcesOf(from).map(
      (source) => sql`(SELECT ${columns} FROM ${source} WHERE ${condition} ${page ?? sql``})`,
    ),
    sql` UNION ALL `,
  )})`;

/** Uses of client ids by orders that meet a condition, and those of before that meet another one: the same. */
export const clientOrdersThat = ({
  before,
  condition,
  ...from
}: Looked & {
  readonly before: RawBuilder<unknown>;
}): RawBuilder<unknown> => {
  const columns = sql`*, nullif(asked, '')::jsonb AS a`;
  const orders = ordersThat({
    ...from,
    columns,
    condition: sql`asked IS NOT NULL AND ${condition}`,
  });
  const asked = sql`${sql.raw(ASKED)} FROM ${orders} AS o`;
  // Those of before are in a table, whatever the day of their orders.
  if (from.archived !== undefined) return sql`(${asked})`;
  return sql`(${sql.raw(BEFORE)} ${sql.raw('client_orders')} WHERE ${before} UNION ALL ${asked})`;
};
