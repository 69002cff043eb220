// Moves money between two accounts of one family. The request becomes a row and a command in one
// commit, and the engine carries the command out once. So a caller who lost the answer, or whose
// api process died, repeats the call and gets the transfer that was made.
import { LIMITS } from '@rialto/matching';
import { familyOf } from '../../accounts/trading-keys/key.ts';
import { holdFamilyMembers } from '../../accounts/trading-keys/access.ts';
import { ringEngine } from '../../platform/bus/bells.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { assert } from '../../platform/std/assert.ts';
import { pause } from '../../platform/std/wait.ts';
import { parseAmount } from '../amount.ts';
import { accessCoin } from '../coins/access.ts';
import type { TradingContext } from '../context.ts';
import { encodeCommand } from '../engine/command.ts';
import { signerOf, type PrivateCaller } from '../http/authenticate.ts';
import { refuse, SUSPENDED } from '../http/errors.ts';
import { fromRejection, withAmounts } from '../http/rejections.ts';
import { getCommand, insertTransferCommand } from '../operators/access.ts';
import { isMain, unknownAccount } from './access.ts';
import { movementOf, type TransferRow, type TransferTerms } from './shapes.ts';
import {
  drawTransferId,
  findTransfer,
  insertTransfer,
  lockTransfer,
  replaceTransfer,
} from './store.ts';

export interface AskedTransfer {
  readonly fromAccountId: string;
  readonly toAccountId: string;
  readonly coin: string;
  readonly amount: string;
  readonly clientTransferId: string;
}

export interface Transferred {
  readonly transfer: TransferRow;
  /** It had been asked for before, with the same terms. */
  readonly isReplay: boolean;
}

export async function transferWithin(
  ctx: TradingContext,
  caller: PrivateCaller,
  { clientTransferId, ...asked }: AskedTransfer,
): Promise<Transferred> {
  const terms = await parseTerms(ctx, asked);
  const key = { accountId: caller.account.id, clientTransferId };
  const { commandId, isReplay } = await ctx.inTransaction(async (tx) => {
    await lockTransfer(tx, key);
    const known = await findTransfer(tx, key);
    if (known !== undefined && !known.isRefused) {
      if (!isSame(known, terms)) throw usedDifferently(clientTransferId);
      return { commandId: known.commandId, isReplay: true };
    }
    await holdAccounts(tx, caller, terms);
    const transferId = known?.transferId ?? (await drawTransferId(tx));
    const command = encodeCommand({
      type: 'transfer',
      transferId: movementOf(transferId),
      from: Number(terms.fromAccountId),
      to: Number(terms.toAccountId),
      coin: terms.coin,
      amount: terms.amount,
    });
    const { keyId } = caller;
    const row = {
      ...terms,
      keyId,
      commandId: await insertTransferCommand(tx, command, signerOf(caller)),
      createdAt: new Date(ctx.clock.now()),
    };
    if (known !== undefined) await replaceTransfer(tx, transferId, row);
    else
      await insertTransfer(tx, { ...row, ...key, transferId, familyId: familyOf(caller.account) });
    return { commandId: row.commandId, isReplay: false };
  });
  ringEngine(ctx);
  await awaitMade(ctx, commandId);
  const transfer = await findTransfer(ctx.db, key);
  assert(transfer !== undefined, 'a transfer that was made has a row', { clientTransferId });
  return { transfer, isReplay };
}

async function parseTerms(
  ctx: TradingContext,
  asked: Omit<AskedTransfer, 'clientTransferId'>,
): Promise<TransferTerms> {
  const { symbol: coin } = await accessCoin(ctx, asked.coin, 'coin');
  const amount = parseAmount(asked.amount);
  if (amount === undefined) {
    throw refuse('PARAMETER_INVALID', 'amount has at most 20 digits and at most 18 decimals.', {
      parameter: 'amount',
    });
  }
  if (amount === 0n || amount > LIMITS.amountMax) {
    throw refuse('PARAMETER_RANGE', 'amount must be above zero, and no more than a ledger holds.', {
      parameter: 'amount',
    });
  }
  const fromAccountId = BigInt(asked.fromAccountId);
  const toAccountId = BigInt(asked.toAccountId);
  if (fromAccountId === toAccountId) {
    throw refuse(
      'PARAMETER_CONFLICT',
      'A transfer needs two accounts; these are one and the same.',
      {
        parameter: 'toAccountId',
      },
    );
  }
  return { fromAccountId, toAccountId, coin, amount };
}

/** Both accounts are open ones of the family, and the caller may give from the first. */
async function holdAccounts(
  tx: Tx,
  caller: PrivateCaller,
  { fromAccountId, toAccountId }: TransferTerms,
): Promise<void> {
  const ids = [fromAccountId, toAccountId];
  const members = await holdFamilyMembers(tx, familyOf(caller.account), ids);
  const find = (id: bigint) => members.find((one) => one.id === id && one.closedAt === null);
  const from = find(fromAccountId);
  if (from === undefined) throw unknownAccount('fromAccountId');
  if (find(toAccountId) === undefined) throw unknownAccount('toAccountId');
  if (!isMain(caller) && from.id !== caller.account.id) {
    throw refuse(
      'PERMISSION_DENIED',
      'A key of a sub-account transfers from its own account only. Sign with a key of the main account.',
      { parameter: 'fromAccountId' },
    );
  }
  // The engine decides; this saves it a command that it would refuse.
  if (from.isSuspended)
    throw refuse('ACCOUNT_SUSPENDED', SUSPENDED, { accountId: String(from.id) });
}

const isSame = (known: TransferTerms, asked: TransferTerms): boolean =>
  known.fromAccountId === asked.fromAccountId &&
  known.toAccountId === asked.toAccountId &&
  known.coin === asked.coin &&
  known.amount === asked.amount;

const usedDifferently = (clientTransferId: string) =>
  refuse(
    'CLIENT_ID_CONFLICT',
    `clientTransferId '${clientTransferId}' was used for another transfer with other terms. Use a new one.`,
    { parameter: 'clientTransferId' },
  );

const POLL_MS = 5;

/** Returns when the engine has made the transfer; throws its refusal. */
async function awaitMade(ctx: TradingContext, commandId: bigint): Promise<void> {
  const untilMs = performance.now() + ctx.config.ENGINE_ANSWER_MS;
  for (;;) {
    const { status, result } = await getCommand(ctx.db, commandId);
    if (status === 'done') return;
    if (status === 'refused') {
      if (result?.kind === 'rejected') throw fromRejection(withAmounts(result.rejection));
      throw refuse('INTERNAL', 'The engine could not bear this transfer. It was not made.');
    }
    if (performance.now() >= untilMs) {
      throw refuse(
        'TIMEOUT',
        'The engine has not answered yet. The transfer is written down and will be made or refused; repeat the call with the same clientTransferId to learn which.',
      );
    }
    await pause(POLL_MS);
  }
}
