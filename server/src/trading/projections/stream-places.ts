// Where the private pushes of an account are, for those who send them: how many were counted, and where in the log
// the newest are.
import type pg from 'pg';
import { MINUTE_MS } from '../../platform/std/time.ts';
import { readCheckpointRow } from './store.ts';

type Queryable = Pick<pg.Pool, 'query'>;

/** A client can resume after a push that is neither older nor further back than this. */
export const RESUME_MS = 15 * MINUTE_MS;
export const RESUME_EVENTS = 10_000;

export interface StreamStart {
  /** The last row of the journal that is counted. */
  readonly rowSeq: number;
  /** Its last engine event. */
  readonly engineSeq: number;
  /** The last row of the journal. */
  readonly headSeq: number;
  /** How many pushes of the account were counted: the number of the last. */
  readonly seq: number;
}

/** As one statement sees them. */
export async function readStreamStart(
  db: Queryable,
  shard: number,
  account: number,
): Promise<StreamStart> {
  const { seq: from } = await readCheckpointRow(db, shard);
  const { rows } = await db.query<Record<'row_seq' | 'engine_seq' | 'head_seq' | 'seq', string>>({
    // Planned each time: a prepared plan would lock every part of the journal.
    text: `SELECT seq::text AS row_seq, engine_seq::text,
                  coalesce((SELECT seq FROM trading_journal WHERE shard = $1 AND seq >= $3 ORDER BY seq DESC LIMIT 1), 0)::text
                    AS head_seq,
                  coalesce((SELECT seq FROM trading_stream_counts WHERE account_id = $2), 0)::text AS seq
             FROM projection_checkpoints WHERE shard = $1`,
    values: [shard, account, from],
  });
  const row = rows[0];
  if (row === undefined) throw new Error(`The shard ${shard} has no checkpoint.`);
  return {
    rowSeq: Number(row.row_seq),
    engineSeq: Number(row.engine_seq),
    headSeq: Number(row.head_seq),
    seq: Number(row.seq),
  };
}

/** A stretch of an account's pushes, and the events of the log that hold them. */
export interface StreamPage {
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly positions: readonly number[];
}

/** The pages with pushes after this number, in order; only those that are recent enough. */
export async function listStreamPages(
  db: Queryable,
  account: number,
  afterSeq: number,
): Promise<StreamPage[]> {
  const { rows } = await db.query<{ first_seq: string; last_seq: string; positions: string[] }>({
    name: 'stream-pages',
    text: `SELECT first_seq::text, last_seq::text, positions::text[]
             FROM trading_stream_pages AS p
            WHERE account_id = $1 AND last_seq > $2
              AND at > clock_timestamp() - $3 * interval '1 millisecond'
            ORDER BY p.last_seq LIMIT $4`,
    values: [account, afterSeq, RESUME_MS, RESUME_EVENTS],
  });
  return rows.map((row) => ({
    firstSeq: Number(row.first_seq),
    lastSeq: Number(row.last_seq),
    positions: row.positions.map(Number),
  }));
}

/** Pages removed at once, so that the statement stays short. */
const FORGOTTEN_AT_ONCE = 10_000;

/** Removes pages that nobody can resume from; returns how many. */
export async function forgetStreamPages(db: Queryable): Promise<number> {
  const { rowCount } = await db.query(
    `DELETE FROM trading_stream_pages AS p
      USING (SELECT account_id, last_seq FROM trading_stream_pages AS old
              WHERE at < now() - $1 * interval '1 millisecond'
                 OR last_seq < (SELECT seq FROM trading_stream_counts AS c
                                 WHERE c.account_id = old.account_id) - $2
              LIMIT $3) AS gone
      WHERE p.account_id = gone.account_id AND p.last_seq = gone.last_seq`,
    [RESUME_MS, RESUME_EVENTS, FORGOTTEN_AT_ONCE],
  );
  return rowCount ?? 0;
}
