import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
import type { InvariantHalt, NewHalt, Release } from './halt.ts';

/** How long the word of two people stands for a rule that is still broken. */
const RELEASE_HOURS = 24;

/** Gives those of `halts` that are in force now, new or not: two people have released the others. */
export async function insertHalts(db: Db, halts: readonly NewHalt[]): Promise<NewHalt[]> {
  const inForce: NewHalt[] = [];
  for (const halt of halts) {
    const { symbol, rule, subject, foundBy, isEvent = false } = halt;
    const { rows } = await sql`
      WITH released AS (
        SELECT FROM invariant_halts
         WHERE symbol = ${symbol} AND rule = ${rule} AND subject = ${subject}
           AND released_at IS NOT NULL
           AND (${isEvent}::boolean OR released_at > clock_timestamp() - ${RELEASE_HOURS} * interval '1 hour')
      ), added AS (
        INSERT INTO invariant_halts (symbol, rule, subject, found_by)
        SELECT ${symbol}, ${rule}, ${subject}, ${foundBy} WHERE NOT EXISTS (SELECT FROM released)
        ON CONFLICT DO NOTHING
      )
      SELECT WHERE NOT EXISTS (SELECT FROM released)`.execute(db);
    if (rows.length > 0) inForce.push(halt);
  }
  return inForce;
}

export async function listOpenHalts(db: Db, symbol?: string): Promise<InvariantHalt[]> {
  return db
    .selectFrom('invariantHalts')
    .select(['id', 'symbol', 'rule', 'subject', 'foundBy', 'at'])
    .where('releasedAt', 'is', null)
    .$if(symbol !== undefined, (query) => query.where('symbol', '=', symbol ?? ''))
    .orderBy('id')
    .execute();
}

export async function updateReleased(tx: Db, release: Release): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('invariantHalts')
    .set({
      releasedAt: release.at,
      releasedById: release.releasedById,
      releaseApprovedById: release.approvedById,
      releaseReason: release.reason,
    })
    .where('symbol', '=', release.symbol)
    .where('releasedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
