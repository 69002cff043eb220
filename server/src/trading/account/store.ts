import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';

/** When a balance last changed, which the engine does not keep. */
export interface BalanceNote {
  readonly coin: string;
  readonly updatedAt: Date;
}

/** The balances that ever moved, by coin. The number of coins bounds the list. */
export async function listBalanceNotes(db: Db, accountId: bigint): Promise<BalanceNote[]> {
  return db
    .selectFrom('balances')
    .select(['coin', 'updatedAt'])
    .where('accountId', '=', accountId)
    .execute();
}

/** What the accounts traded together since the day that began at `fromMs`, in markets quoted in `quote`. */
export async function sumVolume(
  db: Db,
  accountIds: readonly bigint[],
  quote: string,
  fromMs: number,
): Promise<bigint> {
  const row = await db
    .selectFrom('accountVolumes as v')
    .innerJoin('markets as m', 'm.symbol', 'v.symbol')
    .where('v.accountId', 'in', [...accountIds])
    .where('v.dayMs', '>=', BigInt(fromMs))
    .where('m.quote', '=', quote)
    .select(sql<string>`coalesce(sum(v.total), 0)`.as('total'))
    .executeTakeFirstOrThrow();
  return BigInt(row.total);
}

/** Every coin of which the account has or had something, by coin, in units. */
export async function listWholeBalances(
  db: Db,
  accountId: bigint,
): Promise<{ coin: string; available: string; held: string; pendingWithdraw: string }[]> {
  return db
    .selectFrom('balances')
    .select(['coin', 'available', 'held', 'pendingWithdraw'])
    .where('accountId', '=', accountId)
    .orderBy('coin')
    .execute();
}
