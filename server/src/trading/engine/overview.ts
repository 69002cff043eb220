// The engine as its tables show it, for the doctor and for metrics: the leader, the standbys, and
// everybody's progress.
import type pg from 'pg';
import { hashBytes } from './recover.ts';
import { listSnapshots, readSnapshot } from './snapshot-store.ts';
import { bounded } from './statements.ts';

type Queryable = Pick<pg.ClientBase, 'query'>;

export interface EngineOverview {
  /** Undefined when no engine ever led. */
  readonly lease: { holder: string; epoch: number; ageSeconds: number } | undefined;
  /** How far the clock that times orders is from the database's, if the leader reports it. */
  readonly clockOffsetMs: number | undefined;
  /** Processes with the role engine that were seen recently, the leader included. */
  readonly engines: number;
  readonly standbys: number;
  /** The newest row of the journal; zero before the first. */
  readonly headSeq: number;
  readonly headCoreVersion: number | undefined;
  readonly projectedSeq: number;
  /** The age of the oldest row that the projections lack; zero when they lack none. */
  readonly projectionLagSeconds: number;
  readonly snapshot:
    { seq: number; ageSeconds: number; bytes: number; coreVersion: number | undefined } | undefined;
}

export async function readEngineOverview(db: Queryable, shard = 0): Promise<EngineOverview> {
  const { rows } = await db.query<Row>(
    `SELECT l.holder, l.epoch::text,
            extract(epoch FROM clock_timestamp() - l.beat_at)::float8 AS lease_age,
            (to_jsonb(l) ->> 'clock_offset_ms')::float8 AS clock_offset,
            e.engines, e.others, j.seq::text AS head, j.core_version AS head_version, p.seq::text AS projected,
            (SELECT extract(epoch FROM clock_timestamp() - n.at)::float8 FROM trading_journal n
              WHERE n.shard = $1 AND n.seq = p.seq + 1) AS lag,
            s.seq::text AS snapshot, s.age AS snapshot_age, s.byte_count::text AS snapshot_bytes,
            s.core_version AS snapshot_version
       FROM (SELECT 1) AS one
       LEFT JOIN trading_leases l ON l.shard = $1
       LEFT JOIN projection_checkpoints p ON p.shard = $1
       LEFT JOIN LATERAL (SELECT seq, core_version FROM trading_journal h
                           WHERE h.shard = $1 ORDER BY h.seq DESC LIMIT 1) AS j ON true
       LEFT JOIN LATERAL (SELECT seq, byte_count, core_version,
                                 extract(epoch FROM clock_timestamp() - at)::float8 AS age
                            FROM trading_snapshots h
                           WHERE h.shard = $1 ORDER BY h.seq DESC LIMIT 1) AS s ON true
       CROSS JOIN LATERAL (SELECT count(*)::int AS engines,
                                  count(*) FILTER (WHERE id::text IS DISTINCT FROM l.holder)::int AS others
                             FROM processes WHERE 'engine' = ANY (roles)
                              AND seen_at > now() - interval '15 seconds') AS e`,
    [shard],
  );
  return toOverview(rows[0]);
}

interface Row {
  holder: string | null;
  epoch: string | null;
  lease_age: number | null;
  clock_offset: number | null;
  engines: number;
  others: number;
  head: string | null;
  head_version: number | null;
  projected: string | null;
  lag: number | null;
  snapshot: string | null;
  snapshot_age: number | null;
  snapshot_bytes: string | null;
  snapshot_version: number | null;
}

function toOverview(row: Row | undefined): EngineOverview {
  return {
    lease:
      row?.holder === null || row?.holder === undefined
        ? undefined
        : { holder: row.holder, epoch: Number(row.epoch), ageSeconds: row.lease_age ?? 0 },
    clockOffsetMs: row?.clock_offset ?? undefined,
    engines: row?.engines ?? 0,
    standbys: row?.others ?? 0,
    headSeq: Number(row?.head ?? 0),
    headCoreVersion: row?.head_version ?? undefined,
    projectedSeq: Number(row?.projected ?? 0),
    projectionLagSeconds: row?.lag ?? 0,
    snapshot:
      row?.snapshot === null || row?.snapshot === undefined
        ? undefined
        : {
            seq: Number(row.snapshot),
            ageSeconds: row.snapshot_age ?? 0,
            bytes: Number(row.snapshot_bytes),
            coreVersion: row.snapshot_version ?? undefined,
          },
  };
}

/** The last row of the journal that the tables have. */
export async function readProjectedSeq(db: Queryable, shard: number): Promise<number> {
  const { rows } = await db.query<{ seq: string }>(
    bounded({
      name: 'projected-seq',
      text: 'SELECT seq::text FROM projection_checkpoints WHERE shard = $1',
      values: [shard],
    }),
  );
  return Number(rows[0]?.seq ?? 0);
}

/** How many of the last rows say what a row holds. */
const TYPICAL_ROWS = 100;

/** Commands in a row before this one, on average. */
export async function readCommandsPerRow(
  db: Queryable,
  shard: number,
  seq: number,
): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    bounded({
      text: `SELECT coalesce(avg(command_count), 1)::float8 AS count FROM trading_journal
              WHERE shard = $1 AND seq > $2 AND seq <= $3`,
      values: [shard, seq - TYPICAL_ROWS, seq],
    }),
  );
  return rows[0]?.count ?? 1;
}

/** Rows of the journal that are counted at most: more are too many in any case. */
const COUNTED_ROWS = 1_000_000;

/** Commands after a row, which a start from there has to replay. */
export async function countCommandsAfter(db: Queryable, seq: number, shard = 0): Promise<number> {
  const { rows } = await db.query<{ count: string }>(
    `SELECT coalesce(sum(command_count), 0)::text AS count FROM (
       SELECT command_count FROM trading_journal r
        WHERE r.shard = $1 AND r.seq > $2 LIMIT ${COUNTED_ROWS}) AS after`,
    [shard, seq],
  );
  return Number(rows[0]?.count ?? 0);
}

/** Whether the newest snapshot has the hash it was written with; undefined when there is none. */
export async function verifyNewestSnapshot(db: Queryable, shard = 0): Promise<boolean | undefined> {
  const [head] = await listSnapshots(db, shard);
  if (head === undefined) return undefined;
  const bytes = await readSnapshot(db, shard, head);
  return bytes !== undefined && hashBytes(bytes).equals(head.hash);
}
