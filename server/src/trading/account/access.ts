// What belongs to the account. Balances come from the engine, history from the projection.
import { listFamily } from '../../accounts/trading-keys/access.ts';
import { isFrozen } from '../../accounts/trading-keys/freeze.ts';
import { familyOf, type TradingAccount } from '../../accounts/trading-keys/key.ts';
import { DAY_MS } from '../../platform/std/time.ts';
import type { TradingContext } from '../context.ts';
import type { PrivateCaller } from '../http/authenticate.ts';
import type { Answer } from '../http/envelope.ts';
import { formatAmount } from '../amount.ts';
import { findLastFeeDay, getFeeTier } from '../fees/access.ts';
import { toRates, VOLUME_DAYS } from '../fees/tier.ts';
import { parsePage, toPage, type PageOf, type PageParams, type PageQuery } from '../pages.ts';
import {
  answerHistory,
  awaitProjection,
  listLines,
  type LinesAsked,
} from '../projections/access.ts';
import { toLedgerEntry, type LedgerEntry } from './ledger.ts';
import { toMillis } from '../values.ts';
import { readPendingDeposits } from '../custody/deposits/access.ts';
import { toBalance, type AccountInfo, type Balance } from './shapes.ts';
import { listBalanceNotes, sumVolume } from './store.ts';

export { listWholeBalances } from './store.ts';

export async function listBalances(
  ctx: TradingContext,
  { account }: { readonly account: Pick<TradingAccount, 'id'> },
  coins: readonly string[],
): Promise<Balance[]> {
  const [held, notes, pending] = await Promise.all([
    ctx.engine.read('balances', { account: Number(account.id) }),
    listBalanceNotes(ctx.db, account.id),
    readPendingDeposits(ctx.db, account.id),
  ]);
  const heldOf = new Map(held.map((balance) => [balance.coin, balance]));
  const noteOf = new Map(notes.map((note) => [note.coin, note]));
  return coins.map((coin) =>
    toBalance(coin, heldOf.get(coin), {
      pendingDeposit: pending.get(coin) ?? 0n,
      updatedAt: noteOf.get(coin)?.updatedAt,
    }),
  );
}

/** What the family of the account traded today and on the 29 days before (UTC). */
function sumVolume30d(
  ctx: TradingContext,
  nowMs: number,
  family: readonly bigint[],
): Promise<bigint> {
  const today = Math.floor(nowMs / DAY_MS);
  const fromMs = (today - VOLUME_DAYS + 1) * DAY_MS;
  return sumVolume(ctx.db, family, ctx.config.TRADING_VOLUME_COIN, fromMs);
}

/** What the account is and may do. */
export async function readAccountInfo(
  ctx: TradingContext,
  { account, permissions, nowMs }: Pick<PrivateCaller, 'account' | 'permissions' | 'nowMs'>,
): Promise<AccountInfo> {
  const family = (await listFamily(ctx.db, familyOf(account))).map(({ id }) => id);
  const [tier, computedAt, volume] = await Promise.all([
    getFeeTier(ctx, account.feeTier),
    findLastFeeDay(ctx.db),
    sumVolume30d(ctx, nowMs, family),
  ]);
  const frozenUntil = isFrozen(account, nowMs) ? account.withdrawFreezeUntil : null;
  return {
    accountId: String(account.id),
    parentAccountId: account.parentAccountId === null ? '' : String(account.parentAccountId),
    permissions: [...permissions],
    feeTier: String(account.feeTier),
    feeTierComputedAt: computedAt === null ? '' : toMillis(computedAt),
    ...toRates(tier),
    volume30d: formatAmount(volume),
    canTrade: !account.isSuspended,
    canDeposit: !account.isSuspended,
    canWithdraw: !account.isSuspended && frozenUntil === null,
    stpScope: family.length > 1 ? ('family' as const) : ('account' as const),
    withdrawFreezeUntil: frozenUntil === null ? '' : toMillis(frozenUntil),
    createdAt: toMillis(account.createdAt),
  };
}

export interface LedgerFilter {
  readonly coin?: string | undefined;
  readonly kind?: string | undefined;
}

export async function pageLedger(
  ctx: TradingContext,
  { account }: PrivateCaller,
  filter: LedgerFilter,
  params: PageParams,
): Promise<Answer<PageOf<LedgerEntry>>> {
  const name = { list: 'ledger', accountId: account.id, filters: { ...filter } };
  const query = parsePage(ctx.secrets, name, params);
  const completeTo = await awaitProjection(ctx);
  const rows = await listLines(ctx, account.id, { ...filter, ...linesOfPage(query) });
  const page = toPage(ctx.secrets, name, query, rows, {
    positionOf: (row) => ({ ms: row.timeMs, id: row.entryId }),
    print: toLedgerEntry,
  });
  return answerHistory(page, completeTo);
}

/** One line more than the page holds. Lines are numbered in order of time, so the number alone gives their position. */
function linesOfPage({ from, to, sort, limit, after }: PageQuery): LinesAsked {
  const range = { fromMs: from, toMs: to, sort, limit: limit + 1 };
  if (after === undefined) return range;
  const { ms, id } = after;
  // The time of the last line as well: trades are found by it.
  if (sort === 'asc') {
    return { ...range, fromId: id + 1n, fromMs: from === undefined || from < ms ? ms : from };
  }
  return { ...range, toId: id, toMs: to === undefined || to > ms ? ms + 1n : to };
}
