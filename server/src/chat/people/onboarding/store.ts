// The rows of one-time notices that people have seen.
import type { Db } from '../../../platform/db/pool.ts';
import type { Tx } from '../../../platform/db/transaction.ts';

export async function listSeen(db: Db, userId: number): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('seenOnboardingSteps')
    .select('step')
    .where('userId', '=', userId)
    .execute();
  return new Set(rows.map(({ step }) => step));
}

/** False when it was there already. */
export async function insertSeen(tx: Tx, userId: number, step: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('seenOnboardingSteps')
    .values({ userId, step })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}
