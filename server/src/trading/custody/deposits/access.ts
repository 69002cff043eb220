// What accounts see of their deposits.
import type { Db } from '../../../platform/db/pool.ts';
import type { TradingContext } from '../../context.ts';
import type { PrivateCaller } from '../../http/authenticate.ts';
import { newestPage, parsePage, toPage, type PageOf, type PageParams } from '../../pages.ts';
import { toDeposit, type Deposit } from './shapes.ts';
import { listDeposits, sumPending, type DepositFilter } from './store.ts';

export { insertInternal } from './store.ts';

export async function pageDeposits(
  ctx: TradingContext,
  { account }: PrivateCaller,
  filter: DepositFilter,
  params: PageParams,
): Promise<PageOf<Deposit>> {
  const name = { list: 'deposits', accountId: account.id, filters: { ...filter } };
  const query = parsePage(ctx.secrets, name, params);
  const rows = await listDeposits(ctx.db, account.id, filter, query);
  return toPage(ctx.secrets, name, query, rows, {
    positionOf: (row) => ({ ms: BigInt(row.detectedAt.getTime()), id: row.depositId }),
    print: toDeposit,
  });
}

/** What is on its way to an account, by coin, in units. */
export async function readPendingDeposits(
  db: Db,
  accountId: bigint,
): Promise<ReadonlyMap<string, bigint>> {
  const sums = await sumPending(db, accountId);
  return new Map(sums.map(({ coin, amount }) => [coin, amount]));
}

/** The newest ones of an account, the oldest of them first. */
export async function listNewestDeposits(
  db: Db,
  accountId: bigint,
  limit: number,
): Promise<Deposit[]> {
  const rows = await listDeposits(db, accountId, {}, newestPage(limit));
  return rows.slice(0, limit).reverse().map(toDeposit);
}
