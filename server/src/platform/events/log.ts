// Reads and trims the event log. Only the relay writes it.
import { sql } from 'kysely';
import type pg from 'pg';
import type { Db } from '../db/pool.ts';
import { pause } from '../std/wait.ts';
import { TRADING_BATCH, type Audience, type LoggedEvent } from './event.ts';

export interface LogRow {
  position: bigint;
  xid: string;
  type: string;
  payload: string;
  audience: Audience;
  rights_of: number[];
}

export interface LogBounds {
  /** The last assigned position. */
  readonly head: number;
  /** Positions up to this one have been trimmed. */
  readonly trimmedThrough: number;
}

type Queryable = Pick<pg.Pool, 'query'>;

/** Positions grow by one; at a million a second they stay exact as numbers for 285 years. */
export function toEvent(row: LogRow): LoggedEvent {
  return {
    position: Number(row.position),
    xid: BigInt(row.xid),
    type: row.type,
    payload: row.payload,
    audience: row.audience,
    rightsOf: row.rights_of,
  };
}

export async function readBounds(db: Queryable): Promise<LogBounds> {
  const { rows } = await db.query<{ position: bigint; trimmed_through: bigint }>({
    name: 'event-head',
    text: 'SELECT position, trimmed_through FROM event_head',
  });
  const row = rows[0];
  if (row === undefined) throw new Error('event_head has no row; run: rialto migrate');
  return { head: Number(row.position), trimmedThrough: Number(row.trimmed_through) };
}

/** The head of the log, and what the transaction sees. Its first statement takes the snapshot, so call this first. */
export async function readStart(tx: Db): Promise<{ position: number; snapshotText: string }> {
  const { rows } = await sql<{ position: bigint; snapshotText: string }>`
    SELECT position, pg_current_snapshot()::text AS snapshot_text FROM event_head`.execute(tx);
  const row = rows[0];
  if (row === undefined) throw new Error('event_head has no row; run: rialto migrate');
  return { position: Number(row.position), snapshotText: row.snapshotText };
}

/** Fails unless the database answers and is migrated. */
export async function touchLog(db: Queryable): Promise<void> {
  await db.query({ name: 'health', text: 'SELECT FROM event_head' });
}

/**
 * Payload bytes that are read from the log at once: a few of the largest, thousands of the usual
 * ones.
 */
export const LOG_PAGE_BYTES = 8 * 1024 * 1024;

/** The rows of `page` that fit into this many bytes; always at least the first. */
export const fittingRows = (page: string, bytes: string): string =>
  `SELECT position, xid, type, payload, audience, rights_of
     FROM (SELECT *, row_number() OVER told AS nth, sum(octet_length(payload)) OVER told AS bytes
             FROM (${page}) page WINDOW told AS (ORDER BY position)) fitting
    WHERE nth = 1 OR bytes <= ${bytes} ORDER BY position`;

/**
 * The events in (after, through], in order, at most `limit` and as many as fit; always at least the
 * first.
 */
export async function readEvents(
  db: Queryable,
  after: number,
  through: number,
  limit: number,
  bytesMax = LOG_PAGE_BYTES,
): Promise<LoggedEvent[]> {
  const page = `SELECT * FROM event_log WHERE position > $1 AND position <= $2 ORDER BY position LIMIT $3`;
  const { rows } = await db.query<LogRow>({
    name: 'event-log-range',
    text: fittingRows(page, '$4'),
    values: [after, through, limit, bytesMax],
  });
  return rows.map(toEvent);
}

/** The same without the engine's batches, which are passed over by an index. */
export async function readOtherEvents(
  db: Queryable,
  after: number,
  through: number,
  limit: number,
): Promise<LoggedEvent[]> {
  const page = `SELECT * FROM event_log WHERE position > $1 AND position <= $2 AND type <> '${TRADING_BATCH}' ORDER BY position LIMIT $3`;
  const { rows } = await db.query<LogRow>({
    name: 'event-log-others',
    text: fittingRows(page, '$4'),
    values: [after, through, limit, LOG_PAGE_BYTES],
  });
  return rows.map(toEvent);
}

/** The events at these positions, in order; those that the log no longer has are left out. */
export async function readEventsAt(
  db: Queryable,
  positions: readonly number[],
): Promise<LoggedEvent[]> {
  const { rows } = await db.query<LogRow>({
    name: 'event-log-at',
    text: `SELECT position, xid, type, payload, audience, rights_of
             FROM event_log WHERE position = ANY ($1::bigint[]) ORDER BY position`,
    values: [positions],
  });
  return rows.map(toEvent);
}

/** If a reader holds the log for longer, the next upkeep tries again. */
const DROP_TRIES = 50;
const DROP_PAUSE_MS = 100;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Drops whole partitions whose newest event is older than `before`; returns how many. The functions
 * belong to the owner: they raise the floor before anything is dropped, and always keep the last
 * hour.
 */
export async function trimLog(pool: pg.Pool, before: Date): Promise<number> {
  for (let dropped = 0; ; dropped += 1) {
    const { rows } = await pool.query<{ due: boolean }>('SELECT raise_event_floor($1) AS due', [
      before,
    ]);
    if (rows[0]?.due !== true || !(await dropPartition(pool))) return dropped;
  }
}

/**
 * DETACH … CONCURRENTLY would block nobody, but only an owner may do that, and never in a function.
 * So the lock is requested briefly, again and again: readers of the log queue behind an attempt for
 * a fifth of a second at most.
 */
async function dropPartition(pool: pg.Pool): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { rows } = await pool.query<{ dropped: boolean }>(
        'SELECT drop_trimmed_event_partition() AS dropped',
      );
      return rows[0]?.dropped === true;
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
      if (attempt >= DROP_TRIES) return false;
      await pause(DROP_PAUSE_MS);
    }
  }
}
