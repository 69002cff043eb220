// Voids payments that two operators have given up: the venue itself spends what they would have spent. Of a payment and its
// void at most one is mined, so a customer gets the coins or the amount back, and never both.
import { CHANGE_BRANCH, composePsbt } from '@rialto/chains';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import type { OwnNetwork } from '../networks.ts';
import { CHANGE_MIN, OWN_SCRIPT_BYTES, vsizeOf } from './compose.ts';
import { listChildren, listSpent, listVoidable } from './end-store.ts';
import { voidEvm } from './evm.ts';
import { drawChange, seedAccount } from './prepare.ts';
import type { SignerKeys } from './signer.ts';
import {
  insertAttempt,
  listAttempts,
  lockPayment,
  updatePayment,
  type Attempt,
  type NewAttempt,
} from './store.ts';
import { lockWallet } from './wallet-store.ts';

const AT_ONCE_MAX = 20;
/** Smallest units a byte that a node wants for passing a replacement on, above what it replaces. */
const RELAY_RATE = 1n;

export interface Voiding {
  readonly own: OwnNetwork;
  readonly keys: SignerKeys;
  readonly rate: bigint;
  readonly tip: bigint;
  /** The address of the hot wallet (EVM). */
  readonly hot: string | undefined;
}

export async function voidPayments(ctx: Context, voiding: Voiding): Promise<void> {
  const { network } = voiding.own;
  for (const paymentId of await listVoidable(ctx.db, network, AT_ONCE_MAX)) {
    await ctx.inTransaction(async (tx) => {
      const wallet = await lockWallet(tx, network);
      const payment = await lockPayment(tx, paymentId);
      const [newest, ...older] = await listAttempts(tx, paymentId);
      const isOver = [newest, ...older].some(
        (one) => one === undefined || one.height !== null || one.purpose === 'void',
      );
      if (newest === undefined || isOver || payment === undefined || payment.state === 'done')
        return;
      const version =
        voiding.hot === undefined
          ? await composeUtxo(ctx, tx, voiding, newest, wallet.nextChange)
          : voidOf(newest, voiding, voiding.hot);
      const at = new Date(ctx.clock.now());
      if (version === undefined) {
        const reason = 'void: its inputs are too small for a fee';
        await updatePayment(tx, paymentId, { state: 'needs_operator', reason }, at);
        return;
      }
      await insertAttempt(tx, { network, paymentId, n: newest.n + 1 }, version);
      await updatePayment(tx, paymentId, { state: 'signing', reason: 'void', retryAt: null }, at);
    });
  }
}

function voidOf({ unsigned }: Attempt, price: Voiding, hot: string): NewAttempt {
  const next = voidEvm(unsigned, price, hot);
  return { purpose: 'void', unsigned: next.unsigned, fee: next.fee, size: next.gas };
}

/** All inputs, to change. Nodes take it for the version before when it pays for all that it replaces, and for itself. */
async function composeUtxo(
  ctx: Context,
  tx: Tx,
  { own, keys, rate }: Voiding,
  { paymentId, fee }: Attempt,
  nextChange: number,
): Promise<NewAttempt | undefined> {
  const coins = await listSpent(tx, paymentId);
  const bytes = BigInt(vsizeOf(coins.length, [OWN_SCRIPT_BYTES]));
  const replaced = (await listChildren(tx, paymentId)).reduce((sum, child) => sum + child.fee, fee);
  // A quarter more, and never less than what a replacement costs its way through the network.
  const atLeast = (replaced * 5n) / 4n + bytes * RELAY_RATE;
  const cost = bytes * rate > atLeast ? bytes * rate : atLeast;
  const units = coins.reduce((sum, coin) => sum + coin.units, 0n) - cost;
  if (units < CHANGE_MIN) return undefined;
  await drawChange(ctx, tx, own, nextChange);
  const unsigned = composePsbt(seedAccount(own, keys), {
    inputs: coins.map(({ txid, vout, units: worth, branch, index }) => ({
      txid,
      vout,
      units: worth,
      place: { branch, index },
    })),
    outputs: [],
    change: { units, place: { branch: CHANGE_BRANCH, index: nextChange } },
  });
  return {
    purpose: 'void',
    unsigned: JSON.stringify(unsigned),
    fee: cost,
    size: bytes,
    change: { vout: 0, index: nextChange, units },
  };
}
