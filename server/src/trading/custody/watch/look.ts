// One look at a network: what its nodes say, the blocks that are new, and the credits that follow. Nothing of a node is
// asked inside a transaction; a transaction compares the cursor first, so that of several watchers one moves on.
import type { Context } from '../../../platform/context.ts';
import { ringEngine } from '../../../platform/bus/bells.ts';
import { listCoinDefinitions } from '../../coins/access.ts';
import type { BlockRef, ChainBlock, ChainNode } from '../chains/chain.ts';
import { forgetBlocks, hasLostDeposits, recordTransfers } from '../deposits/record.ts';
import { termsOf, type CoinTerms } from '../deposits/rules.ts';
import { followReversals } from '../deposits/reverse.ts';
import { settleDeposits } from '../deposits/settle.ts';
import { tellDeposits } from '../deposits/tell.ts';
import type { OwnNetwork } from '../networks.ts';
import { dropSpent, forgetPayments, recordPayments } from '../payments/record.ts';
import { agreeAt, askNodes, checkIdentities, NetworkTrouble, type PauseReason } from './nodes.ts';
import {
  findBlock,
  findNetwork,
  insertBlock,
  insertNetwork,
  listBlocks,
  lockNetwork,
  moveCursor,
  noteTip,
  updateReason,
  updateRescan,
  type WatchedNetwork,
} from './store.ts';

/** Blocks whose hashes are kept, hence the deepest reorganisation that is followed. */
const BLOCKS_KEPT = 1000;
/** Blocks read in one look; then the tip is asked for again. */
const BLOCKS_AT_ONCE_MAX = 100;
/** A node that shows nothing new for so many usual times between blocks is stale. */
const STALE_AFTER_BLOCKS = 10;

/** Where a test may stop a watcher. */
export type WatchPoint = 'tip read' | 'block read' | 'before commit' | 'after commit';

export interface Watching {
  readonly ctx: Context;
  readonly own: OwnNetwork;
  readonly nodes: readonly ChainNode[];
  readonly probe: (point: WatchPoint) => void;
}

type Terms = ReadonlyMap<string, CoinTerms>;

/** Brings the network up to date as far as one look goes. Throws NetworkTrouble when it must be paused. */
export async function lookAtNetwork(watching: Watching): Promise<void> {
  const { ctx, own, nodes, probe } = watching;
  const answering = await askNodes(nodes);
  const [{ node, tip, identity }] = answering;
  const before = await findNetwork(ctx.db, own.network);
  checkIdentities(answering, own.ownChain.accepts, before?.identity);
  const known = before ?? (await begin(watching, node, tip, identity));
  probe('tip read');
  const terms = termsOf(await listCoinDefinitions(ctx.db), own.network);
  // What would be credited at the tip has to be the same for all nodes.
  const fewest = Math.min(
    ...[...terms.values()].map(({ confirmations }) => confirmations),
    tip.height,
  );
  const isAgreed = await agreeAt(answering, tip.height - Math.max(1, fewest) + 1);
  const isBehind = await isNodeBehind(ctx, known, tip);
  if (!isBehind && isAgreed) {
    if (tip.hash !== known.tip.hash) await noteTip(ctx.db, own.network, tip);
    await advance(watching, node, known.scanned, tip, terms);
    if (known.rescanFrom !== null) await rescan(watching, node, known.rescanFrom, terms);
  }
  await reverse(watching);
  if (await hasLostDeposits(ctx.db, own.network)) {
    throw new NetworkTrouble('reorganised', 'Credited deposits are in no block of the chain.');
  }
  const now = await findNetwork(ctx.db, own.network);
  if (now !== undefined && now.silentSeconds > STALE_AFTER_BLOCKS * own.blockSeconds) {
    throw new NetworkTrouble(
      'stale',
      `The chain has not grown for ${Math.floor(now.silentSeconds)} s.`,
    );
  }
  await settle(watching, terms);
}

