// One look at the pool of a node, for deposits that are shown before they are in a block.
import type { Context } from '../../../platform/context.ts';
import { listCoinDefinitions } from '../../coins/access.ts';
import type { ChainNode } from '../chains/chain.ts';
import { recordPool } from '../deposits/pool.ts';
import { termsOf } from '../deposits/rules.ts';
import { tellDeposits } from '../deposits/tell.ts';
import type { OwnNetwork } from '../networks.ts';
import { findNetwork, lockNetwork } from './store.ts';

/** Transactions that one look reads; others follow with the next. */
const READ_MAX = 200;

/** `known` are the transactions that were read before; it is kept as small as the pool. */
export async function lookAtPool(
  ctx: Context,
  { network }: OwnNetwork,
  node: ChainNode,
  known: Set<string>,
): Promise<void> {
  const state = await findNetwork(ctx.db, network);
  // Behind the tip nobody could say whether something has left the pool for a block.
  if (state === undefined || state.scanned.hash !== state.tip.hash) return;
  const pool = await node.readPool(known, READ_MAX);
  for (const txid of known) if (!pool.txids.has(txid)) known.delete(txid);
  const terms = termsOf(await listCoinDefinitions(ctx.db), network);
  await ctx.inTransaction(async (tx) => {
    const row = await lockNetwork(tx, network);
    if (row?.scanned.hash !== state.scanned.hash) return;
    await tellDeposits(tx, await recordPool(tx, network, row.scanned.height, pool, terms));
    for (const txid of pool.read) known.add(txid);
  });
}
