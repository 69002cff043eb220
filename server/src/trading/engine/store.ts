// The engine's rows: journal, snapshots, lease and the commands of operators. Plain named statements on one
// connection, because this is the hot path of the venue. ORDER BY names the table's column, because a
// column that is cast keeps its name, and rows would be sorted as text.
import { CORE_VERSION } from '@rialto/matching';
import pg from 'pg';

type Queryable = Pick<pg.ClientBase, 'query'>;

/**
 * Every statement of the engine has an end. Longer than the database's own limit for one, so that only a
 * network that fell silent gets here; the connection is thrown away then.
 */
const ANSWER_MS = 6000;
const bounded = <Q extends pg.QueryConfig>(query: Q) => ({ ...query, query_timeout: ANSWER_MS });

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

/** Somebody else has written the row that this engine wanted to write: it was replaced. */
export class Fenced extends Error {
  override name = 'Fenced';
}

const UNIQUE_VIOLATION = '23505';
const ORDER_VIOLATION = 'RJ001';

/** Journal row, events and operators' answers in one statement, and so in one commit and one round trip. */
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
             SELECT 'trading_batch', payload, '{"users":[]}' FROM unnest(string_to_array($8, E'\\n')) AS payload`,
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
  code === ORDER_VIOLATION || (code === UNIQUE_VIOLATION && table === 'trading_journal');

/** The newest row's place and epoch; zero and zero before the first. */
export async function readHead(
  db: Queryable,
  shard: number,
): Promise<{ seq: number; epoch: number }> {
  const { rows } = await db.query<{ seq: string; epoch: string }>(
    bounded({
      name: 'journal-head',
      text: 'SELECT j.seq::text, j.epoch::text FROM trading_journal j WHERE shard = $1 ORDER BY j.seq DESC LIMIT 1',
      values: [shard],
    }),
  );
  // Rows are counted by the batch: at a thousand a second they stay exact as numbers for ever.
  return { seq: Number(rows[0]?.seq ?? 0), epoch: Number(rows[0]?.epoch ?? 0) };
}

/** The rows after `seq`, in order, at most `limit`. */
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
      name: 'journal-rows',
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

export interface SnapshotHead {
  readonly seq: number;
  /** The version of the core that wrote it. */
  readonly coreVersion: number;
  readonly digest: Buffer;
  readonly hash: Buffer;
  readonly partCount: number;
}

/** Newest first. */
export async function listSnapshots(db: Queryable, shard: number): Promise<SnapshotHead[]> {
  const { rows } = await db.query<{
    seq: string;
    digest: Buffer;
    hash: Buffer;
    part_count: number;
    core_version: number;
  }>(
    bounded({
      text: `SELECT s.seq::text, digest, hash, part_count, core_version FROM trading_snapshots s
              WHERE shard = $1 ORDER BY s.seq DESC`,
      values: [shard],
    }),
  );
  return rows.map((row) => ({
    seq: Number(row.seq),
    coreVersion: row.core_version,
    digest: row.digest,
    hash: row.hash,
    partCount: row.part_count,
  }));
}

/** How old and how large the newest snapshot is, without reading it. */
export async function readNewestSnapshot(
  db: Queryable,
  shard: number,
): Promise<{ seq: number; bytes: number; atMs: number } | undefined> {
  const { rows } = await db.query<{ seq: string; bytes: string; at: Date }>(
    bounded({
      text: `SELECT s.seq::text, byte_count::text AS bytes, at FROM trading_snapshots s
              WHERE shard = $1 ORDER BY s.seq DESC LIMIT 1`,
      values: [shard],
    }),
  );
  const row = rows[0];
  return row && { seq: Number(row.seq), bytes: Number(row.bytes), atMs: row.at.getTime() };
}

/** The bytes of a snapshot, or undefined when parts of it are missing. */
export async function readSnapshot(
  db: Queryable,
  shard: number,
  { seq, partCount }: SnapshotHead,
): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  for (let part = 0; part < partCount; part += 1) {
    // As text: the library decodes what comes in binary as UTF-8, and bytes do not survive that. In base64: in
    // hexadecimal, as bytes come by themselves, it is half as long again and takes five times as long to decode.
    const query = {
      text: `SELECT encode(bytes, 'base64') AS bytes FROM trading_snapshot_parts
              WHERE shard = $1 AND seq = $2 AND part = $3`,
      values: [shard, seq, part],
    };
    const { rows } = await db.query<{ bytes: string }>(bounded(query));
    const bytes = rows[0]?.bytes;
    if (bytes === undefined) return undefined;
    parts.push(Buffer.from(bytes, 'base64'));
  }
  return Buffer.concat(parts);
}

export interface NewSnapshot {
  readonly shard: number;
  readonly seq: number;
  readonly digest: Buffer;
  readonly hash: Buffer;
  readonly bytes: Uint8Array;
}

const PART_BYTES = 8 * 1024 * 1024;
/** One more than is needed, should the newest not bear its check. */
const SNAPSHOTS_KEPT = 2;

/** Writes a snapshot and lets the oldest go, in one transaction. False: somebody else wrote this one. */
export async function writeSnapshot(
  client: pg.ClientBase,
  { shard, seq, digest, hash, bytes }: NewSnapshot,
): Promise<boolean> {
  const partCount = Math.ceil(bytes.length / PART_BYTES);
  await client.query('BEGIN');
  try {
    const { rowCount } = await client.query(
      `INSERT INTO trading_snapshots (shard, seq, digest, hash, byte_count, part_count, core_version)
       VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
      [shard, seq, digest, hash, bytes.length, partCount, CORE_VERSION],
    );
    for (let part = 0; part < partCount && rowCount === 1; part += 1) {
      const piece = bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
      await client.query(
        'INSERT INTO trading_snapshot_parts (shard, seq, part, bytes) VALUES ($1, $2, $3, $4)',
        [shard, seq, part, Buffer.from(piece.buffer, piece.byteOffset, piece.length)],
      );
    }
    await client.query(
      `DELETE FROM trading_snapshots WHERE shard = $1 AND seq NOT IN
         (SELECT seq FROM trading_snapshots WHERE shard = $1 ORDER BY seq DESC LIMIT $2)`,
      [shard, SNAPSHOTS_KEPT],
    );
    await client.query('COMMIT');
    return rowCount === 1;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
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

