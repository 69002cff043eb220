// Trades have a part of their table for each day. A statement that names its times opens only the parts of those days,
// so trades are read in stretches of days, until a page is full. Which days have trades of an account or a market is
// known from its volumes and its daily candles, so the number of parts does not matter.
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
import { DAY_MS } from '../../platform/std/time.ts';

/** Whose trades: of an account, perhaps in one market or one coin, or of a market. */
export type TradesOf =
  | {
      readonly accountId: bigint;
      readonly symbol?: string | undefined;
      readonly coin?: string | undefined;
    }
  | { readonly symbol: string; readonly accountId?: undefined };

/** From a time on, and until before another one. */
export interface Stretch {
  readonly fromMs: bigint;
  readonly toMs: bigint;
}

export interface Walk {
  readonly sort: 'asc' | 'desc';
  readonly limit: number;
  readonly fromMs?: bigint | undefined;
  readonly toMs?: bigint | undefined;
}

const DAY = BigInt(DAY_MS);
/** No time lies beyond it. */
const END_MS = 10n ** 16n;
/** Days that are looked up together. */
const DAYS_AT_ONCE = 32;
/** Days of trades that one statement reads, and how far the first and the last of them may lie apart. */
const STRETCH_DAYS_MAX = 16;
const STRETCH_SPAN_MAX = 31n * DAY;
/** A century. */
const DAYS_MAX = 36_525;

export const dayOf = (ms: bigint): bigint => ms - (ms % DAY);

/**
 * Reads rows of trades in order. `read` gets a stretch and how many rows are wanted of it at most, and returns them in
 * the order of the walk.
 */
export async function walkDays<R>(
  db: Db,
  of: TradesOf,
  { sort, limit, fromMs = 0n, toMs = END_MS }: Walk,
  read: (stretch: Stretch, limit: number) => Promise<R[]>,
): Promise<R[]> {
  const rows: R[] = [];
  for await (const stretch of stretchesOf(db, of, { fromMs, toMs }, sort)) {
    rows.push(...(await read(stretch, limit - rows.length)));
    if (rows.length >= limit) break;
  }
  return rows;
}

/** First one day, then more at a time: most pages are full after the first. */
async function* stretchesOf(
  db: Db,
  of: TradesOf,
  within: Stretch,
  sort: 'asc' | 'desc',
): AsyncGenerator<Stretch> {
  let { fromMs, toMs } = within;
  let size = 1;
  while (fromMs < toMs) {
    const isOneDay = dayOf(fromMs) === dayOf(toMs - 1n);
    const days = isOneDay
      ? [dayOf(fromMs)]
      : await listDays(db, of, { fromMs, toMs }, sort, DAYS_AT_ONCE);
    for (let at = 0; at < days.length;) {
      const first = days[at] ?? 0n;
      const near = days
        .slice(at, at + size)
        .filter((day) => (day > first ? day - first : first - day) <= STRETCH_SPAN_MAX);
      yield cut(near, within);
      at += near.length;
      size = Math.min(size * 2, STRETCH_DAYS_MAX);
    }
    if (isOneDay || days.length < DAYS_AT_ONCE) return;
    const last = days.at(-1) ?? 0n;
    if (sort === 'asc') fromMs = last + DAY;
    else toMs = last;
  }
}

/** All of some days that lies within bounds. */
function cut(days: readonly bigint[], { fromMs, toMs }: Stretch): Stretch {
  const [one = 0n, other = 0n] = [days[0], days.at(-1)];
  const first = one < other ? one : other;
  const past = (one < other ? other : one) + DAY;
  return { fromMs: first > fromMs ? first : fromMs, toMs: past < toMs ? past : toMs };
}

/** The days on which there are such trades. */
export async function listDays(
  db: Db,
  of: TradesOf,
  { fromMs, toMs }: Stretch,
  sort: 'asc' | 'desc',
  limit: number,
): Promise<bigint[]> {
  const order = sql.raw(sort);
  const days: RawBuilder<{ dayMs: bigint }> =
    of.accountId === undefined
      ? sql`SELECT start_ms AS day_ms FROM candles
             WHERE symbol = ${of.symbol} AND minutes = 1440 AND start_ms >= ${dayOf(fromMs)} AND start_ms < ${toMs}
             ORDER BY start_ms ${order} LIMIT ${limit}`
      : // Each market by its own place in the index: there are few of them, and many days.
        sql`SELECT DISTINCT d.day_ms
              FROM markets m CROSS JOIN LATERAL
                   (SELECT day_ms FROM account_volumes v
                     WHERE v.account_id = ${of.accountId} AND v.symbol = m.symbol
                       AND v.day_ms >= ${dayOf(fromMs)} AND v.day_ms < ${toMs}
                     ORDER BY v.day_ms ${order} LIMIT ${limit}) d
             WHERE (${of.symbol ?? null}::text IS NULL OR m.symbol = ${of.symbol ?? null})
               AND (${of.coin ?? null}::text IS NULL OR ${of.coin ?? null} IN (m.base, m.quote))
             ORDER BY d.day_ms ${order} LIMIT ${limit}`;
  return (await days.execute(db)).rows.map(({ dayMs }) => dayMs);
}

/**
 * A time before which no such trade has the id or a later one. Ids grow with times, so halving the days finds it:
 * `firstOf` tells the first id of a day.
 */
export async function findStart(
  db: Db,
  of: TradesOf,
  fromId: bigint,
  { fromMs = 0n, toMs = END_MS }: Pick<Walk, 'fromMs' | 'toMs'>,
  firstOf: (day: Stretch) => Promise<bigint | undefined>,
): Promise<bigint> {
  const days = await listDays(db, of, { fromMs, toMs }, 'asc', DAYS_MAX);
  // The last day whose first id is not beyond the wanted one.
  let [low, high] = [0, days.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const day = days[middle] ?? 0n;
    const first = await firstOf({ fromMs: day, toMs: day + DAY });
    if (first !== undefined && first <= fromId) low = middle;
    else high = middle - 1;
  }
  const found = days[low] ?? fromMs;
  return found > fromMs ? found : fromMs;
}
