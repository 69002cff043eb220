// Operators look at withdrawals that are large, or go to an address for the first time.
import { appendAudit } from '../../../accounts/audit/actions.ts';
import { accessAgain } from '../../../accounts/operators/access.ts';
import { notAwaiting, sameOperator } from '../../../accounts/operators/errors.ts';
import type { Operator } from '../../../accounts/operators/operator.ts';
import { ringEngine } from '../../../platform/bus/bells.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { formatAmount } from '../../amount.ts';
import { refuse } from '../../http/errors.ts';
import { grantOfAct } from '../../operators/grants.ts';
import { holdOwner } from './access.ts';
import { giveBack, proceed } from './proceed.ts';
import { movementOf, type WithdrawalRow } from './shapes.ts';
import { REJECTABLE } from './status.ts';
import {
  countApprovals,
  insertWithdrawalApproval,
  listAwaitingApproval,
  lockWithdrawal,
} from './store.ts';

const SHOWN_MAX = 200;

export interface AwaitingWithdrawal {
  readonly row: WithdrawalRow;
  readonly approvals: number;
}

/** The oldest first. */
export async function listAwaiting(ctx: Context): Promise<AwaitingWithdrawal[]> {
  const rows = await listAwaitingApproval(ctx.db, SHOWN_MAX);
  return Promise.all(
    rows.map(async (row) => ({ row, approvals: await countApprovals(ctx.db, row.withdrawId) })),
  );
}

/** One operator more agrees. With the last one that is needed it leaves. Its owner never approves it. */
export async function approveWithdrawal(
  ctx: Context,
  by: Operator,
  id: bigint,
): Promise<AwaitingWithdrawal> {
  const decided = await ctx.inTransaction(async (tx) => {
    const row = await lockFor(tx, by, id, 'withdrawal approve');
    if (row.status !== 'awaiting_approval') throw notAwaiting(movementOf(id), row.status);
    const at = new Date(ctx.clock.now());
    if (!(await insertWithdrawalApproval(tx, id, by.id, at))) {
      throw sameOperator(`the approval of ${movementOf(id)}`);
    }
    const next = await proceed(ctx, tx, row, { isConfirmed: true });
    const approvals = await countApprovals(tx, id);
    await note(ctx, tx, by, 'withdrawal approve', next, { approvals });
    return { row: next, approvals };
  });
  ringEngine(ctx);
  return decided;
}

/** The amount goes back to its account. */
export async function rejectWithdrawal(
  ctx: Context,
  by: Operator,
  id: bigint,
  reason: string,
): Promise<AwaitingWithdrawal> {
  const decided = await ctx.inTransaction(async (tx) => {
    const row = await lockFor(tx, by, id, 'withdrawal reject');
    if (!REJECTABLE.includes(row.status)) throw notAwaiting(movementOf(id), row.status);
    const next = await giveBack(ctx, tx, row, 'rejected', 'by_operator');
    await note(ctx, tx, by, 'withdrawal reject', next, { reason });
    return { row: next, approvals: await countApprovals(tx, id) };
  });
  ringEngine(ctx);
  return decided;
}

/** The withdrawal, held, if the operator as they stand now may decide about it. */
async function lockFor(tx: Tx, by: Operator, id: bigint, act: string): Promise<WithdrawalRow> {
  const row = await lockWithdrawal(tx, id);
  const operator = await accessAgain(tx, by, grantOfAct(act));
  if (row === undefined) {
    throw refuse('WITHDRAWAL_UNKNOWN', `There is no withdrawal ${movementOf(id)}.`);
  }
  const { userId } = await holdOwner(tx, row.accountId);
  if (userId === operator.id) throw sameOperator(movementOf(id));
  return row;
}

async function note(
  ctx: Context,
  tx: Tx,
  { email, via }: Operator,
  act: 'withdrawal approve' | 'withdrawal reject',
  row: WithdrawalRow,
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  await appendAudit(tx, ctx.clock.now(), {
    operator: email,
    act,
    subject: `${movementOf(row.withdrawId)} of account ${row.accountId}`,
    details: {
      amount: formatAmount(row.amount),
      coin: row.coin,
      network: row.network,
      address: row.address,
      status: row.status,
      via,
      ...details,
    },
    outcome: 'done',
  });
}