/** Says that this engine is there; false when another one has taken over. */
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

/** Makes room for the next engine at once, instead of after a silence. */
export async function releaseLease(db: Queryable, shard: number, epoch: number): Promise<void> {
  await db.query("UPDATE trading_leases SET beat_at = 'epoch' WHERE shard = $1 AND epoch = $2", [
    shard,
    epoch,
  ]);
}

export interface WaitingCommand {
  readonly id: number;
  readonly command: string;
  /** What an operator calls it; empty for what no operator asked for. */
  readonly act: string;
}

/** What operators and other processes have asked for, in their order. */
export async function readWaiting(
  db: Queryable,
  shard: number,
  afterId: number,
  limit: number,
): Promise<WaitingCommand[]> {
  const { rows } = await db.query<{ id: string; command: string; act: string }>(
    bounded({
      name: 'operator-waiting',
      text: `SELECT o.id::text, command, act FROM operator_commands o
            WHERE shard = $1 AND o.id > $2 AND status = 'waiting' ORDER BY o.id LIMIT $3`,
      values: [shard, afterId, limit],
    }),
  );
  return rows.map(({ id, command, act }) => ({ id: Number(id), command, act }));
}

/**
 * Ends a row that holds no command the engine knows, without the journal: nothing happened. Only the engine of
 * this epoch may, since another release may know it. False when it is not that any more, or the row has ended.
 */
export async function refuseWaiting(
  db: Queryable,
  { shard, epoch, id, result }: { shard: number; epoch: number; id: number; result: string },
): Promise<boolean> {
  const { rowCount } = await db.query(
    bounded({
      text: `UPDATE operator_commands SET status = 'refused', result = $4, done_at = clock_timestamp()
            WHERE id = $3 AND shard = $1 AND status = 'waiting'
              AND EXISTS (SELECT FROM trading_leases WHERE shard = $1 AND epoch = $2)`,
      values: [shard, epoch, id, result],
    }),
  );
  return rowCount === 1;
}

/**
 * Commands that made the core throw, the newest first; released are those after which an operator has resumed the
 * account.
 */
