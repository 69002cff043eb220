// Reading and trimming the event log. Only the relay writes it.
import type pg from 'pg';
import type { Audience, LoggedEvent } from './event.ts';

export interface LogRow {
  position: bigint;
  xid: string;
  type: string;
  payload: string;
  audience: Audience;
  rights_of: number[];
}

export interface LogBounds {
  /** The last position that was given. */
  readonly head: number;
  /** Positions up to this one are gone. */
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

/** The events in (after, through], in order, at most `limit`. */
export async function readEvents(
  db: Queryable,
  after: number,
  through: number,
  limit: number,
): Promise<LoggedEvent[]> {
  const { rows } = await db.query<LogRow>({
    name: 'event-log-range',
    text: `SELECT position, xid, type, payload, audience, rights_of FROM event_log
            WHERE position > $1 AND position <= $2 ORDER BY position LIMIT $3`,
    values: [after, through, limit],
  });
  return rows.map(toEvent);
}

/**
 * Drops whole partitions whose newest event is older than `before`; returns how many. The floor is
 * raised first, in a transaction of its own, so that nobody is promised what is about to go.
 */
export async function trimLog(pool: pg.Pool, before: Date): Promise<number> {
  let dropped = 0;
  for (;;) {
    const oldest = await findOldestPartition(pool);
    if (oldest === undefined) return dropped;
    const { rows } = await pool.query<{ newest: Date | null; last: bigint | null }>(
      `SELECT max(at) AS newest, max(position) AS last FROM ${oldest.name}`,
    );
    const { newest, last } = rows[0] ?? { newest: null, last: null };
    // The partition that is being written to stays, however old its events are.
    if (newest === null || last === null || newest >= before || !oldest.isFull) return dropped;
    await pool.query('UPDATE event_head SET trimmed_through = greatest(trimmed_through, $1)', [
      last,
    ]);
    await pool.query(`ALTER TABLE event_log DETACH PARTITION ${oldest.name} CONCURRENTLY`);
    await pool.query(`DROP TABLE ${oldest.name}`);
    dropped += 1;
  }
}

async function findOldestPartition(
  pool: pg.Pool,
): Promise<{ name: string; isFull: boolean } | undefined> {
  // The names are our own: event_log_ and the first position of the partition.
  const { rows } = await pool.query<{ name: string; is_full: boolean }>(
    `SELECT c.relname AS name,
            substring(c.relname FROM '\\d+$')::bigint + h.partition_size <= h.position AS is_full
       FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid, event_head h
      WHERE i.inhparent = 'event_log'::regclass AND c.relname ~ '^event_log_\\d+$'
      ORDER BY substring(c.relname FROM '\\d+$')::bigint LIMIT 1`,
  );
  const row = rows[0];
  return row && { name: row.name, isFull: row.is_full };
}
