// The tables whose old days go into files, and the rows of a day in the two orders in which a file has them.
import { ORDERS_NAME } from '../../order-tables.ts';
import { TRADES_NAME } from '../../trade-tables.ts';
import type { Section } from './format.ts';

export interface Source {
  readonly name: string;
  /** The time and the id of a row. */
  readonly time: string;
  readonly id: string;
  /** The first has every row once. */
  readonly sections: readonly [SectionOfSource, SectionOfSource];
}

interface SectionOfSource {
  readonly section: Section;
  /** A statement for the rows from `$1` until before `$2`. */
  readonly rows: string;
}

const tradesOfDay = `FROM ${TRADES_NAME} AS t WHERE t.time_ms >= $1::bigint AND t.time_ms < $2::bigint`;
const tradeLine = 't.time_ms::text AS ms, row_to_json(t)::text AS line';

const TRADES: Source = {
  name: TRADES_NAME,
  time: 'time_ms',
  id: 'trade_id',
  sections: [
    {
      section: 'market',
      rows: `SELECT t.symbol AS key, ${tradeLine} ${tradesOfDay} ORDER BY t.symbol COLLATE "C", t.time_ms, t.trade_id`,
    },
    {
      section: 'account',
      // Once where an account trades with itself.
      rows: `SELECT lpad(account_id::text, 19, '0') AS key, ms,
                    '{"account_id":' || account_id || ',' || substr(line, 2) AS line
               FROM (SELECT t.buyer_account_id AS account_id, t.trade_id, t.time_ms, ${tradeLine} ${tradesOfDay}
                     UNION ALL
                     SELECT t.seller_account_id, t.trade_id, t.time_ms, ${tradeLine} ${tradesOfDay}
                        AND t.seller_account_id <> t.buyer_account_id) AS sides
              ORDER BY account_id, time_ms, trade_id`,
    },
  ],
};

const orderLine = 'o.created_ms::text AS ms, row_to_json(o)::text AS line';
const ordersOfDay = `FROM ${ORDERS_NAME} AS o WHERE o.created_ms >= $1::bigint AND o.created_ms < $2::bigint`;

const ORDERS: Source = {
  name: ORDERS_NAME,
  time: 'created_ms',
  id: 'order_id',
  sections: [
    {
      section: 'order',
      rows: `SELECT lpad(o.order_id::text, 19, '0') AS key, ${orderLine} ${ordersOfDay} ORDER BY o.order_id`,
    },
    {
      section: 'account',
      rows: `SELECT lpad(o.account_id::text, 19, '0') AS key, ${orderLine} ${ordersOfDay}
              ORDER BY o.account_id, o.created_ms, o.order_id`,
    },
  ],
};

export const SOURCES: readonly Source[] = [TRADES, ORDERS];

export function sourceOf(name: string): Source {
  const source = SOURCES.find((one) => one.name === name);
  if (source === undefined) {
    throw new Error(
      `A file has rows of ${name}, and this release knows ${SOURCES.map((one) => one.name).join(' and ')}. Use the release that wrote it.`,
    );
  }
  return source;
}