export async function listPoisoned(
  db: Queryable,
  shard: number,
  limit: number,
): Promise<{ hash: Buffer; command: string; isReleased: boolean }[]> {
  const { rows } = await db.query<{ hash: Buffer; command: string; isReleased: boolean }>(
    bounded({
      text: `SELECT hash, command,
                    EXISTS (SELECT FROM operator_commands o
                             WHERE o.subject = 'account ' || (p.command::json ->> 'account')
                               AND o.act = 'account resume' AND o.status = 'done'
                               AND o.done_at > p.at) AS "isReleased"
               FROM poisoned_commands p WHERE shard = $1 ORDER BY at DESC LIMIT $2`,
      values: [shard, limit],
    }),
  );
  return rows;
}

export async function insertPoisoned(
  db: Queryable,
  poisoned: { shard: number; hash: Buffer; command: string; error: string },
): Promise<void> {
  await db.query(
    bounded({
      text: `INSERT INTO poisoned_commands (shard, hash, command, error) VALUES ($1, $2, $3, $4)
             ON CONFLICT DO NOTHING`,
      values: [poisoned.shard, poisoned.hash, poisoned.command, poisoned.error],
    }),
  );
}

/** Ends a row without the journal, which has its cause already. Only the engine of this epoch may. */
export async function answerWaiting(
  db: Queryable,
  shard: number,
  epoch: number,
  { id, status, result }: OperatorResult,
): Promise<void> {
  await db.query(
    bounded({
      name: 'operator-answered',
      text: `UPDATE operator_commands SET status = $4, result = $5, done_at = clock_timestamp()
            WHERE id = $3 AND shard = $1 AND status = 'waiting'
              AND EXISTS (SELECT FROM trading_leases WHERE shard = $1 AND epoch = $2)`,
      values: [shard, epoch, id, status, result],
    }),
  );
}

/** Says of rows that they wait for the projections, and not for an engine. */
export async function markHeld(db: Queryable, ids: readonly number[]): Promise<void> {
  await db.query(
    bounded({
      name: 'operator-held',
      text: `UPDATE operator_commands SET waits_for = 'projection'
            WHERE id = ANY ($1::bigint[]) AND status = 'waiting' AND waits_for = ''`,
      values: [ids],
    }),
  );
}

/** What names a movement of money for ever. */
export interface MovementCause {
  readonly kind: string;
  readonly reference: string;
}

/** A movement as the projection has it. */
export interface KnownMovement extends MovementCause {
  readonly coin: string;
  readonly amount: bigint;
  readonly from: string;
  readonly to: string;
  readonly fee: bigint;
  readonly status: string;
}

interface MovementRow {
  engine_seq: string;
  kind: string | null;
  reference: string;
  coin: string;
  amount: string;
  from_owner: string;
  to_owner: string;
  fee: string;
  status: string;
}

/**
 * What is known of these causes, and the engine event through which that is complete. Both come from one
 * statement, hence from one state of the database.
 */
export async function findMovements(
  db: Queryable,
  shard: number,
  causes: readonly MovementCause[],
): Promise<{ checkpoint: number; known: KnownMovement[] }> {
  const { rows } = await db.query<MovementRow>(
    bounded({
      name: 'find-movements',
      text: `SELECT p.engine_seq::text, m.kind, m.reference, m.coin, m.amount::text, m.from_owner, m.to_owner,
                    m.fee::text, m.status
               FROM projection_checkpoints p
               LEFT JOIN (unnest($2::text[], $3::text[]) AS wanted (kind, reference)
                          JOIN trading_movements m USING (kind, reference)) ON true
              WHERE p.shard = $1`,
      values: [shard, causes.map(({ kind }) => kind), causes.map(({ reference }) => reference)],
    }),
  );
  return {
    checkpoint: Number(rows[0]?.engine_seq ?? 0),
    known: rows.flatMap(({ kind, reference, coin, status, ...row }) =>
      // The join is by the whole key, so either all of it is there or none.
      kind === null
        ? []
        : [
            {
              kind,
              reference,
              coin,
              status,
              amount: BigInt(row.amount),
              from: row.from_owner,
              to: row.to_owner,
              fee: BigInt(row.fee),
            },
          ],
    ),
  };
}
