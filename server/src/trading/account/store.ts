import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';

/** Units of 10^-18. */
export interface BalanceOfCoin {
  readonly coin: string;
  readonly available: bigint;
  readonly held: bigint;
  readonly pendingDeposit: bigint;
  readonly pendingWithdraw: bigint;
  readonly updatedAt: Date;
}

/** The account's balances that ever moved, by coin. The number of coins bounds it. */
export async function listBalances(db: Db, accountId: bigint): Promise<BalanceOfCoin[]> {
  const rows = await db
    .selectFrom('balances')
    .select(['coin', 'available', 'held', 'pendingDeposit', 'pendingWithdraw', 'updatedAt'])
    .where('accountId', '=', accountId)
    .orderBy(sql`coin COLLATE "C"`)
    .execute();
  return rows.map((row) => ({
    coin: row.coin,
    available: BigInt(row.available),
    held: BigInt(row.held),
    pendingDeposit: BigInt(row.pendingDeposit),
    pendingWithdraw: BigInt(row.pendingWithdraw),
    updatedAt: row.updatedAt,
  }));
}
