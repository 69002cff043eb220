// Makes transactions out of the cold wallet that operators asked for. No key of it is near: what is made waits until an operator
// brings the signed bytes, and then goes the way of every payment.
import {
  CHANGE_BRANCH,
  composeWatchedPsbt,
  openAccount,
  transferData,
  utxoAddress,
} from '@rialto/chains';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { formatAmount, parseAmount } from '../../amount.ts';
import type { ChainNode } from '../chains/chain.ts';
import { toChainUnits, toLedgerUnits } from '../chains/units.ts';
import type { CoinTerms } from '../deposits/rules.ts';
import type { OwnNetwork } from '../networks.ts';
import {
  composeEvm,
  drawChange,
  GAS,
  insertPayment,
  lockWallet,
  paramsOf,
  type NewPayment,
  type OwnOutput,
} from '../payments/access.ts';
import { planReturn, type ColdCoin } from './plan.ts';
import {
  answerRequest,
  findOpenReturn,
  insertSpends,
  listColdOutputs,
  listOpenRequests,
  withoutSpent,
  type ColdRequest,
} from './store.ts';

const AT_ONCE_MAX = 5;
/** What operators read of a payment that waits for them. */
const COLD_SIGNATURE = 'cold_signature';

export interface Returning {
  readonly own: OwnNetwork;
  readonly nodes: readonly ChainNode[];
  /** The hot address (EVM). */
  readonly hot: string | undefined;
  readonly rate: bigint;
  readonly tip: bigint;
  readonly scannedHeight: number;
  /** By coin. */
  readonly terms: ReadonlyMap<string, CoinTerms>;
}

/** Why a request cannot be met, in words for the operator who asked. */
class CannotReturn extends Error {
  override name = 'CannotReturn';
}

export async function bringBack(ctx: Context, returning: Returning): Promise<void> {
  const { network } = returning.own;
  for (const request of await listOpenRequests(ctx.db, network, AT_ONCE_MAX)) {
    try {
      await answer(ctx, returning, request);
    } catch (error) {
      if (!(error instanceof CannotReturn)) throw error;
      await answerRequest(ctx.db, request.requestId, { refusal: error.message.slice(0, 300) });
    }
  }
}

async function answer(ctx: Context, returning: Returning, request: ColdRequest): Promise<void> {
  const { own, terms } = returning;
  const term = terms.get(request.coin);
  const cold = own.tiers[request.coin]?.cold;
  if (term === undefined || cold === undefined) {
    throw new CannotReturn(`${own.network} has no cold wallet for ${request.coin}.`);
  }
  const units = toChainUnits(request.amount, term.decimals);
  if (units === undefined) {
    throw new CannotReturn(`${own.network} counts ${request.coin} in ${term.decimals} decimals.`);
  }
  const asking: Asking = { ...returning, request, term, cold, units };
  const make = own.ownChain.family === 'utxo' ? makeUtxo : await readyEvm(asking);
  await ctx.inTransaction(async (tx) => {
    const { nextChange } = await lockWallet(tx, own.network);
    const open = await findOpenReturn(tx, own.network);
    if (open !== undefined) {
      throw new CannotReturn(
        `P${open} is on its way from the cold wallet: submit or drop it first.`,
      );
    }
    const { spends, ...payment } = await make(ctx, tx, asking, nextChange);
    const paymentId = await insertPayment(tx, {
      network: own.network,
      kind: 'from_cold',
      sender: cold,
      outputs: [],
      at: new Date(ctx.clock.now()),
      state: 'needs_operator',
      reason: COLD_SIGNATURE,
      ...payment,
    });
    if (spends.length > 0) await insertSpends(tx, own.network, spends, paymentId);
    // Another process was faster: what this one made is not kept.
    if (!(await answerRequest(tx, request.requestId, { paymentId }))) {
      throw new Error('The request was answered meanwhile.');
    }
  });
}

interface Asking extends Returning {
  readonly request: ColdRequest;
  readonly term: CoinTerms;
  readonly cold: string;
  readonly units: bigint;
}

type Made = Pick<NewPayment, 'nonce' | 'unsigned' | 'fee' | 'size' | 'ownOutputs'> & {
  readonly spends: readonly ColdCoin[];
};
type Make = (ctx: Context, tx: Tx, asking: Asking, nextChange: number) => Promise<Made>;

