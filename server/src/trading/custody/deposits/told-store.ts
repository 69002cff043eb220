import type { Db } from '../../../platform/db/pool.ts';
import type { DepositRow } from './shapes.ts';

/** What answers and events show of a deposit. */
export const shownDeposits = (db: Db) =>
  db
    .selectFrom('custodyTransfers as t')
    .innerJoin('custodyNetworks as n', 'n.network', 't.network')
    .select(['t.depositId', 't.coin', 't.network', 't.amount', 't.fee', 't.address', 't.memo'])
    .select(['t.txid', 't.place', 't.height', 't.blockHash', 't.needed', 't.status'])
    .select(['t.isInternal', 't.statusReason', 't.detectedAt', 't.creditedAt', 't.updatedAt'])
    .select('n.scannedHeight');

interface StoredShown extends Omit<DepositRow, 'amount' | 'fee'> {
  readonly amount: string;
  readonly fee: string;
}

export const toShown = <T extends StoredShown>({ amount, fee, ...rest }: T) => ({
  ...rest,
  amount: BigInt(amount),
  fee: BigInt(fee),
});

export interface OwnedDeposit extends DepositRow {
  readonly accountId: bigint;
  readonly userId: number;
}

/** Those of them that belong to somebody, by number. */
export async function listOwned(db: Db, depositIds: readonly bigint[]): Promise<OwnedDeposit[]> {
  const rows = await shownDeposits(db)
    .innerJoin('tradingAccounts as a', 'a.id', 't.accountId')
    .select(['a.id as accountId', 'a.userId'])
    .where('t.depositId', 'in', [...depositIds])
    .orderBy('t.depositId')
    .execute();
  return rows.map(toShown);
}
