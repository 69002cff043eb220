// Where the rows of the engine's journal are: in parts of its table, and in files of the store.
import type pg from 'pg';
import type { Config } from '../../platform/config/schema.ts';
import { createFiles } from '../../platform/files/create.ts';
import { listArchives, listJournalParts } from '../../trading/engine/journal/access.ts';
import { broken, ok, warning, type Finding } from './finding.ts';

const SHARD = 0;
/** Manifests that are looked for, the newest first. */
const MANIFESTS = 50;

export async function checkJournal(client: pg.Client, config: Config): Promise<Finding> {
  const parts = await listJournalParts(client);
  const removed = (await listArchives(client, SHARD)).filter(({ isRemoved }) => isRemoved);
  const { rows } = await client.query<{ rest: boolean; verified: boolean }>(
    `SELECT EXISTS (SELECT FROM trading_journal WHERE seq >= $1) AS rest,
            EXISTS (SELECT FROM trading_snapshots WHERE verified_at IS NOT NULL AND shard = $2) AS verified`,
    [parts.at(-1)?.firstSeq ?? 1, SHARD],
  );
  const archivedThrough = removed.at(-1)?.lastSeq ?? 0;
  const what =
    `It has ${parts.length} parts in the database` +
    (archivedThrough === 0 ? '.' : `; rows 1 to ${archivedThrough} are in the file store.`);
  const missing = await countMissing(config, removed);
  if (missing > 0) {
    return broken('journal', {
      what: `${what} ${missing} of their manifests cannot be found there.`,
      why: 'The tables cannot be rebuilt, and no engine can start without a snapshot.',
      fix: 'Put the files back from a backup of the file store, then run `rialto journal verify`: docs/operating/engine.md, "Archived parts of the journal".',
    });
  }
  if (archivedThrough > 0 && rows[0]?.verified !== true) {
    return warning('journal', {
      what: `${what} The snapshot that was proven for that is gone.`,
      why: 'If the others are damaged, a start reads all rows from the file store.',
      fix: 'Run `rialto journal verify`. The next `rialto journal prune --apply` proves another one.',
    });
  }
  if (rows[0]?.rest === true) {
    return warning('journal', {
      what: `${what} Rows are in the last one, which has no end.`,
      why: 'No worker has made parts for them; nothing is lost, and the journal cannot be pruned there.',
      fix: 'See that a process with the role worker runs: it makes a part of them within ten minutes.',
    });
  }
  return ok('journal', what);
}

async function countMissing(
  config: Config,
  removed: Awaited<ReturnType<typeof listArchives>>,
): Promise<number> {
  if (removed.length === 0) return 0;
  const files = await createFiles(config);
  try {
    const sizes = await Promise.all(
      removed
        .slice(-MANIFESTS)
        .map(async ({ manifest }) => (await files.size(manifest.key)) === manifest.bytes),
    );
    return sizes.filter((isThere) => !isThere).length;
  } finally {
    files.close();
  }
}
