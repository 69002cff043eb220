// What a block means for payments: coins that came to our keys, and transactions of ours that are in it. Called in the
// transaction that moves the cursor of the network, so that both tell the same chain.
import { CHANGE_BRANCH, DEPOSIT_BRANCH } from '@rialto/chains';
import type { Db } from '../../../platform/db/pool.ts';
import { matchOwnAddresses } from '../addresses/access.ts';
import type { ChainBlock, ChainNode } from '../chains/chain.ts';
import type { OwnNetwork } from '../networks.ts';
import { noteMined, unmine } from './store.ts';
import { upsertCoins } from './wallet-store.ts';

export async function recordPayments(
  tx: Db,
  { network, ownChain }: OwnNetwork,
  { height, transfers, transactions }: ChainBlock,
  confirmations: number,
): Promise<void> {
  await noteMined(tx, network, height, transactions);
  if (ownChain.family !== 'utxo') return;
  const rowOf = await matchOwnAddresses(
    tx,
    network,
    transfers.map(({ address }) => address),
  );
  const coins = transfers.flatMap(({ txid, place, address, units, maturity }) => {
    const row = rowOf.get(address);
    if (row === undefined) return [];
    const isChange = row.purpose === 'change';
    return [
      {
        txid,
        vout: Number(place),
        branch: isChange ? CHANGE_BRANCH : DEPOSIT_BRANCH,
        index: row.index,
        units,
        // What others paid may be paid back to them by another chain; what we paid ourselves may not.
        needed: isChange ? 1 : Math.max(confirmations, maturity, 1),
      },
    ];
  });
  await upsertCoins(tx, network, height, coins);
}

/**
 * The block without outputs of ours that are spent by now: by a payment that we know, or by one of a database that is lost. The
 * block is an old one, so the node is asked.
 */
export async function dropSpent(
  db: Db,
  { network, ownChain }: OwnNetwork,
  node: ChainNode,
  block: ChainBlock,
): Promise<ChainBlock> {
  if (ownChain.family !== 'utxo') return block;
  const rowOf = await matchOwnAddresses(
    db,
    network,
    block.transfers.map(({ address }) => address),
  );
  const ours = block.transfers.filter(({ address }) => rowOf.has(address));
  const found = await node.unspentOf(
    ours.map(({ txid, place }) => ({ txid, vout: Number(place) })),
  );
  return { ...block, transfers: ours.filter((_, n) => found[n] !== undefined) };
}

export const forgetPayments = (tx: Db, network: string, height: number): Promise<void> =>
  unmine(tx, network, height);
