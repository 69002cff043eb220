// The journal from any of its rows, wherever they are: in the table, or in the file store.
import type { Queryable } from '../statements.ts';
import { readRows, type JournalRow } from '../access.ts';
import type { Archive } from './archive.ts';

/** Rows are wanted that have left the table, by somebody who cannot read the file store. */
export class RowsArchived extends Error {
  override name = 'RowsArchived';
  constructor(shard: number, from: number, to: number) {
    super(
      `Rows ${from} to ${to} of the journal of shard ${shard} are no longer in the database, and they are needed here because ` +
        'no snapshot after them is whole. They are in the file store: start a process with the role engine that reaches it ' +
        '(UPLOADS_DIR or S3_BUCKET); `rialto journal verify` says whether the files are whole.',
    );
  }
}

/** The rows after `seq`, in order, at most `limit`; fewer only at the end of the journal. */
export async function readJournal(
  db: Queryable,
  { shard, seq, limit }: { shard: number; seq: number; limit: number },
  archive?: Archive,
): Promise<JournalRow[]> {
  const rows: JournalRow[] = [];
  while (rows.length < limit) {
    const after = seq + rows.length;
    const left = limit - rows.length;
    if (archive?.holds(shard, after + 1) === true) {
      rows.push(...(await archive.read(db, shard, after, left)));
      continue;
    }
    const there = await readRows(db, shard, after, left);
    const next = there[0]?.seq ?? after + 1;
    if (next === after + 1) return [...rows, ...there];
    // The journal has no gaps but where its beginning was removed.
    const archived = (await archive?.read(db, shard, after, left)) ?? [];
    if (archived.length === 0) throw new RowsArchived(shard, after + 1, next - 1);
    rows.push(...archived);
  }
  return rows;
}
