// What accounts see of their withdrawals, and what one would cost.
import { familyOf } from '../../../accounts/trading-keys/key.ts';
import { holdAccount } from '../../../accounts/trading-keys/access.ts';
import type { Db } from '../../../platform/db/pool.ts';
import { formatAmount, parseAmount } from '../../amount.ts';
import type { TradingContext } from '../../context.ts';
import type { PrivateCaller } from '../../http/authenticate.ts';
import { refuse } from '../../http/errors.ts';
import { newestPage, parsePage, toPage, type PageOf, type PageParams } from '../../pages.ts';
import { accessEntry } from '../address-book/access.ts';
import type { BookEntry } from '../address-book/entry.ts';
import type { OwnNetwork } from '../networks.ts';
import { accessPlace, type AskedPlace, type Place } from '../place.ts';
import {
  approvalsFor,
  check,
  DAY_MS,
  feeOf,
  leftOf,
  termsOf,
  whyNotAmount,
  type Facts,
  type Recent,
  type WithdrawTerms,
} from './rules.ts';
import {
  movementOf,
  toWithdrawal,
  type Withdrawal,
  type WithdrawalRow,
  type WithdrawQuote,
} from './shapes.ts';
import { listRecent, listWithdrawals, lockWithdrawal, type WithdrawalFilter } from './store.ts';

/** For payments, which hold a row before they change it. */
export { lockWithdrawal, takeQueued } from './store.ts';
/** For operators, who decide about somebody else's. */
export { listApprovals } from './store.ts';

/** Withdrawals of one coin that a family may ask for in 24 hours. */
export const RECENT_MAX = 500;

export interface WithdrawPlace extends Place {
  readonly own: OwnNetwork;
  readonly terms: WithdrawTerms;
  /** Whether withdrawals are taken now. */
  readonly isActive: boolean;
}

/** Where a coin can be withdrawn; refuses what cannot be at all. */
export async function accessWithdrawPlace(
  ctx: TradingContext,
  asked: AskedPlace,
): Promise<WithdrawPlace> {
  const place = await accessPlace(ctx, asked);
  const { coin, network, own, state } = place;
  const terms = own && termsOf(network, own.withdrawals[coin.symbol]);
  if (own === undefined || state === undefined || terms === undefined) {
    throw refuse(
      'WITHDRAW_NOT_ACTIVE',
      ctx.config.MONEY === 'simulated'
        ? 'Money is simulated here, so nothing can be withdrawn to a network.'
        : `${coin.symbol} cannot be withdrawn on the network ${network.NetworkSymbol} here.`,
      { coin: coin.symbol, network: network.NetworkSymbol },
    );
  }
  const isActive = network.withdrawStatus === 'active' && state.status === 'active';
  return { ...place, own, terms, isActive };
}

/** Reads an amount; throws a refusal. */
export function readAmount(text: string, terms: WithdrawTerms): bigint {
  const amount = parseAmount(text);
  const why = whyNotAmount(amount, terms);
  if (amount !== undefined && why === undefined) return amount;
  if (why === 'range') {
    throw refuse('PARAMETER_RANGE', 'amount must be above zero, and no more than a ledger holds.', {
      parameter: 'amount',
    });
  }
  throw refuse(
    'PARAMETER_INVALID',
    why === 'precision'
      ? `amount is finer than a withdrawal can be: it is a multiple of ${formatAmount(terms.step)}.`
      : 'amount has at most 20 digits and at most 18 decimals.',
    { parameter: 'amount' },
  );
}

/** What counts against the limit of a family now. */
export const listCounted = (
  db: Db,
  of: { readonly familyId: bigint; readonly coin: string },
  nowMs: number,
): Promise<Recent[]> => listRecent(db, of, new Date(nowMs - DAY_MS), RECENT_MAX);

