// Reads orders whose places are known. Those that have ended stand in a table with a part for each day, and the id of an order tells
// the day on which it was placed; so a read by ids opens the parts of those days alone, however many there are. Orders of old days
// may be in files, whose rows go through the same statement.
import { sql, type RawBuilder } from 'kysely';
import { DAY_MS } from '../../platform/std/time.ts';
import type { Looked, Place } from '../order-tables.ts';
import {
  isRecent,
  readArchivedOrders,
  type History,
  type OrdersWanted,
} from '../projections/access.ts';

/** `read` gets what to look for, and where. */
export type ReadOrders<R> = (looked: Looked) => Promise<R[]>;

interface Found {
  readonly orderId: bigint | number;
}

export async function readPlaces<R extends Found>(
  history: History,
  wanted: OrdersWanted,
  read: ReadOrders<R>,
): Promise<R[]> {
  const found = await readTables(wanted.places, read);
  const places = missingOf(wanted.places, found);
  return [...found, ...(await readMissing(history, { ...wanted, places }, read))];
}

/** From the tables alone. */
export async function readTables<R>(places: readonly Place[], read: ReadOrders<R>): Promise<R[]> {
  if (places.length === 0) return [];
  return read({ condition: isAt(places), tables: 'both' });
}

/** Those that were not found. */
export function missingOf<P extends Place>(places: readonly P[], found: readonly Found[]): P[] {
  const ids = new Set(found.map(({ orderId }) => BigInt(orderId)));
  return places.filter(({ orderId }) => !ids.has(orderId));
}

/**
 * Orders that the tables did not have, from files. Days leave the tables between two statements, so whether a day is in a file
 * is asked after the tables were read. A rebuild brings days back: orders of days that are in no file now are looked for in
 * the tables once more. Beside that only ids of nobody or of another account are looked for twice.
 */
export async function readMissing<R>(
  history: History,
  { places, accountId }: OrdersWanted,
  read: ReadOrders<R>,
): Promise<R[]> {
  const old = places.filter(({ dayMs }) => !isRecent(dayMs));
  if (old.length === 0) return [];
  const { archived, places: inFiles } = await readArchivedOrders(history, {
    places: old,
    accountId,
  });
  const rows =
    inFiles.length === 0 ? [] : await read({ condition: isAt(inFiles), tables: 'ended', archived });
  const others = missingOf(old, inFiles);
  return [...rows, ...(await readTables(others, read))];
}

function isAt(places: readonly Place[]): RawBuilder<unknown> {
  const days = [...new Set(places.map(({ dayMs }) => dayMs))].map(
    (dayMs) => sql`(created_ms >= ${dayMs} AND created_ms < ${dayMs + BigInt(DAY_MS)})`,
  );
  const ids = [...new Set(places.map(({ orderId }) => orderId))];
  return sql`order_id = ANY(${ids}::bigint[]) AND (${sql.join(days, sql` OR `)})`;
}
