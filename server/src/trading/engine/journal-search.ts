// Looks into the journal: which row holds an event, and when a row was made.
import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';

/** The engine's first shard is the only one so far. */
const SHARD = 0;

/**
 * The row of the journal that holds an engine event; undefined when the journal does not reach that far, or the row has
 * left the table. Event
 * numbers ascend with rows, so this is a binary search by the table's key.
 */
export async function findJournalSeq(db: Db, engineSeq: number): Promise<number | undefined> {
  const at = async (seq: number) => {
    const row = await db
      .selectFrom('tradingJournal')
      .select('engineSeq')
      .where('shard', '=', SHARD)
      .where('seq', '=', BigInt(seq))
      .executeTakeFirst();
    return row && Number(row.engineSeq);
  };
  const [head, removed] = await Promise.all([
    db
      .selectFrom('tradingJournal')
      .select('seq')
      .where('shard', '=', SHARD)
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirst(),
    db
      .selectFrom('journalArchives')
      .select(['lastSeq', 'lastEngineSeq'])
      .where('shard', '=', SHARD)
      .where('removedAt', 'is not', null)
      .orderBy('firstSeq', 'desc')
      .limit(1)
      .executeTakeFirst(),
  ]);
  // Its row is in the file store.
  if (removed !== undefined && engineSeq <= Number(removed.lastEngineSeq)) return undefined;
  let low = Number(removed?.lastSeq ?? 0n) + 1;
  let high = Number(head?.seq ?? 0n) + 1;
  const beyond = high;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const reached = await at(middle);
    // A part may be removed meanwhile.
    if (reached === undefined || reached < engineSeq) low = middle + 1;
    else high = middle;
  }
  return low === beyond ? undefined : low;
}

/** The time that the engine gave to the first command of a row of the journal; undefined when there is no such row. */
export async function findJournalTime(db: Db, seq: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('tradingJournal')
    .select(sql<string>`substring(commands FROM '^[0-9]+')`.as('timeMs'))
    .where('shard', '=', SHARD)
    .where('seq', '=', BigInt(seq))
    .executeTakeFirst();
  return row && Number(row.timeMs);
}
