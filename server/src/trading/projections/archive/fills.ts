// What is kept of the fills of an archived day: sums of those orders alone that trade on after it, or still can. The audit
// adds them to the trades that are in the table.
import { dayOfOrder } from '../../order-tables.ts';
import type { Queryable } from '../bulk.ts';
import { DAY_MS } from '../../../platform/std/time.ts';

const OF_DAY = `FROM trading_trades WHERE time_ms >= $1::bigint AND time_ms < $1::bigint + ${DAY_MS}`;

export async function closeFills(db: Queryable, dayMs: bigint): Promise<void> {
  await db.query(
    `INSERT INTO archived_fills (order_id, day_ms, total, fee)
     SELECT s.order_id, $1::bigint, s.total, s.fee
       FROM (SELECT order_id, sum(total) AS total, sum(fee) AS fee
               FROM (SELECT buyer_order_id AS order_id, total, buyer_fee AS fee ${OF_DAY}
                     UNION ALL SELECT seller_order_id, total, seller_fee ${OF_DAY}) AS sides
              GROUP BY order_id) AS s
      -- The day of an order says in which part it is.
      CROSS JOIN LATERAL (SELECT ${dayOfOrder('s.order_id')} AS day_ms) AS placed
      WHERE EXISTS (SELECT FROM trading_live_orders WHERE order_id = s.order_id
                    UNION ALL SELECT FROM trading_orders
                     WHERE order_id = s.order_id AND created_ms >= placed.day_ms AND created_ms < placed.day_ms + ${DAY_MS}
                       AND last_trade_ms >= $1::bigint + ${DAY_MS})`,
    [dayMs],
  );
}
