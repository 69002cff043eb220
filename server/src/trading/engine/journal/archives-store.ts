// The table of archived parts of the journal, and the parts of the journal's table.
import { bounded, type Queryable } from '../statements.ts';
import type { StoredFile } from './archive-file.ts';

export interface ArchiveRow {
  readonly shard: number;
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly digestBefore: Buffer;
  readonly digestAfter: Buffer;
  readonly lastEngineSeq: number;
  readonly commandCount: number;
  readonly lastAt: Date;
  readonly manifest: StoredFile;
  /** What its files take in the store. */
  readonly byteCount: number;
  /** Its rows are no longer in the table. */
  readonly isRemoved: boolean;
}

/** Lowest first; those that reach beyond a row. */
export async function listArchives(
  db: Queryable,
  shard: number,
  { afterSeq = 0 } = {},
): Promise<ArchiveRow[]> {
  const { rows } = await db.query<{
    first_seq: string;
    last_seq: string;
    digest_before: Buffer;
    digest_after: Buffer;
    last_engine_seq: string;
    command_count: string;
    last_at: Date;
    manifest_key: string;
    manifest_sha256: Buffer;
    manifest_bytes: number;
    byte_count: string;
    is_removed: boolean;
  }>(
    bounded({
      text: `SELECT a.first_seq::text, a.last_seq::text, digest_before, digest_after, last_engine_seq::text,
                    command_count::text, last_at, manifest_key, manifest_sha256, manifest_bytes, byte_count::text,
                    removed_at IS NOT NULL AS is_removed
               FROM journal_archives a WHERE shard = $1 AND a.last_seq > $2 ORDER BY a.first_seq`,
      values: [shard, afterSeq],
    }),
  );
  return rows.map((row) => ({
    shard,
    firstSeq: Number(row.first_seq),
    lastSeq: Number(row.last_seq),
    digestBefore: row.digest_before,
    digestAfter: row.digest_after,
    lastEngineSeq: Number(row.last_engine_seq),
    commandCount: Number(row.command_count),
    lastAt: row.last_at,
    manifest: {
      key: row.manifest_key,
      sha256: row.manifest_sha256.toString('hex'),
      bytes: row.manifest_bytes,
    },
    byteCount: Number(row.byte_count),
    isRemoved: row.is_removed,
  }));
}

/** For a part whose files were read back. */
export async function insertArchive(
  db: Queryable,
  row: Omit<ArchiveRow, 'isRemoved'>,
): Promise<void> {
  await db.query(
    `INSERT INTO journal_archives (shard, first_seq, last_seq, digest_before, digest_after, last_engine_seq,
                                   command_count, last_at, manifest_key, manifest_sha256,
                                   manifest_bytes, byte_count)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      row.shard,
      row.firstSeq,
      row.lastSeq,
      row.digestBefore,
      row.digestAfter,
      row.lastEngineSeq,
      row.commandCount,
      row.lastAt,
      row.manifest.key,
      Buffer.from(row.manifest.sha256, 'hex'),
      row.manifest.bytes,
      row.byteCount,
    ],
  );
}

/** The last row that left the table; zero while all are there. */
export async function readRemovedThrough(db: Queryable, shard: number): Promise<number> {
  const { rows } = await db.query<{ seq: string }>(
    bounded({
      text: `SELECT coalesce(max(last_seq), 0)::text AS seq FROM journal_archives
              WHERE shard = $1 AND removed_at IS NOT NULL`,
      values: [shard],
    }),
  );
  return Number(rows[0]?.seq ?? 0);
}

export interface JournalPart {
  readonly name: string;
  readonly firstSeq: number;
  /** The row after its last one; undefined for the part that has no end. */
  readonly pastSeq: number | undefined;
  readonly bytes: number;
}

/** Lowest first. */
export async function listJournalParts(db: Queryable): Promise<JournalPart[]> {
  const { rows } = await db.query<{
    name: string;
    first: string;
    past: string | null;
    bytes: string;
  }>(
    `SELECT part::text AS name, p.first::text, p.past::text, pg_total_relation_size(part)::text AS bytes
       FROM journal_parts() p ORDER BY p.first`,
  );
  return rows.map(({ name, first, past, bytes }) => ({
    name,
    firstSeq: Number(first),
    pastSeq: past === null ? undefined : Number(past),
    bytes: Number(bytes),
  }));
}