export async function quoteWithdrawal(
  ctx: TradingContext,
  { account }: PrivateCaller,
  asked: AskedPlace & { readonly amount: string; readonly addressId: bigint | undefined },
): Promise<WithdrawQuote> {
  const place = await accessWithdrawPlace(ctx, asked);
  const { coin, network, terms, isActive } = place;
  const amount = readAmount(asked.amount, terms);
  const familyId = familyOf(account);
  const entry =
    asked.addressId === undefined
      ? undefined
      : await accessEntry(ctx, ctx.db, familyId, asked.addressId);
  const nowMs = ctx.clock.now();
  const recent = await listCounted(ctx.db, { familyId, coin: coin.symbol }, nowMs);
  const balances = await ctx.engine.read('balances', { account: Number(account.id) });
  const balance = balances.find((one) => one.coin === coin.symbol);
  const fee = feeOf(terms, { isInternal: false });
  const checks = check({
    ...factsOf(account.withdrawFreezeUntil, entry),
    amount,
    fee,
    terms,
    isActive,
    available: balance?.available ?? 0n,
    recent,
    nowMs,
  });
  const failing = checks.filter(({ ok }) => !ok);
  const times = failing.flatMap(({ availableAtMs }) => availableAtMs ?? []);
  const isTrusted = entry !== undefined && entry.usableAt.getTime() <= nowMs;
  return {
    coin: coin.symbol,
    network: network.NetworkSymbol,
    amount: formatAmount(amount),
    fee: formatAmount(fee),
    netAmount: formatAmount(amount > fee ? amount - fee : 0n),
    minimumWithdraw: formatAmount(terms.minimum),
    dailyLeft: formatAmount(leftOf(recent, terms)),
    approvalsNeeded: String(approvalsFor(amount, terms, { isTrusted })),
    availableAt:
      failing.length > 0 && times.length === failing.length ? String(Math.max(...times)) : '',
    checks: checks.map(({ name, ok, availableAtMs }) => ({
      name,
      ok,
      availableAt: availableAtMs === undefined ? '' : String(availableAtMs),
    })),
  };
}

/** The times that stand against a withdrawal. */
export const factsOf = (
  withdrawFreezeUntil: Date | null,
  entry: BookEntry | undefined,
): Pick<Facts, 'frozenUntilMs' | 'usableAtMs'> => ({
  frozenUntilMs: withdrawFreezeUntil?.getTime(),
  usableAtMs: entry?.usableAt.getTime(),
});

export async function pageWithdrawals(
  ctx: TradingContext,
  { account }: PrivateCaller,
  filter: WithdrawalFilter,
  params: PageParams,
): Promise<PageOf<Withdrawal>> {
  const name = { list: 'withdrawals', accountId: account.id, filters: { ...filter } };
  const query = parsePage(ctx.secrets, name, params);
  const rows = await listWithdrawals(ctx.db, account.id, filter, query);
  return toPage(ctx.secrets, name, query, rows, {
    positionOf: (row) => ({ ms: BigInt(row.createdAt.getTime()), id: row.withdrawId }),
    print: toWithdrawal,
  });
}

/** The newest ones of an account, the oldest of them first. */
export async function listNewestWithdrawals(
  db: Db,
  accountId: bigint,
  limit: number,
): Promise<Withdrawal[]> {
  const rows = await listWithdrawals(db, accountId, {}, newestPage(limit));
  return rows.slice(0, limit).reverse().map(toWithdrawal);
}

/** One of the account's, held until the end of the transaction. */
export async function lockOwn(tx: Db, accountId: bigint, id: bigint): Promise<WithdrawalRow> {
  const row = await lockWithdrawal(tx, id);
  if (row?.accountId !== accountId) {
    throw refuse('WITHDRAWAL_UNKNOWN', `You have no withdrawal ${movementOf(id)}.`, {
      parameter: 'withdrawId',
    });
  }
  return row;
}

/** The account as it is now, held. */
export async function holdOwner(tx: Db, accountId: bigint) {
  const account = await holdAccount(tx, accountId);
  if (account === undefined || account.closedAt !== null) {
    throw refuse('PERMISSION_DENIED', 'The account is closed.');
  }
  return account;
}
