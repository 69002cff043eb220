// Takes back deposits that their chain has undone. Two operators decide; the ledger takes what is there and says what is
// missing. Until then the network is paused.
import type { Operator } from '../../../accounts/operators/operator.ts';
import { ringEngine } from '../../../platform/bus/bells.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { formatAmount } from '../../amount.ts';
import { encodeCommand } from '../../engine/command.ts';
import { getCommand, insertCustodyCommands } from '../../operators/access.ts';
import { addAct } from '../../operators/actions.ts';
import { isFinal } from '../../operators/command-row.ts';
import { depositNotLost } from '../errors.ts';
import { addEvidence, evidenceOf } from '../evidence.ts';
import { followMovement } from '../follow-movement.ts';
import { feeReversalOf, reversalOf, type LostDeposit } from './rules.ts';
import { tellDeposits } from './tell.ts';
import { lockDeposit, markReversed, takeReversing, updateReversal } from './store.ts';

/** Reversals that one look follows; others come with the next. */
const AT_ONCE_MAX = 100;

/**
 * Asks to take a deposit back; a second operator must approve. With `cover`, what its account no longer has comes out of
 * `adjustments`. Asking again while that waits is the same request. Returns the command's number.
 */
export async function requestReversal(
  ctx: Context,
  operator: Operator,
  depositId: bigint,
  { cover, reason }: { readonly cover: boolean; readonly reason: string },
): Promise<bigint> {
  const id = await ctx.inTransaction(async (tx) => {
    const deposit = await lockDeposit(tx, depositId);
    if (deposit?.isLost !== true) throw depositNotLost(depositId);
    if (deposit.reversalId !== null && !(await hasEnded(tx, deposit.reversalId))) {
      return deposit.reversalId;
    }
    const command = reversalOf(deposit, cover);
    const { amount, coin, account } = command;
    const commandId = await addAct(ctx, tx, operator, {
      act: 'ledger reverse',
      subject: `D${depositId}: ${formatAmount(amount)} ${coin} of ${account}`,
      reason,
      needsApproval: true,
      command,
    });
    await updateReversal(tx, depositId, commandId);
    return commandId;
  });
  ringEngine(ctx);
  return id;
}

const hasEnded = async (tx: Tx, commandId: bigint): Promise<boolean> =>
  isFinal((await getCommand(tx, commandId)).status);

/** Notes what the ledger took back. The caller holds the row of the network. Returns whether the ledger has more to do. */
export async function followReversals(ctx: Context, tx: Tx, network: string): Promise<boolean> {
  let hasMore = false;
  for (const deposit of await takeReversing(tx, network, AT_ONCE_MAX)) {
    const { depositId, reversalId } = deposit;
    if (reversalId === null) continue;
    const { status } = await getCommand(tx, reversalId);
    // Nobody agreed, or somebody took it back.
    if (status === 'withdrawn') await updateReversal(tx, depositId, null);
    if (status !== 'done' && status !== 'refused') continue;
    const followed = await followMovement(ctx, tx, reversalId);
    if (followed.kind === 'waiting') await updateReversal(tx, depositId, followed.commandId);
    if (followed.kind === 'refused') {
      await updateReversal(tx, depositId, null);
      ctx.log.error(
        { network, deposit: `D${depositId}`, rejection: followed.rejection },
        'The ledger refused to take back a deposit.',
      );
    }
    if (followed.kind !== 'moved') continue;
    const missing = followed.missing ?? 0n;
    await markReversed(tx, deposit, missing);
    await tellDeposits(tx, [depositId]);
    if (deposit.part === 0) hasMore = (await reverseFee(tx, deposit)) || hasMore;
    ctx.log.warn(
      { network, deposit: `D${depositId}`, missing: formatAmount(missing) },
      'A deposit was taken back.',
    );
  }
  return hasMore;
}

/** What the venue kept of it is gone as well. */
async function reverseFee(tx: Tx, deposit: LostDeposit): Promise<boolean> {
  const command = feeReversalOf(deposit);
  const evidence = command && evidenceOf(command);
  if (command === undefined || evidence === undefined) return false;
  const who = `custody ${deposit.network}`;
  const [commandId] = await insertCustodyCommands(tx, [encodeCommand(command)], who);
  await addEvidence(tx, [
    { ...evidence, source: 'chain', who, ...(commandId === undefined ? {} : { commandId }) },
  ]);
  return true;
}
