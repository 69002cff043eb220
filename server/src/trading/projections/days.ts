// Trades, and orders that have ended, have a part of their table for each day. A statement that names its times opens only the
// parts of those days, so rows are read in stretches of days, until a page is full. Which days have trades of an account or a market
// is known from its volumes and its daily candles, and which have orders from a table of its own, so the number of parts does
// not matter. Old days are in files: their rows
// go through the same statements as those of the table.
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
import { DAY_MS } from '../../platform/std/time.ts';
import { newBudget, readRowsOf, type BlockBudget, type History } from './archive/read.ts';
import { ORDERS_NAME } from '../order-tables.ts';
import { TRADES_NAME, type Stretch } from '../trade-tables.ts';
import { listArchives, type Archive } from './archive/access.ts';

/** Whose trades: of an account, perhaps in one market or one coin, or of a market. */
export type TradesOf =
  | {
      readonly accountId: bigint;
      readonly symbol?: string | undefined;
      readonly coin?: string | undefined;
    }
  | { readonly symbol: string; readonly accountId?: undefined };

/** Whose rows: of trades, or orders that an account placed. */
export type HistoryOf = TradesOf | OrdersOf;

interface OrdersOf {
  readonly placedBy: bigint;
}

export interface Walk {
  readonly sort: 'asc' | 'desc';
  readonly limit: number;
  readonly fromMs?: bigint | undefined;
  readonly toMs?: bigint | undefined;
  /** Ends the walk before the first archived day, and is told the times of it. */
  readonly stopAtArchive?: ((day: Stretch) => void) | undefined;
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

type Read<R> = (stretch: Stretch, limit: number) => Promise<R[]>;

/**
 * Reads rows of history in order. `read` gets a stretch and how many rows are wanted of it at most, and returns them in
 * the order of the walk.
 */
export async function walkDays<R>(
  history: History,
  of: HistoryOf,
  { sort, limit, fromMs = 0n, toMs = END_MS, stopAtArchive }: Walk,
  read: Read<R>,
): Promise<R[]> {
  const rows: R[] = [];
  const budget = newBudget();
  let isStopped = false;
  const stop = stopAtArchive && {
    stopAtArchive: (day: Stretch) => {
      isStopped = true;
      stopAtArchive(day);
    },
  };
  for await (const stretch of stretchesOf(history.db, of, { fromMs, toMs }, sort)) {
    const wanted = { ...stop, sort, limit: limit - rows.length, budget };
    rows.push(...(await readStretch(history, of, stretch, wanted, read)));
    if (rows.length >= limit || isStopped) break;
  }
  return rows;
}

interface StretchWanted extends Pick<Walk, 'sort' | 'limit' | 'stopAtArchive'> {
  readonly budget?: BlockBudget;
}

/** Younger days are never archived: the database refuses to drop a day of the last week. */
const RECENT_MS = 6n * DAY;
export const isRecent = (ms: bigint): boolean => ms > BigInt(Date.now()) - RECENT_MS;

/**
 * Rows of one stretch, from the table and from files. A day may be archived between two statements, so whether it was is
 * asked after the table was read: what is not archived then was still in the table. A transaction with one snapshot for all
 * its statements has to hold the table instead (`holdTrades`).
 */
export async function readStretch<R>(
  history: History,
  of: HistoryOf,
  stretch: Stretch,
  wanted: StretchWanted,
  read: Read<R>,
): Promise<R[]> {
  const { sort, limit, stopAtArchive, budget = newBudget() } = wanted;
  const inTable = await read(stretch, limit);
  if (isRecent(stretch.fromMs)) return inTable;
  const isOfOrders = 'placedBy' in of;
  const rowsOf = isOfOrders ? { accountId: of.placedBy } : of;
  const name = isOfOrders ? ORDERS_NAME : TRADES_NAME;
  const archives = await listArchives(history.db, name, stretch);
  if (archives.length === 0) return inTable;
  const rows: R[] = [];
  for (const { archive, ...days } of piecesOf(stretch, archives, sort)) {
    const left = () => limit - rows.length;
    if (archive === undefined) {
      rows.push(
        ...(await readStretch(history, of, days, { ...wanted, limit: left(), budget }, read)),
      );
    } else if (stopAtArchive !== undefined) {
      stopAtArchive(days);
      break;
    } else {
      const within = { ...days, sort };
      for await (const archived of readRowsOf(history, archive, rowsOf, within, budget)) {
        rows.push(...(await read({ ...days, archived }, left())));
        if (rows.length >= limit) break;
      }
    }
    if (rows.length >= limit) break;
  }
  return rows;
}

/** A stretch cut at its archived days, in the order of the walk. */
function piecesOf(
  { fromMs, toMs }: Stretch,
  archives: readonly Archive[],
  sort: 'asc' | 'desc',
): (Stretch & { readonly archive?: Archive })[] {
  const pieces: (Stretch & { readonly archive?: Archive })[] = [];
  let at = fromMs;
  for (const archive of archives) {
    const first = archive.dayMs > at ? archive.dayMs : at;
    const past = archive.dayMs + DAY < toMs ? archive.dayMs + DAY : toMs;
    if (first > at) pieces.push({ fromMs: at, toMs: first });
    pieces.push({ fromMs: first, toMs: past, archive });
    at = past;
  }
  if (at < toMs) pieces.push({ fromMs: at, toMs });
  return sort === 'asc' ? pieces : pieces.reverse();
}

/**
 * First statement of a transaction that reads history with one snapshot: no day leaves the table until it ends. Nothing was
 * read yet, so the snapshot comes after it.
 */
export async function holdTrades(db: Db): Promise<void> {
  await sql`LOCK TABLE ONLY ${sql.raw(TRADES_NAME)} IN ACCESS SHARE MODE`.execute(db);
}

/** First one day, then more at a time: most pages are full after the first. */
async function* stretchesOf(
  db: Db,
  of: HistoryOf,
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

/** The days on which there are such rows. */
export async function listDays(
  db: Db,
  of: HistoryOf,
  { fromMs, toMs }: Stretch,
  sort: 'asc' | 'desc',
  limit: number,
): Promise<bigint[]> {
  const order = sql.raw(sort);
  const days: RawBuilder<{ dayMs: bigint }> =
    'placedBy' in of
      ? sql`SELECT day_ms FROM account_order_days
             WHERE account_id = ${of.placedBy} AND day_ms >= ${dayOf(fromMs)} AND day_ms < ${toMs}
             ORDER BY day_ms ${order} LIMIT ${limit}`
      : of.accountId === undefined
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
 * `firstOf` tells the first id of some rows.
 */
export async function findStart(
  history: History,
  of: TradesOf,
  fromId: bigint,
  { fromMs = 0n, toMs = END_MS }: Pick<Walk, 'fromMs' | 'toMs'>,
  firstOf: (stretch: Stretch) => Promise<bigint | undefined>,
): Promise<bigint> {
  const days = await listDays(history.db, of, { fromMs, toMs }, 'asc', DAYS_MAX);
  const first = { sort: 'asc', limit: 1 } as const;
  // The last day whose first id is not beyond the wanted one.
  let [low, high] = [0, days.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const day = days[middle] ?? 0n;
    const [found] = await readStretch(
      history,
      of,
      { fromMs: day, toMs: day + DAY },
      first,
      async (stretch) => {
        const id = await firstOf(stretch);
        return id === undefined ? [] : [id];
      },
    );
    if (found !== undefined && found <= fromId) low = middle;
    else high = middle - 1;
  }
  const found = days[low] ?? fromMs;
  return found > fromMs ? found : fromMs;
}
