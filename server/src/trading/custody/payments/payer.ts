// Pays what is queued, network by network, each in a loop of its own. Any number of processes may do so: rows are locked,
// and every step may be repeated.
import { evmAddress, openAccount } from '@rialto/chains';
import type { Context } from '../../../platform/context.ts';
import { rarely } from '../../../platform/observe/rarely.ts';
import { pause } from '../../../platform/std/wait.ts';
import { listCoinDefinitions } from '../../coins/access.ts';
import { noteHotAddress } from '../addresses/actions.ts';
import type { ChainNode, FeeRate } from '../chains/chain.ts';
import { bringBack } from '../cold/bring-back.ts';
import { termsOf } from '../deposits/rules.ts';
import { ownNetworks, type OwnNetwork } from '../networks.ts';
import { findNetwork } from '../watch/access.ts';
import { finishPayments } from './finish.ts';
import { readFunds } from './hot.ts';
import { measureHot, measurePayments } from './measure.ts';
import { preparePayments } from './prepare.ts';
import type { Preparing } from './preparing.ts';
import { raiseFees } from './raise.ts';
import { sendPayments } from './send.ts';
import { signPayments } from './sign.ts';
import { sweepDeposits } from './sweep.ts';
import { fillCold } from './to-cold.ts';
import { voidPayments } from './void.ts';
import { openSigner, SignerAway, type Signer, type SignerKeys } from './signer.ts';

const LOOK_EVERY_MS = 1000;
const COMPLAIN_EVERY_MS = 60_000;
const STOP_WITHIN_MS = 3000;
/** A payment should be in one of the next blocks; after so many, more is paid for it. */
const RAISE_AFTER_BLOCKS = 6;

/** What a network may cost where its file does not say: by virtual byte, and by gas. */
const RATES = {
  utxo: { min: 10n, max: 500n },
  evm: { min: 1_000_000_000n, max: 200_000_000_000n },
} as const;

/** Nobody mines for nothing: on a quiet chain the usual tip is zero (EVM). */
const TIP_MIN = 100_000_000n;

/** Where a test may stop a payer. */
export type PayPoint = 'prepared' | 'signed' | 'sent' | 'finished';

export interface PayerOptions {
  readonly everyMs?: number;
  /** What was signed so long ago should be in a block; more is paid for it then. */
  readonly raiseMs?: number;
  /** After so long the same bytes are sent again. */
  readonly againMs?: number;
  readonly probe?: (point: PayPoint) => void;
}

export interface Paying {
  readonly ctx: Context;
  readonly own: OwnNetwork;
  readonly nodes: readonly ChainNode[];
  readonly signer: Signer;
  readonly options: PayerOptions;
}

export function startPayer(ctx: Context, options: PayerOptions = {}): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { CUSTODY_SIGNER_SOCKET: socket } = ctx.config;
  const networks = [...ownNetworks(ctx.config).values()].filter(
    ({ nodes, withdrawals, sweeps, tiers }) =>
      nodes.length > 0 && Object.keys({ ...withdrawals, ...sweeps, ...tiers }).length > 0,
  );
  if (socket === '' && networks.length > 0) {
    ctx.log.error(
      { networks: networks.map(({ network }) => network) },
      'Withdrawals are taken, and CUSTODY_SIGNER_SOCKET is empty: nothing is paid.',
    );
  }
  const running = Promise.all(
    (socket === '' ? [] : networks).map((own) => {
      const nodes = own.nodes.map((url) => own.ownChain.openNode(url));
      return pay({ ctx, own, nodes, signer: openSigner(socket), options }, stopping.signal);
    }),
  );
  return {
    async stop() {
      stopping.abort();
      await Promise.race([running, pause(STOP_WITHIN_MS)]);
    },
  };
}

async function pay(paying: Paying, signal: AbortSignal): Promise<void> {
  const { ctx, own, options } = paying;
  const complain = rarely(COMPLAIN_EVERY_MS);
  while (!signal.aborted) {
    try {
      await lookAtPayments(paying);
      ctx.metrics.custodySigner(own.network, true);
    } catch (error) {
      if (error instanceof SignerAway) ctx.metrics.custodySigner(own.network, false);
      complain((keptBack) =>
        ctx.log.error(
          { err: error, network: own.network, keptBack },
          'Paying on a network failed.',
        ),
      );
    }
    await pause(options.everyMs ?? LOOK_EVERY_MS, signal);
  }
}

