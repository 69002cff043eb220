// What operators do with a network: pause it, let it run, have blocks read again, have deposit addresses emptied.
import type { Operator } from '../../../accounts/operators/operator.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { addUnassigned } from '../addresses/actions.ts';
import { heightOutOfRange, noSuchNetwork, tooManyAddresses } from '../errors.ts';
import { ownNetworks } from '../networks.ts';
import { askSweep, drawManyChanges } from '../payments/access.ts';
import { lockNetwork, updateHeld, updateRescan, type WatchedNetwork } from '../watch/access.ts';
import { doAct } from './note.ts';

async function hold(tx: Tx, network: string): Promise<WatchedNetwork> {
  const row = await lockNetwork(tx, network);
  if (row === undefined) throw noSuchNetwork(network);
  return row;
}

/** Nothing of it is credited or begun until `resumeNetwork`, whatever the nodes say. */
export const pauseNetwork = (ctx: Context, by: Operator, network: string, reason: string) =>
  doAct(ctx, by, { act: 'custody pause', subject: network, details: { reason } }, async (tx) => {
    await hold(tx, network);
    await updateHeld(tx, network, reason.slice(0, 200));
  });

/** A network that the watcher has paused goes on when what is wrong with it has ended. */
export const resumeNetwork = (ctx: Context, by: Operator, network: string, reason = '') =>
  doAct(ctx, by, { act: 'custody resume', subject: network, details: { reason } }, async (tx) => {
    await hold(tx, network);
    await updateHeld(tx, network, '');
  });

/** Each costs milliseconds, and the network's addresses wait meanwhile. */
const ADDRESSES_AT_ONCE_MAX = 5000;

/**
 * The watcher reads the blocks from here to its cursor again. `addresses`: so many further addresses of the key are the
 * venue's too, deposit addresses of nobody and change, because the database that knew them is lost.
 */
export async function rescanNetwork(
  ctx: Context,
  by: Operator,
  network: string,
  { from, addresses = 0 }: { readonly from: number; readonly addresses?: number },
): Promise<void> {
  if (addresses > ADDRESSES_AT_ONCE_MAX) throw tooManyAddresses(addresses, ADDRESSES_AT_ONCE_MAX);
  const act = { act: 'custody rescan', subject: network, details: { from, addresses } } as const;
  await doAct(ctx, by, act, async (tx) => {
    const { scanned } = await hold(tx, network);
    if (from < 1 || from > scanned.height) throw heightOutOfRange(from, scanned.height);
    const own = ownNetworks(ctx.config).get(network);
    if (addresses > 0) {
      if (own === undefined) throw noSuchNetwork(network, 'of CUSTODY_NETWORKS_FILE');
      await addUnassigned(ctx, tx, own, addresses);
      if (own.ownChain.family === 'utxo') await drawManyChanges(ctx, tx, own, addresses);
    }
    await updateRescan(tx, network, from);
  });
}

/** Deposit addresses are emptied with the next look, whatever is in them (EVM). */
export const sweepNetwork = (ctx: Context, by: Operator, network: string) =>
  doAct(ctx, by, { act: 'custody sweep', subject: network }, async (tx) => {
    if (ownNetworks(ctx.config).get(network)?.ownChain.family !== 'evm') {
      throw noSuchNetwork(network, 'with deposit addresses that are emptied');
    }
    await hold(tx, network);
    await askSweep(tx, network);
  });
