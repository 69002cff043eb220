// Opens, renames and closes sub-accounts.
import { noteAct, noteChange, noteNothing } from '../../accounts/audit/actions.ts';
import {
  closeAccount,
  countSubAccounts,
  findSubAccountByLabel,
  insertSubAccount,
  lockAccount,
  updateLabel,
  type FamilyMember,
} from '../../accounts/trading-keys/access.ts';
import { announceAccount } from '../../accounts/trading-keys/actions.ts';
import { ringEngine } from '../../platform/bus/bells.ts';
import type { Context } from '../../platform/context.ts';
import type { TradingContext } from '../context.ts';
import { refuse } from '../http/errors.ts';
import { accessSubAccount } from './access.ts';
import { termRefused } from '../operators/errors.ts';
import { lifetimeMax } from './limits.ts';
import { LABEL_PATTERN } from './shapes.ts';
import { hasPendingTransfers } from './store.ts';

/** A main account and its owner. */
export interface FamilyHead {
  readonly id: bigint;
  readonly userId: number;
}

/**
 * Opens a sub-account. One with this label that exists already is the answer, so that a caller who
 * lost an answer may ask again.
 */
export async function createSubAccount(
  ctx: Context,
  { id, userId }: FamilyHead,
  label: string,
): Promise<{ account: FamilyMember; isReplay: boolean }> {
  const created = await ctx.inTransaction(async (tx) => {
    await lockAccount(tx, id, userId);
    const known = await findSubAccountByLabel(tx, id, label);
    if (known !== undefined) {
      noteNothing(tx);
      return { account: known, isReplay: true };
    }
    const { open, all } = await countSubAccounts(tx, id);
    const max = ctx.config.TRADING_SUB_ACCOUNTS_MAX;
    if (open >= max || all >= lifetimeMax(ctx.config)) {
      throw refuse(
        'SUB_ACCOUNT_LIMIT',
        open >= max
          ? `You have ${open} open sub-accounts, and ${max} are allowed. Close one first.`
          : `You have opened ${all} sub-accounts, closed ones included, and no more are allowed. Rename one instead.`,
        { open: String(open), limit: String(max) },
      );
    }
    const account = await insertSubAccount(tx, { parentAccountId: id, userId, label });
    announceAccount(tx, userId, account.id);
    noteAct(tx, {
      act: 'sub_account create',
      subject: `account ${account.id}`,
      after: { label },
      details: { userId, parentAccountId: id },
    });
    return { account, isReplay: false };
  });
  ringEngine(ctx);
  return created;
}

const LABEL = new RegExp(LABEL_PATTERN, 'u');

/** A label that an operator typed. */
export function parseLabel(text: string): string {
  if (LABEL.test(text)) return text;
  throw termRefused('label', '1 to 64 characters without a space at either end', text);
}

export async function renameSubAccount(
  ctx: Context,
  { id, userId }: FamilyHead,
  accountId: bigint,
  label: string,
): Promise<FamilyMember> {
  return ctx.inTransaction(async (tx) => {
    await lockAccount(tx, id, userId);
    const account = await accessSubAccount(tx, id, accountId);
    const other = await findSubAccountByLabel(tx, id, label);
    if (other !== undefined && other.id !== accountId) {
      throw refuse('PARAMETER_CONFLICT', 'Another of your sub-accounts has this label.', {
        parameter: 'label',
        accountId: String(other.id),
      });
    }
    await updateLabel(tx, accountId, label);
    noteChange(tx, {
      act: 'sub_account rename',
      subject: `account ${accountId}`,
      before: { label: account.label },
      after: { label },
      details: { userId, parentAccountId: id },
    });
    return { ...account, label };
  });
}

/**
 * Closes an empty sub-account for good: its keys are deleted, and nothing can be placed or moved
 * there. An order that is under way meanwhile has no money, so it is refused or canceled.
 */
export async function closeSubAccount(
  ctx: TradingContext,
  { id, userId }: FamilyHead,
  accountId: bigint,
): Promise<FamilyMember> {
  const closed = await ctx.inTransaction(async (tx) => {
    await lockAccount(tx, accountId, userId);
    const account = await accessSubAccount(tx, id, accountId);
    // Held from here on: a new transfer waits for this transaction, and then finds it closed.
    if (await hasPendingTransfers(tx, accountId)) {
      throw notEmpty(accountId, 'A transfer of it is under way. Try again in a second.');
    }
    const balances = await ctx.engine.read('balances', { account: Number(accountId) });
    const left = balances.filter(
      ({ available, hold, pendingWithdraw }) => available + hold + pendingWithdraw > 0n,
    );
    if (left.length > 0) {
      throw notEmpty(
        accountId,
        'It still has money. Cancel its orders and transfer everything out first.',
        { coins: left.map(({ coin }) => coin) },
      );
    }
    const closedAt = new Date(ctx.clock.now());
    await closeAccount(tx, accountId, closedAt);
    noteAct(tx, {
      act: 'sub_account close',
      subject: `account ${accountId}`,
      before: { label: account.label },
      details: { userId, parentAccountId: id },
    });
    return { ...account, closedAt };
  });
  ringEngine(ctx);
  return closed;
}

const notEmpty = (accountId: bigint, why: string, details: Record<string, unknown> = {}) =>
  refuse('SUB_ACCOUNT_NOT_EMPTY', `Account ${accountId} cannot be closed. ${why}`, {
    accountId: String(accountId),
    ...details,
  });