async function begin(
  { ctx, own }: Watching,
  node: ChainNode,
  tip: BlockRef,
  identity: string,
): Promise<WatchedNetwork> {
  const height = own.startHeight === undefined ? tip.height : own.startHeight - 1;
  const hash = await node.hashAt(height);
  if (hash === undefined) {
    throw new NetworkTrouble('stale', `The node has no block ${height} to begin with yet.`);
  }
  await ctx.inTransaction((tx) =>
    insertNetwork(tx, { network: own.network, identity, from: { height, hash }, tip }),
  );
  const known = await findNetwork(ctx.db, own.network);
  if (known === undefined) throw new Error(`The network ${own.network} has no row.`);
  return known;
}

/**
 * Whether the node has not yet come as far as we have read. A lower tip alone is no reorganisation: a node that
 * was killed comes back with fewer blocks, and catches up.
 */
async function isNodeBehind(
  ctx: Context,
  { network, scanned }: WatchedNetwork,
  tip: BlockRef,
): Promise<boolean> {
  if (tip.height >= scanned.height) return false;
  const stored = await findBlock(ctx.db, network, tip.height);
  return stored === undefined || stored.hash === tip.hash;
}

/** Reads blocks from the cursor on, going back first where the chain has changed. */
async function advance(
  watching: Watching,
  node: ChainNode,
  from: BlockRef,
  tip: BlockRef,
  terms: Terms,
): Promise<void> {
  const { own, probe } = watching;
  const contracts = new Set([...terms.keys()].filter((contract) => contract !== ''));
  let cursor = from;
  for (let read = 0; read < BLOCKS_AT_ONCE_MAX && cursor.hash !== tip.hash; read += 1) {
    const hash = cursor.height < tip.height ? await node.hashAt(cursor.height + 1) : undefined;
    const block = hash === undefined ? undefined : await node.readBlock(hash, contracts);
    probe('block read');
    if (block === undefined || block.parent !== cursor.hash || block.height !== cursor.height + 1) {
      const ancestor = await findAncestor(watching, node, cursor);
      // The chain changed between two questions; the next look sees one chain.
      if (ancestor.hash === cursor.hash) return;
      if (!(await goBack(watching, cursor, ancestor))) return;
      cursor = ancestor;
    } else {
      if (!(await commitBlock(watching, cursor, block, terms))) return;
      cursor = { height: block.height, hash: block.hash };
    }
  }
  watching.ctx.metrics.custodyLag(own.network, tip.height - cursor.height);
}

async function findAncestor(
  { ctx, own }: Watching,
  node: ChainNode,
  cursor: BlockRef,
): Promise<BlockRef> {
  for (const block of await listBlocks(ctx.db, own.network, cursor.height, BLOCKS_KEPT)) {
    if ((await node.hashAt(block.height)) === block.hash) return block;
  }
  throw new NetworkTrouble(
    'reorganised_too_deep',
    `None of the last ${BLOCKS_KEPT} blocks that were read is in the chain any more.`,
  );
}

/** Returns false when another watcher has moved the cursor meanwhile. */
async function goBack(
  { ctx, own, probe }: Watching,
  cursor: BlockRef,
  ancestor: BlockRef,
): Promise<boolean> {
  const depth = cursor.height - ancestor.height;
  const isDone = await ctx.inTransaction(async (tx) => {
    const row = await lockNetwork(tx, own.network);
    if (row?.scanned.hash !== cursor.hash) return false;
    const { changed, lost } = await forgetBlocks(ctx, tx, own.network, ancestor.height);
    // In this very transaction, so that no further credit comes between.
    if (lost > 0) await updateReason(tx, own.network, 'reorganised' satisfies PauseReason);
    await forgetPayments(tx, own.network, ancestor.height);
    await moveCursor(tx, own.network, ancestor, BLOCKS_KEPT);
    await tellDeposits(tx, changed);
    probe('before commit');
    return true;
  });
  if (!isDone) return false;
  ctx.metrics.custodyReorganised(own.network, depth);
  ctx.log.warn({ network: own.network, depth }, 'The chain was reorganised.');
  return true;
}

