// The newest publication, for everybody, and the own leaf in it, for its account.
import { neighboursOf, pathOf, reserveStatement } from '@rialto/chains';
import type { Db } from '../../../platform/db/pool.ts';
import { assert } from '../../../platform/std/assert.ts';
import { AMOUNT_DECIMALS, formatAmount, formatFixed } from '../../amount.ts';
import { toMillis } from '../../values.ts';
import { FINE_DECIMALS, toFine } from '../reconciliation/difference.ts';
import type { ReserveAddress, ReserveCoin, ReserveLeaf, Reserves } from './shapes.ts';
import {
  findLeaf,
  findNewest,
  listChains,
  listNodes,
  listReserveAddresses,
  listSnapshots,
  type StoredChain,
  type StoredSnapshot,
} from './store.ts';

export { findPublication } from './store.ts';

const RATIO_DECIMALS = 4;
const FINER = 10n ** BigInt(FINE_DECIMALS - AMOUNT_DECIMALS);

/** In units of 10^-18, rounded down: a chain may count finer. */
const amountOf = (units: bigint, decimals: number): bigint => toFine(units, decimals) / FINER;

/** Rounded down, so that what is not covered never looks covered. */
export const ratioOf = (holds: bigint, owes: bigint): string =>
  owes === 0n ? '' : formatFixed((holds * 10n ** BigInt(RATIO_DECIMALS)) / owes, RATIO_DECIMALS);

export async function readReserves(db: Db): Promise<Reserves> {
  const newest = await findNewest(db);
  if (newest === undefined) return { publicationId: '', publishedAt: '', coins: [] };
  const { publicationId, publishedAt } = newest;
  const chains = Map.groupBy(await listChains(db, publicationId), ({ coin }) => coin);
  const snapshots = await listSnapshots(db, publicationId);
  return {
    publicationId: String(publicationId),
    publishedAt: toMillis(publishedAt),
    coins: snapshots.map((one) => toCoin(one, chains.get(one.coin) ?? [])),
  };
}

function toCoin(
  { coin, root, sum, leaves, engineSeq }: StoredSnapshot,
  chains: readonly StoredChain[],
): ReserveCoin {
  const holds = chains.reduce((all, { units, decimals }) => all + toFine(units, decimals), 0n);
  return {
    coin,
    root: root.toString('hex'),
    liabilities: formatAmount(sum),
    leaves: String(leaves),
    engineSeq: String(engineSeq),
    onChain: formatAmount(holds / FINER),
    ratio: ratioOf(holds / FINER, sum),
    networks: chains.map(({ network, height, blockHash, units, decimals }) => ({
      network,
      height: String(height),
      blockHash,
      onChain: formatAmount(amountOf(units, decimals)),
    })),
  };
}

/** Addresses of the newest publication, in order, from the one after `after` on. */
export async function pageReserveAddresses(
  db: Db,
  {
    coin,
    network,
    ...page
  }: {
    readonly coin: string;
    readonly network: string;
    readonly after: string;
    readonly limit: number;
  },
): Promise<ReserveAddress[]> {
  const newest = await findNewest(db);
  if (newest === undefined) return [];
  const { publicationId } = newest;
  const chains = await listChains(db, publicationId);
  const chain = chains.find((one) => one.coin === coin && one.network === network);
  if (chain === undefined) return [];
  const rows = await listReserveAddresses(db, { publicationId, coin }, { network, ...page });
  const { height, blockHash, decimals } = chain;
  return rows.map(({ address, units, signature }) => ({
    address,
    amount: formatAmount(amountOf(units, decimals)),
    statement:
      signature === ''
        ? ''
        : reserveStatement({ venue: newest.venue, network, height, blockHash, address }),
    signature,
  }));
}

/** The leaves of an account in the newest publication: one for each coin that it ever had. */
export async function listOwnLeaves(
  db: Db,
  accountId: bigint,
  only: string | undefined,
): Promise<ReserveLeaf[]> {
  const newest = await findNewest(db);
  if (newest === undefined) return [];
  const { publicationId } = newest;
  const snapshots = await listSnapshots(db, publicationId);
  const found: ReserveLeaf[] = [];
  for (const snapshot of snapshots) {
    if (only !== undefined && snapshot.coin !== only) continue;
    const leaf = await readLeaf(db, publicationId, snapshot, accountId);
    if (leaf !== undefined) found.push(leaf);
  }
  return found;
}

async function readLeaf(
  db: Db,
  publicationId: bigint,
  { coin, leaves, root, sum: rootSum }: StoredSnapshot,
  accountId: bigint,
): Promise<ReserveLeaf | undefined> {
  const key = { publicationId, coin };
  const leaf = await findLeaf(db, key, accountId);
  if (leaf === undefined) return undefined;
  const places = neighboursOf(leaf.place, leaves).flatMap(({ place }, level) =>
    place === undefined ? [] : [{ level, place }],
  );
  const nodes = await listNodes(db, key, places);
  const path = pathOf(leaf.place, leaves, (level, place) => {
    const node = nodes.find((one) => one.level === level && one.place === place);
    assert(node !== undefined, 'a tree has all its nodes', { publicationId, coin, level, place });
    return node;
  });
  return {
    publicationId: String(publicationId),
    coin,
    accountId: String(accountId),
    salt: Buffer.from(leaf.salt).toString('hex'),
    units: String(leaf.sum),
    path: path.map(({ side, sum, hash }) => ({
      side,
      units: String(sum),
      hash: Buffer.from(hash).toString('hex'),
    })),
    root: root.toString('hex'),
    rootUnits: String(rootSum),
  };
}
