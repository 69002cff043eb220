// What operators are shown of an account.
import { getAccountWithOwner } from '../../accounts/trading-keys/access.ts';
import type { Db } from '../../platform/db/pool.ts';
import { listWholeBalances } from '../account/access.ts';
import { formatAmount } from '../amount.ts';

export interface AccountDescription {
  readonly account: number;
  /** The main account of a sub-account; empty for a main account. */
  readonly parent: string;
  /** What the owner calls a sub-account; empty for a main account. */
  readonly label: string;
  readonly owner: string;
  readonly name: string;
  readonly tier: number;
  /** Whether the owner is active, or deactivated. */
  readonly person: 'active' | 'deactivated';
  readonly suspended: boolean;
  /** Why: `operator`, `deactivation`, `closed`, or several; empty when it is not. */
  readonly because: string;
  readonly opened: string;
  readonly balances: { coin: string; available: string; held: string; pendingWithdraw: string }[];
}

export async function describeAccount(db: Db, id: number): Promise<AccountDescription> {
  const account = await getAccountWithOwner(db, BigInt(id));
  const balances = await listWholeBalances(db, BigInt(id));
  const amount = (units: string) => formatAmount(BigInt(units));
  return {
    account: id,
    parent: account.parentAccountId === null ? '' : String(account.parentAccountId),
    label: account.label,
    owner: account.email,
    name: account.fullName,
    tier: account.feeTier,
    person: account.isActive ? 'active' : 'deactivated',
    suspended: account.isSuspended,
    because: [
      ...(account.isSuspendedByOperator ? ['operator'] : []),
      ...(account.hasActiveOwners ? [] : ['deactivation']),
      ...(account.closedAt === null ? [] : ['closed']),
    ].join(', '),
    opened: account.openedAt.toISOString(),
    balances: balances.map((row) => ({
      coin: row.coin,
      available: amount(row.available),
      held: amount(row.held),
      pendingWithdraw: amount(row.pendingWithdraw),
    })),
  };
}
