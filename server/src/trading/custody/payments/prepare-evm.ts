// Makes payments of an EVM chain out of the queue, one for each withdrawal. What the wallet cannot pay for waits in the queue,
// where its owner can still take it back.
import { EVM_HOT_ACCOUNT, transferData } from '@rialto/chains';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { assert } from '../../../platform/std/assert.ts';
import { takeQueued } from '../withdrawals/access.ts';
import { changeMany } from '../withdrawals/change.ts';
import type { WithdrawalRow } from '../withdrawals/shapes.ts';
import { composeEvm, GAS } from './evm.ts';
import { boundsOf, withoutCommitted, type Funds } from './hot.ts';
import { listCommitted } from './hot-store.ts';
import { outputOf, unitsOf, type Preparing } from './preparing.ts';
import { insertPayment } from './store.ts';
import { lockWallet, updateWallet } from './wallet-store.ts';

/** Payments of the hot wallet that are not in a block yet: a stuck one holds up all after it. */
const IN_FLIGHT_MAX = 16;
/** Rows that are looked at: some may wait for coins, and others go on. */
const LOOKED_AT_MAX = 100;

export interface PreparingEvm extends Omit<Preparing, 'wallet'> {
  readonly sent: bigint;
  readonly funds: Funds;
}

/** Returns how many payments were made. */
export async function prepareEvm(ctx: Context, tx: Tx, preparing: PreparingEvm): Promise<number> {
  const { own, terms, sent, funds } = preparing;
  const { network } = own;
  const wallet = await lockWallet(tx, network);
  const first = wallet.nextNonce ?? sent;
  // More than we made: somebody else signs with our key.
  if (sent > first) throw new ForeignSignature(network, sent, first);
  const room = IN_FLIGHT_MAX - Number(first - sent);
  const waiting = room > 0 ? await takeQueued(tx, network, LOOKED_AT_MAX) : [];
  if (waiting.length === 0) return 0;
  const left = withoutCommitted(funds, await listCommitted(tx, network), terms);
  const at = new Date(ctx.clock.now());
  let made = 0;
  /** Coins of which an older withdrawal waits: later ones do not overtake it. */
  const short = new Map<string, string>();
  for (const row of waiting) {
    if (made >= room) break;
    const why = short.get(row.coin) ?? whyNot(row, preparing, left);
    if (why !== undefined) {
      short.set(row.coin, why);
      await changeMany(tx, [row.withdrawId], { statusReason: why }, at);
      continue;
    }
    await insertPayout(tx, row, preparing, first + BigInt(made), left, at);
    made += 1;
  }
  await updateWallet(tx, network, { nextNonce: first + BigInt(made) });
  return made;
}

interface Cost {
  readonly contract: string;
  readonly units: bigint;
  readonly gas: bigint;
  readonly fee: bigint;
}

function costOf(row: WithdrawalRow, { terms, rate }: PreparingEvm): Cost {
  const coin = terms.get(row.coin);
  assert(coin !== undefined, 'a withdrawal has a coin of its network', { coin: row.coin });
  const gas = coin.contract === '' ? GAS.coin : GAS.token;
  return { contract: coin.contract, units: unitsOf(row, terms), gas, fee: gas * rate };
}

/** Why the wallet cannot pay it now, as its owner reads it. */
function whyNot(row: WithdrawalRow, preparing: PreparingEvm, left: Funds): string | undefined {
  const { contract, units, fee } = costOf(row, preparing);
  const own = left.get('') ?? 0n;
  const after = contract === '' ? own - units - fee : (left.get(contract) ?? 0n) - units;
  if (after < 0n || own < fee) return 'hot_funds';
  const term = preparing.terms.get(row.coin);
  const floor = (term && boundsOf(preparing.own, term)?.floor) ?? 0n;
  return after < floor ? 'hot_floor' : undefined;
}

async function insertPayout(
  tx: Tx,
  row: WithdrawalRow,
  preparing: PreparingEvm,
  nonce: bigint,
  left: Funds,
  at: Date,
): Promise<void> {
  const { own, rate, tip } = preparing;
  const { network, chainId } = own;
  const { contract, units, gas, fee } = costOf(row, preparing);
  const isToken = contract !== '';
  const unsigned = composeEvm({
    path: `${EVM_HOT_ACCOUNT}/0/0`,
    chainId,
    nonce,
    to: isToken ? contract : row.address,
    value: isToken ? 0n : units,
    ...(isToken ? { data: transferData(row.address, units) } : {}),
    gas,
    rate,
    tip,
  });
  const outputs = [outputOf(row)];
  await insertPayment(tx, {
    network,
    kind: 'payout',
    nonce,
    unsigned,
    fee,
    size: gas,
    outputs,
    at,
  });
  await changeMany(tx, [row.withdrawId], { status: 'signing', statusReason: '' }, at);
  left.set(contract, (left.get(contract) ?? 0n) - units);
  left.set('', (left.get('') ?? 0n) - fee);
}

/** Nothing is paid on the network until operators have looked. */
export class ForeignSignature extends Error {
  override name = 'ForeignSignature';
  constructor(network: string, sent: bigint, made: bigint) {
    super(
      `The hot wallet of ${network} has sent ${sent} transactions, and we made ${made}: somebody else has its key, or the database is an old copy.`,
    );
  }
}
