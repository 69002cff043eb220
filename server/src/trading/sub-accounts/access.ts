// Which accounts a caller may name. Somebody else's account, a closed one and one that never was
// are all answered in the same words.
import { familyOf } from '../../accounts/trading-keys/key.ts';
import {
  findAccountId,
  findFamilyMember,
  findSubAccountByLabel,
  listFamily,
  listSubAccounts,
  type FamilyMember,
} from '../../accounts/trading-keys/access.ts';
import type { Db } from '../../platform/db/pool.ts';
import type { Refusal } from '../../platform/http/refusal.ts';
import type { TradingContext } from '../context.ts';
import type { PrivateCaller } from '../http/authenticate.ts';
import { refuse } from '../http/errors.ts';
import { parsePage, toPage, type PageOf, type PageParams } from '../pages.ts';
import { noMainAccount, noSubAccount } from './errors.ts';
import { lifetimeMax } from './limits.ts';
import { toTransfer, type Transfer } from './shapes.ts';
import { listTransfers } from './store.ts';

export const unknownAccount = (parameter: string): Refusal =>
  refuse(
    'SUB_ACCOUNT_UNKNOWN',
    'Your family has no such open account. `sub_account/list` shows its sub-accounts, and `account/info` the own and the main account.',
    { parameter },
  );

export const isMain = ({ account }: Pick<PrivateCaller, 'account'>): boolean =>
  account.parentAccountId === null;

/** Refuses a key of a sub-account: what concerns the family is up to the main account. */
export function requireMain(caller: PrivateCaller): void {
  if (isMain(caller)) return;
  throw refuse(
    'PERMISSION_DENIED',
    'A sub-account has no sub-accounts of its own. Sign with a key of the main account.',
    { parentAccountId: String(caller.account.parentAccountId) },
  );
}

/** An open sub-account of the main account. */
export async function accessSubAccount(
  db: Db,
  familyId: bigint,
  accountId: bigint,
): Promise<FamilyMember> {
  const found = await findFamilyMember(db, familyId, accountId);
  if (found === undefined || found.closedAt !== null || found.parentAccountId === null) {
    throw unknownAccount('accountId');
  }
  return found;
}

const ACCOUNT_NUMBER = /^[1-9][0-9]{0,15}$/;

/** An open sub-account of a person, by its label or its number: for operators. */
export async function accessSubAccountOf(
  db: Db,
  { id, email }: { readonly id: number; readonly email: string },
  name: string,
): Promise<bigint> {
  const main = await findAccountId(db, { userId: id });
  const found =
    main === undefined
      ? undefined
      : ((await findSubAccountByLabel(db, main, name)) ??
        (ACCOUNT_NUMBER.test(name) ? await findFamilyMember(db, main, BigInt(name)) : undefined));
  if (found === undefined || found.closedAt !== null) throw noSubAccount(email, name);
  return found.id;
}

export async function accessMainAccount(
  db: Db,
  { id, email }: { readonly id: number; readonly email: string },
): Promise<bigint> {
  const main = await findAccountId(db, { userId: id });
  if (main === undefined) throw noMainAccount(email);
  return main;
}

/** All accounts of a person, the main account first: for operators. */
export async function describeFamily(db: Db, { id }: { readonly id: number }) {
  const main = await findAccountId(db, { userId: id });
  const members = main === undefined ? [] : await listFamily(db, main);
  return members.map((one) => ({
    account: String(one.id),
    kind: one.parentAccountId === null ? 'main' : 'sub-account',
    label: one.label,
    tier: one.feeTier,
    suspended: one.isSuspended,
    opened: one.createdAt.toISOString(),
    closed: one.closedAt?.toISOString() ?? '',
  }));
}

/** A main account's key sees all its sub-accounts, a sub-account's key itself. */
export async function listOwnSubAccounts(
  ctx: TradingContext,
  { account }: PrivateCaller,
  withClosed: boolean,
): Promise<FamilyMember[]> {
  if (account.parentAccountId === null) {
    const limit = lifetimeMax(ctx.config);
    return listSubAccounts(ctx.db, account.id, { withClosed, limit });
  }
  const own = await findFamilyMember(ctx.db, familyOf(account), account.id);
  return own === undefined ? [] : [own];
}

/** A main account's key sees the transfers of the family, a sub-account's key its own. */
export async function pageTransfers(
  ctx: TradingContext,
  { account }: PrivateCaller,
  params: PageParams,
): Promise<PageOf<Transfer>> {
  const name = { list: 'transfers', accountId: account.id, filters: {} };
  const query = parsePage(ctx.secrets, name, params);
  const of =
    account.parentAccountId === null ? { familyId: account.id } : { accountId: account.id };
  const rows = await listTransfers(ctx.db, of, query);
  return toPage(ctx.secrets, name, query, rows, {
    positionOf: (row) => ({ ms: BigInt(row.createdAt.getTime()), id: row.transferId }),
    print: toTransfer,
  });
}
