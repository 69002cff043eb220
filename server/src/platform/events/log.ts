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
  for (let dropped = 0; ; dropped += 1) {
    const oldest = await findOldestFullPartition(pool);
    if (oldest === undefined) return dropped;
    // The name is our own: event_log_ and the first position of the partition.
    const { rows } = await pool.query<{ newest: Date | null }>(
      `SELECT max(at) AS newest FROM ${oldest.name}`,
    );
    const newest = rows[0]?.newest ?? null;
    if (newest !== null && newest >= before) return dropped;
    await pool.query('UPDATE event_head SET trimmed_through = greatest(trimmed_through, $1)', [
      oldest.end - 1n,
    ]);
    await pool.query(`ALTER TABLE event_log DETACH PARTITION ${oldest.name} CONCURRENTLY`);
    await pool.query(`DROP TABLE ${oldest.name}`);
  }
}

/** The partition with the lowest positions, if the log has gone past it; one still in use stays. */
async function findOldestFullPartition(
  pool: pg.Pool,
): Promise<{ name: string; end: bigint } | undefined> {
  const { rows } = await pool.query<{ name: string; end: bigint; head: bigint }>(
    `SELECT p.name, p."end", h.position AS head
       FROM (SELECT c.relname AS name,
                    substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \\(''(\\d+)''\\)')::bigint AS "end"
               FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
              WHERE i.inhparent = 'event_log'::regclass) p, event_head h
      ORDER BY p."end" LIMIT 1`,
  );
  const row = rows[0];
  return row !== undefined && row.end <= row.head ? row : undefined;
}
