// The engine's snapshots: written in parts, each compressed, the newest few kept.
import { webcrypto } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import { CORE_VERSION } from '@rialto/matching';
import type pg from 'pg';
import { readPart } from './snapshot-parts.ts';
import { bounded, type Queryable } from './statements.ts';

/** The hash of a snapshot, computed by another thread. */
export const hashSnapshot = async (bytes: Uint8Array<ArrayBuffer>): Promise<Buffer> =>
  Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes));

// In threads of the library, while the database is at work.
const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
const PART_BYTES = 8 * 1024 * 1024;
/**
 * The fastest level: others take much longer, and make snapshots hardly smaller. One piece of output for a part: by
 * default the library makes many small ones, and puts them together.
 */
const COMPRESSION = {
  params: { [constants.ZSTD_c_compressionLevel]: 1 },
  chunkSize: PART_BYTES,
};
const DECOMPRESSION = { maxOutputLength: PART_BYTES, chunkSize: PART_BYTES };

export interface SnapshotHead {
  readonly seq: number;
  /** The version of the core that wrote it. */
  readonly coreVersion: number;
  readonly digest: Buffer;
  readonly hash: Buffer;
  readonly partCount: number;
  readonly byteCount: number;
  readonly encoding: string;
}

/** Newest first. */
export async function listSnapshots(db: Queryable, shard: number): Promise<SnapshotHead[]> {
  const { rows } = await db.query<{
    seq: string;
    digest: Buffer;
    hash: Buffer;
    part_count: number;
    byte_count: string;
    core_version: number;
    encoding: string;
  }>(
    bounded({
      text: `SELECT s.seq::text, digest, hash, part_count, byte_count::text, core_version, encoding FROM trading_snapshots s
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
    byteCount: Number(row.byte_count),
    encoding: row.encoding,
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

/** The bytes of a snapshot, or undefined when parts of it are missing or damaged. */
export async function readSnapshot(
  db: Queryable,
  shard: number,
  { seq, partCount, byteCount, encoding }: SnapshotHead,
): Promise<Buffer<ArrayBuffer> | undefined> {
  const whole = Buffer.allocUnsafe(byteCount);
  const placing: Promise<boolean>[] = [];
  let reading = readPart(db, shard, seq, 0);
  for (let part = 0; part < partCount; part += 1) {
    const stored = await reading;
    // The database sends the next part while this one is decompressed.
    if (part + 1 < partCount) reading = readPart(db, shard, seq, part + 1);
    // Awaited above; until then its failure must not count as an unhandled rejection.
    reading.catch(() => {});
    placing.push(place(whole, part, stored, encoding));
  }
  const placed = await Promise.all(placing);
  return placed.every(Boolean) ? whole : undefined;
}

/** Puts a part where it belongs. False if that is not what it should be. */
async function place(
  whole: Buffer,
  part: number,
  stored: Buffer | undefined,
  encoding: string,
): Promise<boolean> {
  if (stored === undefined) return false;
  const wanted = whole.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
  try {
    const bytes = encoding === 'raw' ? stored : await decompress(stored, DECOMPRESSION);
    if (bytes.length !== wanted.length) return false;
    bytes.copy(wanted);
    return true;
  } catch {
    return false;
  }
}

export interface NewSnapshot {
  readonly shard: number;
  readonly seq: number;
  readonly digest: Buffer;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** More than one, in case the newest is damaged. */
const SNAPSHOTS_KEPT = 2;

async function compressParts(bytes: Uint8Array): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += PART_BYTES) {
    pieces.push(await compress(bytes.subarray(at, at + PART_BYTES), COMPRESSION));
  }
  return pieces;
}

/** Writes a snapshot and deletes the oldest, in one transaction. Its hash is that of the bytes before they are compressed. False when another process already wrote it. */
export async function writeSnapshot(
  client: pg.ClientBase,
  { shard, seq, digest, bytes }: NewSnapshot,
): Promise<boolean> {
  const [hash, pieces] = await Promise.all([hashSnapshot(bytes), compressParts(bytes)]);
  await client.query('BEGIN');
  try {
    const { rowCount } = await client.query(
      `INSERT INTO trading_snapshots (shard, seq, digest, hash, byte_count, part_count, core_version, encoding)
       VALUES ($1, $2, $3, $4, $5, $6, $7, 'zstd') ON CONFLICT DO NOTHING`,
      [shard, seq, digest, hash, bytes.length, pieces.length, CORE_VERSION],
    );
    for (const [part, piece] of rowCount === 1 ? pieces.entries() : []) {
      await client.query(
        'INSERT INTO trading_snapshot_parts (shard, seq, part, bytes) VALUES ($1, $2, $3, $4)',
        [shard, seq, part, piece],
      );
    }
    await client.query(
      // The journal may begin after the newest verified one: it stays until another is verified.
      `DELETE FROM trading_snapshots WHERE shard = $1 AND seq NOT IN
         (SELECT seq FROM trading_snapshots WHERE shard = $1 ORDER BY seq DESC LIMIT $2)
         AND seq IS DISTINCT FROM
         (SELECT max(seq) FROM trading_snapshots WHERE shard = $1 AND verified_at IS NOT NULL)`,
      [shard, SNAPSHOTS_KEPT],
    );
    await client.query('COMMIT');
    return rowCount === 1;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}
