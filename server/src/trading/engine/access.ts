// What others may know of the journal without asking the engine.
import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';

/** The last engine event that the transaction sees; zero before the first. */
export async function readEngineSeq(db: Db, shard: number): Promise<bigint> {
  const { rows } = await sql<{ engineSeq: bigint }>`
    SELECT engine_seq FROM trading_journal WHERE shard = ${shard} ORDER BY seq DESC LIMIT 1`.execute(
    db,
  );
  return rows[0]?.engineSeq ?? 0n;
}
