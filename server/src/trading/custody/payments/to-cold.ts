// Sends what the hot wallet holds above its ceiling to the cold wallet. The address is in the server's file and in the signer's
// policy, so neither alone decides where coins go.
import {
  CHANGE_BRANCH,
  composePsbt,
  EVM_HOT_ACCOUNT,
  readUtxoAddress,
  transferData,
} from '@rialto/chains';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { formatAmount } from '../../amount.ts';
import { toLedgerUnits } from '../chains/units.ts';
import type { CoinTerms } from '../deposits/rules.ts';
import { choose } from './compose.ts';
import { composeEvm, GAS } from './evm.ts';
import { boundsOf, withoutCommitted, type Bounds } from './hot.ts';
import { isFillingCold, listCommitted } from './hot-store.ts';
import { COINS_MAX, drawChange, paramsOf, seedAccount } from './prepare.ts';
import type { Preparing } from './preparing.ts';
import { insertPayment, type OwnOutput } from './store.ts';
import { listFreeCoins, lockWallet, spendCoins, updateWallet } from './wallet-store.ts';

/** One payment at a time for each network. */
export async function fillCold(ctx: Context, preparing: Preparing): Promise<void> {
  const { own, terms } = preparing;
  for (const coin of Object.keys(own.tiers)) {
    const term = terms.get(coin);
    const bounds = term && boundsOf(own, term);
    if (term === undefined || bounds === undefined) continue;
    await ctx.inTransaction(async (tx) => {
      const wallet = await lockWallet(tx, own.network);
      if (await isFillingCold(tx, own.network)) return;
      if (preparing.wallet === undefined) {
        await sendUtxo(ctx, tx, preparing, term, bounds, wallet.nextChange);
      } else await sendEvm(ctx, tx, preparing, term, bounds, wallet.nextNonce);
    });
  }
}

/** In whole coins; undefined where the ledger has no such number. */
function outputOf(units: bigint, { cold }: Bounds, term: CoinTerms): OwnOutput | undefined {
  const amount = toLedgerUnits(units, term.decimals);
  if (amount === undefined) return undefined;
  const coin = term.contract === '' ? {} : { coin: term.coin };
  return { address: cold, amount: formatAmount(amount), ...coin };
}

async function sendUtxo(
  ctx: Context,
  tx: Tx,
  { own, keys, rate, scannedHeight }: Preparing,
  term: CoinTerms,
  bounds: Bounds,
  nextChange: number,
): Promise<void> {
  const { network } = own;
  const coins = await listFreeCoins(tx, network, scannedHeight, COINS_MAX);
  const held = coins.reduce((sum, coin) => sum + coin.units, 0n);
  if (held <= bounds.ceiling) return;
  const units = held - bounds.target;
  const script = readUtxoAddress(paramsOf(own).network, bounds.cold);
  const output = outputOf(units, bounds, term);
  if (script === undefined || output === undefined) {
    throw new Error(`${bounds.cold} is no address of ${network} for a cold wallet.`);
  }
  const plan = choose(coins, [{ units, scriptBytes: script.length }], rate);
  if (plan === undefined) return;
  const place = { branch: CHANGE_BRANCH, index: nextChange };
  const hasChange = plan.change > 0n;
  if (hasChange) await drawChange(ctx, tx, own, place.index);
  const unsigned = composePsbt(seedAccount(own, keys), {
    inputs: plan.coins.map(({ txid, vout, units: worth, branch, index }) => ({
      txid,
      vout,
      units: worth,
      place: { branch, index },
    })),
    outputs: [{ address: bounds.cold, units }],
    ...(hasChange ? { change: { units: plan.change, place } } : {}),
  });
  const paymentId = await insertPayment(tx, {
    network,
    kind: 'to_cold',
    nonce: null,
    unsigned: JSON.stringify(unsigned),
    fee: plan.fee,
    size: BigInt(plan.size),
    ...(hasChange ? { change: { vout: 1, index: place.index, units: plan.change } } : {}),
    outputs: [],
    ownOutputs: [output],
    at: new Date(ctx.clock.now()),
  });
  await spendCoins(tx, network, plan.coins, paymentId);
}

async function sendEvm(
  ctx: Context,
  tx: Tx,
  { own, rate, tip, terms, wallet }: Preparing,
  term: CoinTerms,
  bounds: Bounds,
  nextNonce: bigint | null,
): Promise<void> {
  if (wallet === undefined) return;
  const { network, chainId } = own;
  const left = withoutCommitted(wallet.funds, await listCommitted(tx, network), terms);
  const held = left.get(term.contract) ?? 0n;
  const isToken = term.contract !== '';
  const gas = isToken ? GAS.token : GAS.coin;
  const fee = gas * rate;
  if (held <= bounds.ceiling || (left.get('') ?? 0n) < fee) return;
  const units = held - bounds.target;
  const output = outputOf(units, bounds, term);
  if (output === undefined) return;
  const nonce = nextNonce ?? wallet.sent;
  await insertPayment(tx, {
    network,
    kind: 'to_cold',
    nonce,
    unsigned: composeEvm({
      path: `${EVM_HOT_ACCOUNT}/0/0`,
      chainId,
      nonce,
      to: isToken ? term.contract : bounds.cold,
      value: isToken ? 0n : units,
      ...(isToken ? { data: transferData(bounds.cold, units) } : {}),
      gas,
      rate,
      tip,
    }),
    fee,
    size: gas,
    outputs: [],
    ownOutputs: [output],
    at: new Date(ctx.clock.now()),
  });
  await updateWallet(tx, network, { nextNonce: nonce + 1n });
}
