// Copies a part of the journal into the file store, and reads it back before it counts as archived.
import type { Files } from '../../../platform/files/files.ts';
import { assert } from '../../../platform/std/assert.ts';
import { GENESIS } from '../machine.ts';
import type { Queryable } from '../statements.ts';
import { openManifest } from './archive.ts';
import {
  compressText,
  openRows,
  WrongArchive,
  writeLine,
  writeManifest,
  type ArchivedRow,
  type RowsFile,
} from './archive-file.ts';
import { insertArchive, listArchives, type ArchiveRow } from './archives-store.ts';
import { readWholeRows } from './part-rows.ts';
import { fetchFile, storeFile } from './stored-file.ts';

/** Where a test may stop it. */
export type ArchivePoint = 'stored a file' | 'stored the manifest' | 'read it back' | 'archived';

export interface ArchiveOptions {
  readonly shard: number;
  readonly firstSeq: number;
  readonly lastSeq: number;
  /** Text of a file before it is compressed. */
  readonly fileBytes?: number;
  probe?(point: ArchivePoint): void;
}

/** A reader of one row decompresses as much. */
const FILE_BYTES = 16 * 1024 * 1024;

/** Archives rows, unless they are: then their files are read once more. */
export async function archivePart(
  db: Queryable,
  files: Files,
  options: ArchiveOptions,
): Promise<ArchiveRow> {
  const { shard, firstSeq, lastSeq, probe } = options;
  const known = (await listArchives(db, shard, { afterSeq: firstSeq - 1 })).find(
    (row) => row.firstSeq === firstSeq,
  );
  if (known !== undefined) {
    assert(known.lastSeq === lastSeq, 'a part is archived as a whole', { firstSeq, lastSeq });
    await checkArchive(db, files, known);
    return known;
  }
  const written = await writeFiles(db, files, options);
  const { last } = written;
  const digestBefore = await readDigest(db, shard, firstSeq - 1);
  const bytes = writeManifest({
    shard,
    firstSeq,
    lastSeq,
    digestBefore: digestBefore.toString('hex'),
    digestAfter: last.digest.toString('hex'),
    files: written.files,
  });
  const row: ArchiveRow = {
    shard,
    firstSeq,
    lastSeq,
    digestBefore,
    digestAfter: last.digest,
    lastEngineSeq: last.engineSeq,
    commandCount: written.commandCount,
    lastAt: new Date(last.at),
    manifest: await storeFile(files, bytes),
    byteCount: written.files.reduce((sum, file) => sum + file.bytes, 0),
    isRemoved: false,
  };
  probe?.('stored the manifest');
  await checkArchive(db, files, row);
  probe?.('read it back');
  await insertArchive(db, row);
  probe?.('archived');
  return row;
}

async function writeFiles(
  db: Queryable,
  files: Files,
  { shard, firstSeq, lastSeq, fileBytes = FILE_BYTES, probe }: ArchiveOptions,
): Promise<{ files: RowsFile[]; last: ArchivedRow; commandCount: number }> {
  const stored: RowsFile[] = [];
  let commandCount = 0;
  let lines: string[] = [];
  let bytes = 0;
  let last: ArchivedRow | undefined;
  const flush = async () => {
    if (last === undefined || lines.length === 0) return;
    const text = lines.join('\n');
    const file = await storeFile(files, await compressText(text));
    stored.push({
      ...file,
      firstSeq: last.seq - lines.length + 1,
      lastSeq: last.seq,
      textBytes: Buffer.byteLength(text),
    });
    lines = [];
    bytes = 0;
    probe?.('stored a file');
  };
  for await (const row of readWholeRows(db, { shard, firstSeq, lastSeq })) {
    const line = writeLine(row);
    const size = Buffer.byteLength(line) + 1;
    if (bytes + size > fileBytes) await flush();
    lines.push(line);
    bytes += size;
    commandCount += row.commandCount;
    last = row;
  }
  await flush();
  assert(last !== undefined, 'a part has rows', { firstSeq });
  return { files: stored, last, commandCount };
}

async function readDigest(db: Queryable, shard: number, seq: number): Promise<Buffer> {
  if (seq === 0) return GENESIS;
  for await (const { digest } of readWholeRows(db, { shard, firstSeq: seq, lastSeq: seq })) {
    return digest;
  }
  const archived = await listArchives(db, shard, { afterSeq: seq - 1 });
  const before = archived.find((row) => row.lastSeq === seq);
  assert(before !== undefined, 'the row before a part is in the table, or was archived', { seq });
  return before.digestAfter;
}

export interface Checked {
  readonly files: number;
  readonly rows: number;
}

/** Reads all files of a part. While its rows are in the table too, each is compared with the row there. */
export async function checkArchive(db: Queryable, files: Files, row: ArchiveRow): Promise<Checked> {
  const manifest = await openManifest(files, row);
  const { shard } = row;
  let last: ArchivedRow | undefined;
  for (const file of manifest.files) {
    const archived = await openRows(await fetchFile(files, file), file);
    if (!row.isRemoved) {
      const stretch = { shard, firstSeq: file.firstSeq, lastSeq: file.lastSeq };
      for await (const there of readWholeRows(db, stretch)) {
        if (writeLine(there) === writeLine(archived.at(there.seq))) continue;
        throw new WrongArchive(`row ${there.seq} in the table is another`);
      }
    }
    // Each line is decoded once, here if not above.
    for (let seq = file.firstSeq; seq <= file.lastSeq; seq += 1) {
      const next = archived.at(seq);
      if (last !== undefined && next.epoch < last.epoch) {
        throw new WrongArchive(`row ${seq} of epoch ${next.epoch} follows epoch ${last.epoch}`);
      }
      last = next;
    }
  }
  if (last?.digest.equals(row.digestAfter) !== true) {
    throw new WrongArchive(`row ${row.lastSeq} does not have the digest that the database knows`);
  }
  return { files: manifest.files.length, rows: row.lastSeq - row.firstSeq + 1 };
}
