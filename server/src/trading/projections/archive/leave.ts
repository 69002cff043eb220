// What a day of each table needs when it leaves: which days a part has, and what of them stays in tables.
import { ORDERS_NAME } from '../../order-tables.ts';
import type { Queryable } from '../bulk.ts';
import { closeLedger } from '../ledger/totals.ts';
import { closeFills } from './fills.ts';
import type { Source } from './sources.ts';
import type { Days } from './store.ts';

/** By the candles that are written with the trades. If a day were missing, the part would not be dropped. */
const TRADED_DAYS = `
  SELECT DISTINCT c.start_ms::text AS day_ms, c.start_ms FROM markets m JOIN candles c USING (symbol)
   WHERE c.minutes = 1440 AND c.start_ms >= $1::bigint AND c.start_ms < $2::bigint ORDER BY c.start_ms`;

/** By the list that is written with the orders, in the same way. */
const PLACED_DAYS = `
  SELECT day_ms::text FROM order_days
   WHERE day_ms >= $1::bigint AND day_ms < $2::bigint ORDER BY order_days.day_ms`;

/** Days of which a part has rows. */
export async function listDaysOfPart(
  db: Queryable,
  { name }: Pick<Source, 'name'>,
  { fromMs, toMs }: Days,
): Promise<bigint[]> {
  const text = name === ORDERS_NAME ? PLACED_DAYS : TRADED_DAYS;
  const { rows } = await db.query<{ day_ms: string }>(text, [fromMs, toMs]);
  return rows.map((row) => BigInt(row.day_ms));
}

/** Keeps what audits and statements need of a day, in the transaction that drops it. Of orders that is nothing. */
export async function closeDay(
  db: Queryable,
  { name }: Pick<Source, 'name'>,
  dayMs: bigint,
): Promise<void> {
  if (name === ORDERS_NAME) return;
  await closeLedger(db, dayMs);
  await closeFills(db, dayMs);
}