/**
 * Reads blocks again up to the cursor, as operators asked, for transfers that were not recorded: the coin was not listed yet,
 * or the address came from elsewhere. What is known already stays as it is.
 */
async function rescan(
  { ctx, own }: Watching,
  node: ChainNode,
  from: number,
  terms: Terms,
): Promise<void> {
  const contracts = new Set([...terms.keys()].filter((contract) => contract !== ''));
  for (let height = from; height < from + BLOCKS_AT_ONCE_MAX; height += 1) {
    const hash = await node.hashAt(height);
    const block = hash === undefined ? undefined : await node.readBlock(hash, contracts);
    const unspent = block && (await dropSpent(ctx.db, own, node, block));
    const isDone = await ctx.inTransaction(async (tx) => {
      const row = await lockNetwork(tx, own.network);
      // Another watcher was faster, or operators asked anew.
      if (row?.rescanFrom !== height) return true;
      if (block === undefined || unspent === undefined || height > row.scanned.height) {
        await updateRescan(tx, own.network, null);
        return true;
      }
      const stored = await findBlock(tx, own.network, height);
      // The chain has changed; the cursor goes back first.
      if (stored !== undefined && stored.hash !== block.hash) return true;
      const recorded = await recordTransfers(tx, own.network, block, terms, { isRescan: true });
      await recordPayments(tx, own, unspent, terms.get('')?.confirmations ?? 1);
      await updateRescan(tx, own.network, height + 1);
      await tellDeposits(tx, recorded);
      return false;
    });
    if (isDone) return;
  }
}

/** Returns false when another watcher has moved the cursor meanwhile. */
async function commitBlock(
  watching: Watching,
  cursor: BlockRef,
  block: ChainBlock,
  terms: Terms,
): Promise<boolean> {
  const { ctx, own, probe } = watching;
  const outcome = await ctx.inTransaction(async (tx) => {
    const row = await lockNetwork(tx, own.network);
    if (row?.scanned.hash !== cursor.hash) return undefined;
    await insertBlock(tx, own.network, block);
    const recorded = await recordTransfers(tx, own.network, block, terms);
    await recordPayments(tx, own, block, terms.get('')?.confirmations ?? 1);
    await moveCursor(tx, own.network, block, BLOCKS_KEPT);
    const { credited, changed } = await settleDeposits(ctx, tx, {
      own,
      terms,
      scannedHeight: block.height,
      isPaused: row.status === 'paused',
    });
    await tellDeposits(tx, [...recorded, ...changed]);
    probe('before commit');
    return credited;
  });
  if (outcome === undefined) return false;
  if (outcome > 0) ringEngine(ctx);
  probe('after commit');
  return true;
}

/** Notes what the ledger took back: with the last of it the network runs again. */
async function reverse({ ctx, own }: Watching): Promise<void> {
  const hasMore = await ctx.inTransaction(async (tx) => {
    const row = await lockNetwork(tx, own.network);
    return row === undefined ? false : followReversals(ctx, tx, own.network);
  });
  if (hasMore) ringEngine(ctx);
}

/** Credits what has become ready without a new block: after a pause, or more than one transaction takes. */
async function settle({ ctx, own }: Watching, terms: Terms): Promise<void> {
  const credited = await ctx.inTransaction(async (tx) => {
    const row = await lockNetwork(tx, own.network);
    if (row === undefined) return 0;
    const scannedHeight = row.scanned.height;
    // This look found nothing wrong, whatever the one before did.
    const isPaused = row.heldReason !== '';
    const settled = await settleDeposits(ctx, tx, { own, terms, scannedHeight, isPaused });
    await tellDeposits(tx, settled.changed);
    return settled.credited;
  });
  if (credited > 0) ringEngine(ctx);
}
