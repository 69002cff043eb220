// Moves a withdrawal on. Each step is the new status and the command that the ledger gets, in one commit: a process that
// dies here has done both or nothing, and any other one goes on.
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { assert } from '../../../platform/std/assert.ts';
import { encodeCommand, type NewCommand } from '../../engine/command.ts';
import { insertCustodyCommands } from '../../operators/access.ts';
import { insertInternal } from '../deposits/access.ts';
import { tellDeposits } from '../deposits/tell.ts';
import { addEvidence, evidenceOf, movementNames } from '../evidence.ts';
import { followMovement } from '../follow-movement.ts';
import { movementOf, type WithdrawalRow } from './shapes.ts';
import { nextStatus } from './status.ts';
import { changeWithdrawal } from './change.ts';
import { countApprovals, lockWithdrawal } from './store.ts';

/**
 * Learns what the ledger answered to the last command of a withdrawal, and moves it on. Returns it as it then is. Doing so
 * again is harmless.
 */
export async function followWithdrawal(ctx: Context, tx: Tx, id: bigint): Promise<WithdrawalRow> {
  const row = await lockWithdrawal(tx, id);
  assert(row !== undefined, 'a withdrawal that is followed has a row', { id });
  if (row.isBooked) return row;
  const followed = await followMovement(ctx, tx, row.commandId);
  const at = new Date(ctx.clock.now());
  if (followed.kind === 'waiting') {
    if (followed.commandId === row.commandId) return row;
    return changeWithdrawal(tx, id, { commandId: followed.commandId }, at);
  }
  if (followed.kind === 'moved') {
    const booked = await changeWithdrawal(tx, id, { isBooked: true }, at);
    return row.status === 'requested' ? proceed(ctx, tx, booked, { isConfirmed: false }) : booked;
  }
  if (row.status === 'requested') {
    const ending = { status: 'rejected', isRefused: true, isBooked: true } as const;
    return changeWithdrawal(tx, id, { ...ending, statusReason: 'refused' }, at);
  }
  ctx.log.error(
    { withdrawal: movementOf(id), status: row.status, rejection: followed.rejection },
    'The ledger refused to end a withdrawal. Compare its row with the movements of the ledger.',
  );
  return changeWithdrawal(tx, id, { isBooked: true, statusReason: 'ledger_refused' }, at);
}

/** To the next person who has to agree, or into the queue. The caller holds the row, and the ledger the amount. */
export async function proceed(
  ctx: Context,
  tx: Tx,
  row: WithdrawalRow,
  { isConfirmed }: { readonly isConfirmed: boolean },
): Promise<WithdrawalRow> {
  const approvals = await countApprovals(tx, row.withdrawId);
  const status = nextStatus({ ...row, isConfirmed, approvals });
  if (status === 'queued' && ctx.config.SCREENING_URL !== '' && row.screening !== 'allow') {
    const change = { status: 'awaiting_approval', statusReason: 'screening' } as const;
    return changeWithdrawal(tx, row.withdrawId, change, new Date(ctx.clock.now()));
  }
  if (status === 'queued' && row.toAccountId !== null) {
    return settleInternally(ctx, tx, row, row.toAccountId);
  }
  const at = new Date(ctx.clock.now());
  return changeWithdrawal(tx, row.withdrawId, { status, statusReason: '' }, at);
}

/** Gives the amount back to its account. */
export async function giveBack(
  ctx: Context,
  tx: Tx,
  row: WithdrawalRow,
  status: 'canceled' | 'rejected',
  statusReason: string,
): Promise<WithdrawalRow> {
  const command: NewCommand = {
    type: 'cancel_withdrawal',
    withdrawalId: movementOf(row.withdrawId),
  };
  const [commandId] = await insertCustodyCommands(tx, [encodeCommand(command)], custodian(row));
  assert(commandId !== undefined, 'a row has an id');
  const change = { status, statusReason, commandId, isBooked: false };
  return changeWithdrawal(tx, row.withdrawId, change, new Date(ctx.clock.now()));
}

export const custodian = ({ network }: Pick<WithdrawalRow, 'network'>): string =>
  `custody ${network}`;

/** Pays another account of the venue: the ledger moves the coins, and no chain. */
async function settleInternally(
  ctx: Context,
  tx: Tx,
  row: WithdrawalRow,
  toAccountId: bigint,
): Promise<WithdrawalRow> {
  const { withdrawId, network, coin } = row;
  const withdrawalId = movementOf(withdrawId);
  const amount = row.amount - row.fee;
  const settle: NewCommand = { type: 'settle_withdrawal', withdrawalId };
  const credit: NewCommand = {
    type: 'credit_deposit',
    network,
    coin,
    depositId: `${withdrawalId}:internal`,
    to: Number(toAccountId),
    amount,
  };
  const who = custodian(row);
  const [commandId, creditId] = await insertCustodyCommands(
    tx,
    [encodeCommand(settle), encodeCommand(credit)],
    who,
  );
  assert(commandId !== undefined && creditId !== undefined, 'a row has an id');
  const credited = evidenceOf(credit);
  assert(credited !== undefined, 'a credit has evidence');
  const said = { source: 'chain', who } as const;
  await addEvidence(tx, [
    {
      cause: movementNames.withdrawal(withdrawalId),
      coin,
      network,
      amount: -amount,
      commandId,
      ...said,
    },
    { ...credited, ...said },
  ]);
  const at = new Date(ctx.clock.now());
  const { address, memo } = row;
  const depositId = await insertInternal(tx, {
    network,
    txid: withdrawalId,
    coin,
    accountId: toAccountId,
    address,
    memo,
    amount,
    commandId: creditId,
    at,
  });
  await tellDeposits(tx, [depositId]);
  const change = { status: 'completed', statusReason: '', commandId, isBooked: false } as const;
  return changeWithdrawal(tx, withdrawId, { ...change, completedAt: at }, at);
}
