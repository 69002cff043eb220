// What an operator has to know to decide about a withdrawal: whose it is, since when its address is in the book, why it
// waits, and who has approved it.
import { getAccountWithOwner } from '../../../accounts/trading-keys/access.ts';
import type { Context } from '../../../platform/context.ts';
import { parseAmount } from '../../amount.ts';
import { listEntriesByIds } from '../address-book/access.ts';
import { isGenuineEntry, type BookEntry } from '../address-book/entry.ts';
import { ownNetworks } from '../networks.ts';
import { listApprovals } from '../withdrawals/access.ts';
import type { AwaitingWithdrawal } from '../withdrawals/approvals.ts';
import { whyWaits, type Wait } from '../withdrawals/rules.ts';
import { emailsOf } from './people.ts';

export interface KnownEntry extends Pick<BookEntry, 'label' | 'createdAt' | 'usableAt'> {
  /** `altered`: the row is not as it was written. Do not pay by it. */
  readonly state: 'present' | 'removed' | 'altered';
}

export interface DescribedWithdrawal extends AwaitingWithdrawal {
  readonly owner: { readonly email: string; readonly name: string };
  /** What its owner calls the sub-account; empty for a main account. */
  readonly accountLabel: string;
  readonly entry: KnownEntry | undefined;
  readonly approvedBy: readonly { readonly email: string; readonly at: Date }[];
  readonly because: readonly Wait[];
  /** In whole coins; undefined where the file has no limits for the coin any more. */
  readonly limits: { readonly automaticMax: string; readonly oneOperatorMax: string } | undefined;
}

export async function describeAwaiting(
  ctx: Context,
  awaiting: readonly AwaitingWithdrawal[],
): Promise<DescribedWithdrawal[]> {
  const rows = awaiting.map(({ row }) => row);
  const entries = new Map(
    (
      await listEntriesByIds(
        ctx.db,
        rows.flatMap(({ addressId }) => addressId ?? []),
      )
    ).map((entry) => [entry.id, entry]),
  );
  const approvals = await listApprovals(
    ctx.db,
    rows.map(({ withdrawId }) => withdrawId),
  );
  const emails = await emailsOf(
    ctx.db,
    approvals.map(({ operatorId }) => operatorId),
  );
  const accounts = new Map<bigint, Awaited<ReturnType<typeof getAccountWithOwner>>>();
  for (const { accountId } of rows) {
    if (!accounts.has(accountId)) {
      accounts.set(accountId, await getAccountWithOwner(ctx.db, accountId));
    }
  }
  return awaiting.map(({ row, ...decided }) => {
    const account = accounts.get(row.accountId);
    const entry = row.addressId === null ? undefined : entries.get(row.addressId);
    const limits = ownNetworks(ctx.config).get(row.network)?.withdrawals[row.coin];
    const terms = limits && { automaticMax: parseAmount(limits.automaticMax) ?? 0n };
    return {
      ...decided,
      row,
      owner: { email: account?.email ?? '', name: account?.fullName ?? '' },
      accountLabel: account?.label ?? '',
      entry: entry && {
        label: entry.label,
        createdAt: entry.createdAt,
        usableAt: entry.usableAt,
        state: !isGenuineEntry(ctx.secrets, entry)
          ? 'altered'
          : entry.removedAt === null
            ? 'present'
            : 'removed',
      },
      approvedBy: approvals
        .filter(({ withdrawId }) => withdrawId === row.withdrawId)
        .map(({ operatorId, at }) => ({ email: emails.get(operatorId) ?? '', at })),
      because: whyWaits(row, terms, { isInBook: entry !== undefined }),
      limits,
    };
  });
}
