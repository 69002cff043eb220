import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
import type { InvariantHalt, NewHalt, Release } from './halt.ts';

/** How long a release by two people holds for a rule that is still broken. */
const RELEASE_HOURS = 24;

/**
 * Returns those of `halts` that are in force now, new or not: two people have released the others.
 */
export async function insertHalts(db: Db, halts: readonly NewHalt[]): Promise<NewHalt[]> {
  if (halts.length === 0) return [];
  const { rows } = await sql<{ number: number }>`
    WITH found AS (
      SELECT v.* FROM unnest(
               ${halts.map(({ symbol }) => symbol)}::text[], ${halts.map(({ rule }) => rule)}::text[],
               ${halts.map(({ subject }) => subject)}::text[], ${halts.map(({ foundBy }) => foundBy)}::text[],
               ${halts.map(({ isEvent = false }) => isEvent)}::boolean[])
             WITH ORDINALITY AS v(symbol, rule, subject, found_by, is_event, number)
       WHERE NOT EXISTS (
         SELECT FROM invariant_halts h
          WHERE h.symbol = v.symbol AND h.rule = v.rule AND h.subject = v.subject
            AND released_at IS NOT NULL
            AND (is_event OR released_at > clock_timestamp() - ${RELEASE_HOURS} * interval '1 hour'))
    ), added AS (
      INSERT INTO invariant_halts (symbol, rule, subject, found_by)
      SELECT symbol, rule, subject, found_by FROM found ORDER BY symbol, rule, subject
      ON CONFLICT DO NOTHING
    )
    SELECT number::int FROM found`.execute(db);
  return rows.flatMap(({ number }) => halts[number - 1] ?? []);
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
