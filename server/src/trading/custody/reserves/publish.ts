// Makes a publication: every chain is compared with the ledger first; then one transaction reads what is owed, and the trees
// are built of it. All of it is stored in one commit, or nothing.
import { buildTree, SALT_BYTES, type SumTree } from '@rialto/chains';
import { randomBytes } from 'node:crypto';
import { originOf, type Context } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import { ownNetworks } from '../networks.ts';
import { openSigner } from '../payments/access.ts';
import { listVenueAddresses } from '../addresses/access.ts';
import { sumOf } from '../reconciliation/holdings.ts';
import { reconcileNetwork, type Comparison } from '../reconciliation/reconcile.ts';
import {
  insertChain,
  insertLeaves,
  insertNodes,
  insertSnapshot,
  listOwed,
  lockAsked,
  readEngineSeq,
  takeAsked,
  updatePublication,
  type OwedSum,
} from './store.ts';

/** Leaves of one tree; memory bounds them. */
const LEAVES_MAX = 1_000_000;
/** A process that dies over a publication leaves it to another one after this time. */
const LEASE_SECONDS = 900;

interface Owed {
  readonly engineSeq: bigint;
  readonly byCoin: ReadonlyMap<string, readonly OwedSum[]>;
}

/** Makes what is asked for, if nobody does. Returns whether there was something. */
export async function publishAsked(ctx: Context): Promise<boolean> {
  const id = await takeAsked(ctx.db, LEASE_SECONDS);
  if (id === undefined) return false;
  const made = await make(ctx).catch((error: unknown) => {
    ctx.log.error({ err: error, publication: String(id) }, 'The reserves could not be published.');
    return error instanceof Unpublishable ? error.message : 'an unexpected error; see the log';
  });
  await ctx.inTransaction(async (tx) => {
    if (!(await lockAsked(tx, id))) return;
    if (typeof made === 'string') {
      await updatePublication(tx, id, { status: 'failed', reason: made.slice(0, 200) });
      return;
    }
    for (const part of made) await store(tx, id, part);
    const publishedAt = new Date(ctx.clock.now());
    const venue = originOf(ctx);
    await updatePublication(tx, id, { status: 'published', publishedAt, venue });
  });
  return true;
}

class Unpublishable extends Error {
  override name = 'Unpublishable';
}

interface Part {
  readonly coin: string;
  readonly engineSeq: bigint;
  readonly tree: SumTree;
  readonly chains: readonly Signed[];
}

/** With the signatures of its addresses. */
type Signed = Comparison & { readonly signatures: ReadonlyMap<string, string> };

async function make(ctx: Context): Promise<Part[]> {
  const chains: Comparison[] = [];
  const networks = [...ownNetworks(ctx.config).values()];
  for (const own of networks) {
    const nodes = own.nodes.map((url) => own.ownChain.openNode(url));
    const { compared, isWhole } = await reconcileNetwork(ctx, { own, nodes });
    if (!isWhole) throw new Unpublishable(`${own.network} cannot be compared now`);
    chains.push(...compared);
  }
  const short = chains.find(({ outcome }) => outcome === 'shortfall');
  if (short !== undefined) {
    throw new Unpublishable(`coins are missing: ${short.coin} on ${short.network}`);
  }
  const coins = [...new Set(chains.map(({ coin }) => coin))].sort();
  if (coins.length === 0) throw new Unpublishable('no coin is on a network of this venue');
  const { engineSeq, byCoin } = await ctx.inTransaction((tx) => readOwed(tx, coins), {
    isolation: 'repeatable read',
  });
  const signed: Signed[] = [];
  for (const one of chains) signed.push({ ...one, signatures: await attest(ctx, one) });
  return coins.map((coin) => ({
    coin,
    engineSeq,
    tree: buildTree(
      (byCoin.get(coin) ?? []).map(({ accountId, sum }) => ({
        account: accountId,
        salt: randomBytes(SALT_BYTES),
        sum,
      })),
    ),
    chains: signed.filter((one) => one.coin === coin),
  }));
}

/** Of one request to the signer. */
const ATTESTED_AT_ONCE = 100;

/** What the keys of these addresses sign. The cold wallet is signed by nobody here; without a signer, nothing is. */
async function attest(
  ctx: Context,
  { network, block, holdings }: Comparison,
): Promise<ReadonlyMap<string, string>> {
  const socket = ctx.config.CUSTODY_SIGNER_SOCKET;
  if (socket === '') return new Map();
  const signer = openSigner(socket);
  const rows = await listVenueAddresses(ctx, ctx.db, network);
  const own = rows.filter(({ address }) => holdings.has(address));
  const found = new Map<string, string>();
  for (let at = 0; at < own.length; at += ATTESTED_AT_ONCE) {
    const some = own.slice(at, at + ATTESTED_AT_ONCE);
    const request = {
      venue: originOf(ctx),
      network,
      height: block.height,
      blockHash: block.hash,
      addresses: some.map(({ purpose, index }) => ({ purpose, index })),
    };
    const signatures = await signer.attest(request).catch((error: unknown) => {
      throw new Unpublishable('the signer does not sign addresses', { cause: error });
    });
    for (const { address } of some) {
      const signature = signatures.get(address);
      if (signature === undefined) {
        throw new Unpublishable(`the signer has another key for ${address}`);
      }
      found.set(address, signature);
    }
  }
  return found;
}

async function readOwed(tx: Db, coins: readonly string[]): Promise<Owed> {
  const byCoin = new Map<string, readonly OwedSum[]>();
  for (const coin of coins) {
    const owed = await listOwed(tx, coin, LEAVES_MAX + 1);
    if (owed.length > LEAVES_MAX) {
      throw new Unpublishable(`${coin} has more than ${LEAVES_MAX} leaves`);
    }
    byCoin.set(coin, owed);
  }
  return { engineSeq: await readEngineSeq(tx), byCoin };
}

async function store(tx: Db, publicationId: bigint, part: Part): Promise<void> {
  const { coin, engineSeq, tree, chains } = part;
  const key = { publicationId, coin };
  const { root, order, levels } = tree;
  await insertSnapshot(tx, {
    ...key,
    engineSeq,
    root: root.hash,
    sum: root.sum,
    leaves: order.length,
  });
  await insertLeaves(
    tx,
    key,
    order.map(({ account, salt, sum }, place) => ({ place, accountId: account, salt, sum })),
  );
  await insertNodes(
    tx,
    key,
    levels.flatMap((level, at) => level.map((node, place) => ({ level: at, place, ...node }))),
  );
  for (const { network, block, decimals, holdings, signatures } of chains) {
    await insertChain(tx, key, {
      network,
      height: block.height,
      blockHash: block.hash,
      decimals,
      units: sumOf(holdings),
      holdings,
      signatures,
    });
  }
}
