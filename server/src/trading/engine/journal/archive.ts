// Reads rows of the journal that have left the table, from the file store. One file is kept in memory: readers go from
// row to row.
import type { Files } from '../../../platform/files/files.ts';
import type { Queryable } from '../statements.ts';
import {
  fileOf,
  openRows,
  readManifest,
  WrongArchive,
  type ArchivedRow,
  type Manifest,
  type RowLines,
} from './archive-file.ts';
import { listArchives, type ArchiveRow } from './archives-store.ts';
import { fetchFile } from './stored-file.ts';

export class Archive {
  readonly #files: Files;
  #part: { row: ArchiveRow; manifest: Manifest } | undefined;
  #lines: { shard: number; rows: RowLines } | undefined;

  constructor(files: Files) {
    this.#files = files;
  }

  /** The rows after `seq`, at most `limit`; none if the row after it is not archived. */
  async read(db: Queryable, shard: number, seq: number, limit: number): Promise<ArchivedRow[]> {
    const found: ArchivedRow[] = [];
    for (let next = seq + 1; found.length < limit; next += 1) {
      const lines = await this.#open(db, shard, next);
      if (lines === undefined) break;
      found.push(lines.at(next));
    }
    return found;
  }

  /** Whether the row is in memory. */
  holds(shard: number, seq: number): boolean {
    const held = this.#lines;
    return held?.shard === shard && held.rows.firstSeq <= seq && seq <= held.rows.lastSeq;
  }

  async #open(db: Queryable, shard: number, seq: number): Promise<RowLines | undefined> {
    if (this.holds(shard, seq)) return this.#lines?.rows;
    const part = this.#part;
    if (part === undefined || !has(part.row, shard, seq)) {
      const [row] = await listArchives(db, shard, { afterSeq: seq - 1 });
      if (row === undefined || !has(row, shard, seq)) return undefined;
      this.#part = { row, manifest: await openManifest(this.#files, row) };
    }
    const { manifest } = this.#part ?? {};
    if (manifest === undefined) return undefined;
    const file = fileOf(manifest, seq);
    const rows = await openRows(await fetchFile(this.#files, file), file);
    this.#lines = { shard, rows };
    return rows;
  }
}

const has = (row: ArchiveRow, shard: number, seq: number): boolean =>
  row.shard === shard && row.firstSeq <= seq && seq <= row.lastSeq;

/** The manifest of a part, which is about the rows that the database says. */
export async function openManifest(files: Files, row: ArchiveRow): Promise<Manifest> {
  const manifest = readManifest(await fetchFile(files, row.manifest));
  const isSame =
    manifest.shard === row.shard &&
    manifest.firstSeq === row.firstSeq &&
    manifest.lastSeq === row.lastSeq &&
    manifest.digestBefore === row.digestBefore.toString('hex') &&
    manifest.digestAfter === row.digestAfter.toString('hex');
  if (isSame) return manifest;
  throw new WrongArchive(
    `the manifest ${row.manifest.key} is not about rows ${row.firstSeq} to ${row.lastSeq}`,
  );
}
