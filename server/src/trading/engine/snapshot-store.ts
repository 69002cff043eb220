// The engine's snapshots: written in parts, the newest few kept.
import { CORE_VERSION } from '@rialto/matching';
import type pg from 'pg';
import { bounded, type Queryable } from './statements.ts';

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
    // Read as text, because the library decodes binary results as UTF-8, which damages them. As base64, because
    // hexadecimal, PostgreSQL's own text form of bytes, is half as long again and takes five times as long to decode.
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
/** More than one, in case the newest is damaged. */
const SNAPSHOTS_KEPT = 2;

/** Writes a snapshot and deletes the oldest, in one transaction. False when another process already wrote it. */
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