const outputOf = (
  address: string,
  units: bigint,
  { coin, contract, decimals }: CoinTerms,
): OwnOutput => ({
  address,
  amount: formatAmount(toLedgerUnits(units, decimals) ?? 0n),
  ...(contract === '' ? {} : { coin }),
});

/** To a new change address of the venue. What is left goes back to where it was. */
const makeUtxo: Make = async (ctx, tx, asking, nextChange) => {
  const { own, term, cold, units, rate, scannedHeight, request } = asking;
  const { network } = paramsOf(own);
  const confirmed = scannedHeight - term.confirmations + 1;
  const outputs = await withoutSpent(
    tx,
    own.network,
    await listColdOutputs(tx, own.network, confirmed),
  );
  const coins = outputs.map(({ txid, vout, address, amount }) => ({
    txid,
    vout,
    address,
    units: toChainUnits(parseAmount(amount) ?? 0n, term.decimals) ?? 0n,
  }));
  const plan = planReturn(coins, units, rate);
  if (plan === undefined) {
    const held = coins.reduce((sum, coin) => sum + coin.units, 0n);
    throw new CannotReturn(
      `The venue has sent ${outputOf(cold, held, term).amount} ${request.coin} to its cold wallet that can be spent; with the fee that is not enough for ${formatAmount(request.amount)}.`,
    );
  }
  await drawChange(ctx, tx, own, nextChange);
  const key = openAccount(own.publicKey).publicKey({ branch: CHANGE_BRANCH, index: nextChange });
  const paid = [
    { address: utxoAddress(network, key), units },
    ...(plan.change === 0n ? [] : [{ address: cold, units: plan.change }]),
  ];
  return {
    nonce: null,
    unsigned: JSON.stringify(composeWatchedPsbt(network, { inputs: plan.coins, outputs: paid })),
    fee: plan.fee,
    size: BigInt(plan.size),
    ownOutputs: paid.map((one) => outputOf(one.address, one.units, term)),
    spends: plan.coins,
  };
};

/** To the hot wallet. The chain is asked before the transaction begins. */
async function readyEvm({
  own,
  nodes,
  hot,
  rate,
  tip,
  term,
  cold,
  units,
  terms,
}: Asking): Promise<Make> {
  if (hot === undefined) throw new CannotReturn('The signer has no hot wallet for this network.');
  const isToken = term.contract !== '';
  const gas = isToken ? GAS.token : GAS.coin;
  const fee = gas * rate;
  const most = (counts: readonly bigint[]) =>
    counts.reduce((high, one) => (one > high ? one : high));
  const least = (counts: readonly bigint[]) => counts.reduce((low, one) => (one < low ? one : low));
  const ask = (question: (node: ChainNode) => Promise<bigint>) => Promise.all(nodes.map(question));
  const nonce = most(await ask((node) => node.countSent(cold)));
  const held = least(await ask((node) => node.balanceOf(cold, term.contract)));
  const ether = isToken ? least(await ask((node) => node.balanceOf(cold, ''))) : held - units;
  if (held < units || ether < fee) {
    const what =
      held < units ? `${outputOf(cold, held, term).amount} ${term.coin}` : 'too little for gas';
    throw new CannotReturn(`The cold wallet has ${what}.`);
  }
  // What pays for gas has to be counted by the comparison, or the cost would look like a surplus.
  const native = [...terms.values()].find(({ contract }) => contract === '');
  if (isToken && native !== undefined && own.tiers[native.coin]?.cold !== cold) {
    throw new CannotReturn(
      `Gas is paid in ${native.coin}, whose cold wallet is another address: let \`tiers\` name the same one for both.`,
    );
  }
  const unsigned = composeEvm({
    path: '',
    chainId: own.chainId,
    nonce,
    to: isToken ? term.contract : hot,
    value: isToken ? 0n : units,
    ...(isToken ? { data: transferData(hot, units) } : {}),
    gas,
    rate,
    tip,
  });
  const made = {
    nonce,
    unsigned,
    fee,
    size: gas,
    ownOutputs: [outputOf(hot, units, term)],
    spends: [],
  };
  return () => Promise.resolve(made);
}
