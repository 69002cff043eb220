// Records what a block brought to addresses of the venue, and takes it back when the block leaves the chain.
import { freezeOwners } from '../../../accounts/trading-keys/access.ts';
import { FREEZE_HOURS } from '../../../accounts/trading-keys/freeze.ts';
import type { Context } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { matchAddresses } from '../addresses/access.ts';
import type { ChainBlock, ChainTransfer } from '../chains/chain.ts';
import { listOwnTxids } from '../payments/access.ts';
import { toIncoming, type CoinTerms } from './rules.ts';
import { countLost, orphanTransfers, unmine, upsertTransfers, type SeenTransfer } from './store.ts';

/** What has been away for so many blocks is not expected any more. */
const ORPHANED_AFTER = 100;

/** The caller holds the row of the network. Returns the deposits that changed. */
export async function recordTransfers(
  tx: Db,
  network: string,
  { height, hash, transfers }: ChainBlock,
  terms: ReadonlyMap<string, CoinTerms>,
  { isRescan = false } = {},
): Promise<bigint[]> {
  const found = await matchTransfers(tx, network, transfers, terms);
  // What came to nobody's address before the address was known: the ledger that had it is lost, and it may have been paid out.
  const seen = isRescan ? found.filter(({ accountId }) => accountId !== null) : found;
  const recorded = await upsertTransfers(tx, { network, height, hash }, seen);
  return [...recorded, ...(await orphanTransfers(tx, network, height - ORPHANED_AFTER))];
}

/** Those that are deposits, in the terms of the venue. */
export async function matchTransfers(
  tx: Db,
  network: string,
  transfers: readonly ChainTransfer[],
  terms: ReadonlyMap<string, CoinTerms>,
): Promise<SeenTransfer[]> {
  const rowOf = await matchAddresses(
    tx,
    network,
    transfers.map(({ address }) => address),
  );
  // Gas that we send to a deposit address ourselves is nobody's deposit.
  const own = await listOwnTxids(
    tx,
    network,
    transfers.filter(({ address }) => rowOf.has(address)).map(({ txid }) => txid),
  );
  return transfers.flatMap((transfer) => {
    const row = own.has(transfer.txid) ? undefined : rowOf.get(transfer.address);
    const incoming = row && toIncoming(transfer, terms);
    if (row === undefined || incoming === undefined) return [];
    const { txid, place, address, units } = transfer;
    const { accountId, memo } = row;
    return [{ txid, place, address, units, accountId, memo, ...incoming }];
  });
}

/**
 * Takes everything above `height` out of its block. Withdrawals of everybody whose credited deposit is among it are
 * frozen: the coins may be gone. Returns all of them, and how many were credited.
 */
export async function forgetBlocks(
  ctx: Context,
  tx: Tx,
  network: string,
  height: number,
): Promise<{ readonly changed: bigint[]; readonly lost: number }> {
  const unmined = await unmine(tx, network, height);
  const lost = unmined.filter(({ isCredited }) => isCredited);
  for (const { depositId, accountId, coin } of lost) {
    ctx.log.error(
      { network, coin, deposit: `D${depositId}`, account: String(accountId) },
      'The block of a credited deposit has left the chain. The network is paused, and withdrawals of the account are frozen, until the deposit is in a block again or operators decide.',
    );
  }
  const accounts = lost.flatMap(({ accountId }) => accountId ?? []);
  await freezeOwners(tx, accounts, FREEZE_HOURS);
  return { changed: unmined.map(({ depositId }) => depositId), lost: lost.length };
}

/** Whether a credited deposit is in no block now. */
export const hasLostDeposits = async (db: Db, network: string): Promise<boolean> =>
  (await countLost(db, network)) > 0;
