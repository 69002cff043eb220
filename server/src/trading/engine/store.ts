// The engine's journal and its lease. Plain named statements on one connection, because this is the hot path
// of the venue. ORDER BY names the table's column, because a column that is cast keeps its name, and rows would
// be sorted as text.
import pg from 'pg';
import { bounded, type Queryable } from './statements.ts';

export interface JournalRow {
  readonly seq: number;
  readonly epoch: number;
  /** The version of the core that wrote the row. */
  readonly coreVersion: number;
  readonly commands: string;
  readonly digest: Buffer;
}

/** One batch, as it is committed. */
export interface NewRow {
  readonly shard: number;
  readonly seq: number;
  readonly epoch: number;
  readonly commands: string;
  readonly commandCount: number;
  readonly coreVersion: number;
  readonly digest: Buffer;
  readonly engineSeq: number;
  /** Payloads of the batch's events; a payload holds no line break. */
  readonly events: readonly string[];
  /** Operators' commands that this batch answers. */
  readonly operators: readonly OperatorResult[];
}

export interface OperatorResult {
  readonly id: number;
  readonly status: 'done' | 'refused';
  /** What the core answered, as JSON text. */
  readonly result: string;
}

/** Another engine has written the row that this engine wanted to write: this one was replaced. */
export class Fenced extends Error {
  override name = 'Fenced';
}

const UNIQUE_VIOLATION = '23505';
const ORDER_VIOLATION = 'RJ001';

/**
 * Journal row, events and operators' answers in one statement, and so in one commit and one round
 * trip.
 */
export async function appendRow(db: Queryable, row: NewRow): Promise<void> {
  try {
    await db.query(
      bounded({
        name: 'journal-append',
        text: `WITH journal AS (
               INSERT INTO trading_journal (shard, seq, epoch, commands, command_count, digest, engine_seq, core_version)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $10)
             ), answered AS (
               UPDATE operator_commands AS o
                  SET status = r.status, result = r.result, journal_seq = $2, done_at = clock_timestamp()
                 FROM jsonb_to_recordset($9::jsonb) AS r(id bigint, status text, result jsonb)
                WHERE o.id = r.id AND o.status IN ('waiting', 'withdrawn')
             )
             INSERT INTO outbox (type, payload, audience)
             SELECT 'trading_batch', payload, jsonb_build_object('trading', $1::smallint) FROM unnest(string_to_array($8, E'\\n')) AS payload`,
        values: [
          row.shard,
          row.seq,
          row.epoch,
          row.commands,
          row.commandCount,
          row.digest,
          row.engineSeq,
          row.events.join('\n'),
          row.operators.length === 0
            ? '[]'
            : `[${row.operators.map(({ id, status, result }) => `{"id":${id},"status":"${status}","result":${result}}`).join(',')}]`,
          row.coreVersion,
        ],
      }),
    );
  } catch (error) {
    if (error instanceof pg.DatabaseError && isFence(error)) {
      throw new Fenced(
        `Journal row ${row.seq} of shard ${row.shard} was written by another engine.`,
        { cause: error },
      );
    }
    throw error;
  }
}

const isFence = ({ code, table }: pg.DatabaseError): boolean =>
  code === ORDER_VIOLATION ||
  // The error names the part.
  (code === UNIQUE_VIOLATION && table?.startsWith('trading_journal') === true);

/**
 * The newest row's number and epoch; zero and zero before the first. `from` is a row that the caller knows to be there: then
 * only the parts from there on are opened. Planned each time, because a prepared plan would lock every part.
 */
export async function readHead(
  db: Queryable,
  shard: number,
  from = 0,
): Promise<{ seq: number; epoch: number }> {
  const { rows } = await db.query<{ seq: string; epoch: string }>(
    bounded({
      text: 'SELECT j.seq::text, j.epoch::text FROM trading_journal j WHERE shard = $1 AND j.seq >= $2 ORDER BY j.seq DESC LIMIT 1',
      values: [shard, from],
    }),
  );
  // One row per batch: at a thousand a second the numbers stay exact.
  return { seq: Number(rows[0]?.seq ?? 0), epoch: Number(rows[0]?.epoch ?? 0) };
}

/** The rows after `seq` that are in the table, in order, at most `limit`. Planned each time, as above. */
export async function readRows(
  db: Queryable,
  shard: number,
  seq: number,
  limit: number,
): Promise<JournalRow[]> {
  const { rows } = await db.query<{
    seq: string;
    epoch: string;
    commands: string;
    digest: Buffer;
    core_version: number;
  }>(
    bounded({
      text: `SELECT j.seq::text, j.epoch::text, core_version, commands, digest FROM trading_journal j
            WHERE shard = $1 AND j.seq > $2 ORDER BY j.seq LIMIT $3`,
      values: [shard, seq, limit],
    }),
  );
  return rows.map(({ seq: at, epoch, core_version: coreVersion, commands, digest }) => ({
    seq: Number(at),
    epoch: Number(epoch),
    coreVersion,
    commands,
    digest,
  }));
}

export interface Lease {
  readonly epoch: number;
  readonly holder: string;
  /** By the database's clock. */
  readonly ageMs: number;
}

export async function readLease(db: Queryable, shard: number): Promise<Lease | undefined> {
  const { rows } = await db.query<{ epoch: string; holder: string; age_ms: number }>(
    bounded({
      name: 'lease-read',
      text: `SELECT epoch::text, holder,
                  least(1e9, extract(epoch FROM clock_timestamp() - beat_at) * 1000)::float8 AS age_ms
             FROM trading_leases WHERE shard = $1`,
      values: [shard],
    }),
  );
  const row = rows[0];
  return row && { epoch: Number(row.epoch), holder: row.holder, ageMs: row.age_ms };
}

/** Renews the lease; false when another engine has taken over. */
export async function beat(
  db: Queryable,
  {
    shard,
    epoch,
    holder,
    clockOffsetMs,
  }: { shard: number; epoch: number; holder: string; clockOffsetMs: number },
): Promise<boolean> {
  const { rowCount } = await db.query(
    bounded({
      name: 'lease-beat',
      text: `INSERT INTO trading_leases AS l (shard, epoch, holder, beat_at, clock_offset_ms)
           VALUES ($1, $2, $3, clock_timestamp(), $4)
           ON CONFLICT (shard) DO UPDATE
              SET epoch = excluded.epoch, holder = excluded.holder, beat_at = excluded.beat_at,
                  clock_offset_ms = excluded.clock_offset_ms
            WHERE l.epoch <= excluded.epoch`,
      values: [shard, epoch, holder, clockOffsetMs],
    }),
  );
  return rowCount === 1;
}

/** Releases the lease, so that the next engine takes over at once instead of after a silence. */
export async function releaseLease(db: Queryable, shard: number, epoch: number): Promise<void> {
  await db.query("UPDATE trading_leases SET beat_at = 'epoch' WHERE shard = $1 AND epoch = $2", [
    shard,
    epoch,
  ]);
}
