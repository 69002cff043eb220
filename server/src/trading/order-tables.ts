// Orders stand in two tables: live ones, whose rows change, and those that have ended, whose rows do not. An order moves
// from one to the other in one transaction, so a statement that reads both sees it once.
import type { Order } from '@rialto/matching';

const LIVE: readonly string[] = ['pending', 'open', 'partially_filled'] satisfies Order['status'][];

/** Whether it has not ended. */
export const isLive = ({ status }: Pick<Order, 'status'>): boolean => LIVE.includes(status);

/** Every order that meets a condition on its own columns, in no order: a source of SQL. */
export const everyOrder = (columns: string, where = 'true'): string =>
  `(SELECT ${columns} FROM trading_live_orders WHERE ${where}
    UNION ALL SELECT ${columns} FROM trading_orders WHERE ${where})`;

/** The order of this id: a source of SQL. */
export const ordersNamed = (id: string, columns: string): string =>
  everyOrder(columns, `order_id = ${id}`);

/** The number by which a client id is found; the ids must be compared too. An expression of two indices. */
const keyOf = (of: string): string =>
  `((${of}account_id << 32) # (hashtext(${of}client_order_id)::bigint & 4294967295))`;

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

/** Every use of a client id with the terms that were asked for, those of before as they are stored: a source of SQL. */
export const everyClientOrder = (schema: string): string =>
  clientOrders(`${schema}.`, 'true', 'asked IS NOT NULL');

/** The use of a client id, of a row with `account_id` and `client_order_id`: a source of SQL. */
export const clientOrderOf = (row: string): string => {
  const isNamed = `account_id = ${row}.account_id AND client_order_id = ${row}.client_order_id`;
  return clientOrders(
    '',
    isNamed,
    `asked IS NOT NULL AND ${keyOf('')} = ${keyOf(`${row}.`)} AND ${isNamed}`,
  );
};

const clientOrders = (schema: string, stored: string, asked: string): string =>
  `(SELECT account_id, client_order_id, order_id, symbol, side, type, time_in_force, post_only, stp_mode, price_decimals,
           volume_decimals, price, stop_price, volume, visible_volume, total, expire_ms, trailing_delta, order_list_id,
           engine_seq FROM ${schema}client_orders WHERE ${stored}
    UNION ALL ${ASKED} FROM (SELECT *, nullif(asked, '')::jsonb AS a FROM ${schema}trading_live_orders WHERE ${asked}) AS o
    UNION ALL ${ASKED} FROM (SELECT *, nullif(asked, '')::jsonb AS a FROM ${schema}trading_orders WHERE ${asked}) AS o)`;
