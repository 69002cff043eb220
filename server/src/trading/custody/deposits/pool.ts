// Deposits that wait in the pool of a node: shown as `detected`, and never credited. With a block they are the same deposits,
// because a transfer has one place wherever it is; without one they vanish.
import type { Tx } from '../../../platform/db/transaction.ts';
import type { ChainPool } from '../chains/chain.ts';
import { insertPooled, lockPooled, noteSeen, updatePooled } from './pool-store.ts';
import { matchTransfers } from './record.ts';
import type { CoinTerms } from './rules.ts';

/** Rows that are compared with the pool. */
const COMPARED_MAX = 1000;

/** The caller holds the row of the network, whose cursor is at the tip. Returns what changed. */
export async function recordPool(
  tx: Tx,
  network: string,
  scannedHeight: number,
  { txids, transfers }: ChainPool,
  terms: ReadonlyMap<string, CoinTerms>,
): Promise<bigint[]> {
  const matched = await matchTransfers(tx, network, transfers, terms);
  // What somebody has to look at is shown with its block.
  const shown = matched.filter(({ held }) => held === '');
  const added = await insertPooled(tx, network, scannedHeight, shown);
  const before = await lockPooled(tx, network, COMPARED_MAX);
  const here = before.filter(({ txid }) => txids.has(txid));
  const back = idsOf(here.filter(({ status }) => status === 'orphaned'));
  // With the block after which it was last seen, it would have been recorded.
  const gone = idsOf(
    before.filter(
      ({ txid, status, seenHeight }) =>
        status === 'detected' && !txids.has(txid) && seenHeight < scannedHeight,
    ),
  );
  await noteSeen(
    tx,
    idsOf(here.filter(({ seenHeight }) => seenHeight < scannedHeight)),
    scannedHeight,
  );
  await updatePooled(tx, back, 'detected');
  await updatePooled(tx, gone, 'orphaned');
  return [...added, ...back, ...gone];
}

const idsOf = (rows: readonly { readonly depositId: bigint }[]): bigint[] =>
  rows.map(({ depositId }) => depositId);
