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
