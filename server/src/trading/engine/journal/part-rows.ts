// Rows of the journal with all their columns, for the archive: as many at once as are some megabytes.
import { assert } from '../../../platform/std/assert.ts';
import { bounded, type Queryable } from '../statements.ts';
import type { ArchivedRow } from './archive-file.ts';

export interface RowsWanted {
  readonly shard: number;
  readonly firstSeq: number;
  readonly lastSeq: number;
}

/** A row holds up to some thousand commands. */
const FIRST_PAGE = 16;
const PAGE_MAX = 2000;
const PAGE_BYTES = 4 * 1024 * 1024;

/** Those rows that are in the table, in order and without a gap. */
export async function* readWholeRows(
  db: Queryable,
  { shard, firstSeq, lastSeq }: RowsWanted,
): AsyncGenerator<ArchivedRow, void> {
  let limit = FIRST_PAGE;
  for (let next = firstSeq; next <= lastSeq;) {
    const rows = await readPage(db, { shard, firstSeq: next, lastSeq }, limit);
    if (rows.length === 0) {
      assert(next === firstSeq, 'the journal has no gap', { seq: next });
      return;
    }
    let longest = 1;
    for (const row of rows) {
      assert(row.seq === next, 'the journal has no gap', { seq: next });
      longest = Math.max(longest, row.commands.length);
      next += 1;
      yield row;
    }
    limit = Math.min(PAGE_MAX, Math.max(1, Math.floor(PAGE_BYTES / longest)));
  }
}

async function readPage(
  db: Queryable,
  { shard, firstSeq, lastSeq }: RowsWanted,
  limit: number,
): Promise<ArchivedRow[]> {
  const { rows } = await db.query<{
    seq: string;
    epoch: string;
    core_version: number;
    commands: string;
    command_count: number;
    digest: Buffer;
    engine_seq: string;
    at: string;
  }>(
    bounded({
      text: `SELECT j.seq::text, j.epoch::text, core_version, commands, command_count, digest, engine_seq::text,
                    to_char(j.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at
               FROM trading_journal j WHERE shard = $1 AND j.seq BETWEEN $2 AND $3 ORDER BY j.seq LIMIT $4`,
      values: [shard, firstSeq, lastSeq, limit],
    }),
  );
  return rows.map((row) => ({
    seq: Number(row.seq),
    epoch: Number(row.epoch),
    coreVersion: row.core_version,
    commands: row.commands,
    commandCount: row.command_count,
    digest: row.digest,
    engineSeq: Number(row.engine_seq),
    at: row.at,
  }));
}