/** One step of each kind, the last ones first: what is under way ends before something new begins. */
export async function lookAtPayments(paying: Paying): Promise<void> {
  const { ctx, own, nodes, signer, options } = paying;
  const probe = options.probe ?? (() => {});
  const state = await findNetwork(ctx.db, own.network);
  if (state === undefined) return;
  const byContract = termsOf(await listCoinDefinitions(ctx.db), own.network);
  const terms = new Map([...byContract.values()].map((one) => [one.coin, one]));
  const scannedHeight = state.scanned.height;
  await measurePayments(ctx, own);
  await finishPayments(ctx, { own, scannedHeight, terms });
  probe('finished');
  const { againMs } = options;
  await sendPayments(ctx, { own, nodes, ...(againMs === undefined ? {} : { againMs }) });
  probe('sent');
  // A paused network begins nothing new: its nodes may be wrong, or coins may be gone.
  if (state.status === 'paused') return;
  await signPayments(ctx, { own, signer, terms });
  probe('signed');
  const keys = await signer.keys();
  checkKeys(own, keys);
  const { rate, tip, rateMax } = await readRate(own, nodes);
  const afterMs = options.raiseMs ?? RAISE_AFTER_BLOCKS * own.blockSeconds * 1000;
  await raiseFees(ctx, { own, keys, rate, tip, rateMax, afterMs });
  const hot = hotAddress(own, keys);
  if (hot !== undefined) await noteHotAddress(ctx, { network: own.network, address: hot });
  await voidPayments(ctx, { own, keys, rate, tip, hot });
  const preparing: Preparing = {
    own,
    keys,
    rate,
    tip,
    scannedHeight,
    terms,
    ...(hot === undefined ? {} : { wallet: await readWallet(own, nodes, hot, terms) }),
  };
  await preparePayments(ctx, preparing);
  await fillCold(ctx, preparing);
  await bringBack(ctx, { own, nodes, hot, rate, tip, scannedHeight, terms });
  await measureHot(ctx, own, terms, { scannedHeight, funds: preparing.wallet?.funds });
  const [node] = nodes;
  if (hot !== undefined && node !== undefined) {
    await sweepDeposits(ctx, { own, node, hot, rate, tip, terms });
  }
  probe('prepared');
}

/** Of an EVM chain; others have none. */
function hotAddress({ network, ownChain }: OwnNetwork, keys: SignerKeys): string | undefined {
  const xpub = keys.networks[network]?.['hot']?.xpub;
  if (ownChain.family !== 'evm' || xpub === undefined) return undefined;
  return evmAddress(openAccount(xpub).publicKey({ branch: 0, index: 0 }));
}

/** A signer with another seed would pay from addresses that are not ours. */
function checkKeys({ network, ownChain, publicKey }: OwnNetwork, keys: SignerKeys): void {
  const name = ownChain.family === 'utxo' ? 'account' : 'deposit';
  const xpub = keys.networks[network]?.[name]?.xpub;
  if (xpub === publicKey) return;
  throw new Error(
    `The signer has ${xpub === undefined ? 'no' : 'another'} public key for ${network} than CUSTODY_NETWORKS_FILE.`,
  );
}

/** The lowest that an answering node asks for, within the bounds of the configuration. */
async function readRate(
  own: OwnNetwork,
  nodes: readonly ChainNode[],
): Promise<FeeRate & { readonly rateMax: bigint }> {
  const { min, max } = RATES[own.ownChain.family];
  const least = own.feeRate === undefined ? min : BigInt(own.feeRate.min);
  const most = own.feeRate === undefined ? max : BigInt(own.feeRate.max);
  const said = await Promise.allSettled(nodes.map((node) => node.feeRate()));
  const rates = said.flatMap((one) => (one.status === 'fulfilled' ? (one.value ?? []) : []));
  const lowest = rates.reduce(
    (low, one) => (one.rate < low.rate ? one : low),
    rates[0] ?? { rate: least, tip: 0n },
  );
  const rate = lowest.rate < least ? least : lowest.rate > most ? most : lowest.rate;
  const tip = lowest.tip < TIP_MIN ? TIP_MIN : lowest.tip;
  return { rate, tip, rateMax: most };
}

const readWallet = async (
  own: OwnNetwork,
  nodes: readonly ChainNode[],
  hot: string,
  terms: Preparing['terms'],
) => ({ sent: await countSent(hot, nodes), funds: await readFunds(own, nodes, hot, terms) });

/** The most that a node knows of: one that lags behind knows of fewer. */
async function countSent(hot: string, nodes: readonly ChainNode[]): Promise<bigint> {
  const counts = await Promise.all(nodes.map((node) => node.countSent(hot)));
  return counts.reduce((high, one) => (one > high ? one : high), 0n);
}
