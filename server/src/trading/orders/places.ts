// Reads orders whose places are known. Those that have ended stand in a table with a part for each day, and the id of an order tells
// the day on which it was placed; so a read by ids opens the parts of those days alone, however many there are.
import { sql, type RawBuilder } from 'kysely';
import { DAY_MS } from '../../platform/std/time.ts';
import type { Looked } from '../order-tables.ts';
import type { Place } from './store.ts';

/** `read` gets what to look for, and where. */
export async function readPlaces<R>(
  places: readonly Place[],
  read: (looked: Looked) => Promise<R[]>,
): Promise<R[]> {
  if (places.length === 0) return [];
  return read({ condition: isAt(places), tables: 'both' });
}

function isAt(places: readonly Place[]): RawBuilder<unknown> {
  const days = [...new Set(places.map(({ dayMs }) => dayMs))].map(
    (dayMs) => sql`(created_ms >= ${dayMs} AND created_ms < ${dayMs + BigInt(DAY_MS)})`,
  );
  const ids = [...new Set(places.map(({ orderId }) => orderId))];
  return sql`order_id = ANY(${ids}::bigint[]) AND (${sql.join(days, sql` OR `)})`;
}
