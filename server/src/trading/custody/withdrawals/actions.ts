// What owners do with withdrawals that exist: confirm, and cancel.
import { ringEngine } from '../../../platform/bus/bells.ts';
import type { TradingContext } from '../../context.ts';
import type { PrivateCaller, SessionCaller } from '../../http/authenticate.ts';
import { checkNotFrozen } from '../../account/freeze.ts';
import { refuse } from '../../http/errors.ts';
import { awaitCommand } from '../../operators/actions.ts';
import { holdOwner, lockOwn } from './access.ts';
import { followWithdrawal, giveBack, proceed } from './proceed.ts';
import { movementOf, type WithdrawalRow } from './shapes.ts';
import { CANCELABLE } from './status.ts';

/** The owner has shown a second factor for it. Confirming again changes nothing. */
export async function confirmWithdrawal(
  ctx: TradingContext,
  { account }: SessionCaller,
  id: bigint,
): Promise<WithdrawalRow> {
  const row = await ctx.inTransaction(async (tx) => {
    await lockOwn(tx, account.id, id);
    const now = await followWithdrawal(ctx, tx, id);
    if (now.status === 'requested') throw notHeldYet(id);
    if (now.status === 'canceled' || now.status === 'rejected' || now.status === 'failed') {
      throw tooLate(now);
    }
    if (now.status !== 'awaiting_confirmation') return now;
    const nowMs = ctx.clock.now();
    if (now.confirmBy.getTime() <= nowMs) throw tooLate(now);
    checkNotFrozen(await holdOwner(tx, account.id), nowMs);
    return proceed(ctx, tx, now, { isConfirmed: true });
  });
  ringEngine(ctx);
  return row;
}

/** Takes a withdrawal back, as long as nothing of it is signed. Canceling again changes nothing. */
export async function cancelWithdrawal(
  ctx: TradingContext,
  { account }: PrivateCaller,
  id: bigint,
): Promise<WithdrawalRow> {
  const row = await ctx.inTransaction(async (tx) => {
    await lockOwn(tx, account.id, id);
    const now = await followWithdrawal(ctx, tx, id);
    if (now.status === 'requested') throw notHeldYet(id);
    if (now.status === 'canceled') return now;
    if (!CANCELABLE.includes(now.status)) throw tooLate(now);
    return giveBack(ctx, tx, now, 'canceled', 'by_owner');
  });
  ringEngine(ctx);
  // The amount is back when the answer is.
  if (!row.isBooked) {
    await awaitCommand(ctx, row.commandId, ctx.config.ENGINE_ANSWER_MS);
    return ctx.inTransaction((tx) => followWithdrawal(ctx, tx, id));
  }
  return row;
}

const tooLate = ({ withdrawId, status }: WithdrawalRow) =>
  refuse('WITHDRAW_FINAL', `Withdrawal ${movementOf(withdrawId)} is ${status}: it is too late.`, {
    status,
  });

const notHeldYet = (id: bigint) =>
  refuse(
    'TIMEOUT',
    `The engine has not answered yet whether withdrawal ${movementOf(id)} can be made. Try again in a second.`,
  );
