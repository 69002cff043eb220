// What others may know of the journal without asking the engine.
import { sql } from 'kysely';
import { PLANNED_EACH_TIME } from '../../platform/db/prepared.ts';
import type { Db } from '../../platform/db/pool.ts';

/** The last engine event that the transaction sees; zero before the first. */
export async function readEngineSeq(db: Db, shard: number): Promise<bigint> {
  // With a row to begin at, only the newest parts of the journal are opened.
  const { rows: reached } = await sql<{ seq: bigint }>`
    SELECT seq FROM projection_checkpoints WHERE shard = ${shard}`.execute(db);
  const { rows } = await sql<{ engineSeq: bigint }>`
    SELECT engine_seq FROM trading_journal ${PLANNED_EACH_TIME}
     WHERE shard = ${shard} AND seq >= ${reached[0]?.seq ?? 0n} ORDER BY seq DESC LIMIT 1`.execute(
    db,
  );
  return rows[0]?.engineSeq ?? 0n;
}

export { readHead, readRows, type JournalRow } from './store.ts';
