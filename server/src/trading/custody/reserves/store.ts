import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';

export async function insertPublication(tx: Db, askedBy: string, askedAt: Date): Promise<bigint> {
  const { publicationId } = await tx
    .insertInto('reservePublications')
    .values({ askedBy, askedAt })
    .returning('publicationId')
    .executeTakeFirstOrThrow();
  return publicationId;
}

/** Asked for, and not made yet. */
export async function findAsked(db: Db): Promise<bigint | undefined> {
  const row = await db
    .selectFrom('reservePublications')
    .select('publicationId')
    .where('status', '=', 'asked')
    .orderBy('publicationId')
    .limit(1)
    .executeTakeFirst();
  return row?.publicationId;
}

export interface PublicationState {
  readonly publicationId: bigint;
  readonly status: string;
  readonly reason: string;
}

export async function findPublication(db: Db, id: bigint): Promise<PublicationState | undefined> {
  return db
    .selectFrom('reservePublications')
    .select(['publicationId', 'status', 'reason'])
    .where('publicationId', '=', id)
    .executeTakeFirst();
}

/** The oldest that is asked for, if nobody makes it: of several processes one takes it, and another if that one dies. */
export async function takeAsked(db: Db, leaseSeconds: number): Promise<bigint | undefined> {
  const { rows } = await sql<{ publicationId: bigint }>`
    UPDATE reserve_publications SET taken_at = clock_timestamp()
     WHERE publication_id = (SELECT publication_id FROM reserve_publications
                              WHERE status = 'asked'
                                AND coalesce(taken_at < clock_timestamp() - ${leaseSeconds} * interval '1 second', true)
                              ORDER BY publication_id LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING publication_id`.execute(db);
  return rows[0]?.publicationId;
}

/** Whether it still waits; held until the end of the transaction. */
export async function lockAsked(tx: Db, id: bigint): Promise<boolean> {
  const row = await tx
    .selectFrom('reservePublications')
    .select('status')
    .where('publicationId', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row?.status === 'asked';
}

export async function updatePublication(
  tx: Db,
  id: bigint,
  change:
    | { readonly status: 'published'; readonly publishedAt: Date; readonly venue: string }
    | { readonly status: 'failed'; readonly reason: string },
): Promise<void> {
  await tx.updateTable('reservePublications').set(change).where('publicationId', '=', id).execute();
}

export interface OwedSum {
  readonly accountId: bigint;
  readonly sum: bigint;
}

/** What every account has of a coin, and what belongs to nobody yet. The projections give both, as of their checkpoint. */
export async function listOwed(db: Db, coin: string, limit: number): Promise<OwedSum[]> {
  const { rows } = await sql<{ accountId: string; sum: string }>`
    SELECT account_id::text AS account_id, (available + held + pending_withdraw)::text AS sum
      FROM balances WHERE coin = ${coin}
    UNION ALL
    SELECT '0', coalesce((SELECT greatest(amount, 0) FROM venue_balances
                           WHERE owner = 'suspense' AND coin = ${coin}), 0)::text
    LIMIT ${limit}`.execute(db);
  return rows.map(({ accountId, sum }) => ({ accountId: BigInt(accountId), sum: BigInt(sum) }));
}

export async function readEngineSeq(db: Db): Promise<bigint> {
  const { rows } = await sql<{ seq: string }>`
    SELECT engine_seq::text AS seq FROM projection_checkpoints WHERE shard = 0`.execute(db);
  return BigInt(rows[0]?.seq ?? 0);
}

interface SnapshotKey {
  readonly publicationId: bigint;
  readonly coin: string;
}

export async function insertSnapshot(
  tx: Db,
  snapshot: SnapshotKey & {
    readonly engineSeq: bigint;
    readonly root: Uint8Array;
    readonly sum: bigint;
    readonly leaves: number;
  },
): Promise<void> {
  await tx
    .insertInto('reserveSnapshots')
    .values({
      ...snapshot,
      root: Buffer.from(snapshot.root),
      sum: snapshot.sum.toString(),
    })
    .execute();
}

/** Rows that one statement writes. */
const ROWS_AT_ONCE = 5000;

function* slices<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    yield rows.slice(from, from + ROWS_AT_ONCE);
  }
}

export interface StoredLeaf {
  readonly place: number;
  readonly accountId: bigint;
  readonly salt: Uint8Array;
  readonly sum: bigint;
}

export async function insertLeaves(
  tx: Db,
  { publicationId, coin }: SnapshotKey,
  leaves: readonly StoredLeaf[],
): Promise<void> {
  for (const some of slices(leaves)) {
    await sql`
      INSERT INTO reserve_leaves (publication_id, coin, place, account_id, salt, sum)
      SELECT ${publicationId}::bigint, ${coin}::text, v.* FROM unnest(
        ${some.map(({ place }) => place)}::int[], ${some.map(({ accountId }) => accountId.toString())}::bigint[],
        ${some.map(({ salt }) => Buffer.from(salt))}::bytea[],
        ${some.map(({ sum }) => sum.toString())}::numeric[]) AS v`.execute(tx);
  }
}

export interface StoredNode {
  readonly level: number;
  readonly place: number;
  readonly sum: bigint;
  readonly hash: Uint8Array;
}

export async function insertNodes(
  tx: Db,
  { publicationId, coin }: SnapshotKey,
  nodes: readonly StoredNode[],
): Promise<void> {
  for (const some of slices(nodes)) {
    await sql`
      INSERT INTO reserve_nodes (publication_id, coin, level, place, sum, hash)
      SELECT ${publicationId}::bigint, ${coin}::text, v.* FROM unnest(
        ${some.map(({ level }) => level)}::int[], ${some.map(({ place }) => place)}::int[],
        ${some.map(({ sum }) => sum.toString())}::numeric[],
        ${some.map(({ hash }) => Buffer.from(hash))}::bytea[]) AS v`.execute(tx);
  }
}

export async function insertChain(
  tx: Db,
  { publicationId, coin }: SnapshotKey,
  chain: {
    readonly network: string;
    readonly height: number;
    readonly blockHash: string;
    readonly decimals: number;
    readonly units: bigint;
    readonly holdings: ReadonlyMap<string, bigint>;
    /** By address; those of others are absent. */
    readonly signatures: ReadonlyMap<string, string>;
  },
): Promise<void> {
  const { holdings, signatures, units, ...rest } = chain;
  const key = { publicationId, coin };
  await tx
    .insertInto('reserveChains')
    .values({ ...key, ...rest, units: units.toString() })
    .execute();
  for (const some of slices([...holdings])) {
    await tx
      .insertInto('reserveAddresses')
      .values(
        some.map(([address, held]) => ({
          ...key,
          network: chain.network,
          address,
          units: held.toString(),
          signature: signatures.get(address) ?? '',
        })),
      )
      .execute();
  }
}

export interface Publication {
  readonly publicationId: bigint;
  readonly publishedAt: Date;
  readonly venue: string;
}

export async function findNewest(db: Db): Promise<Publication | undefined> {
  const row = await db
    .selectFrom('reservePublications')
    .select(['publicationId', 'publishedAt', 'venue'])
    .where('status', '=', 'published')
    .orderBy('publicationId', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined || row.publishedAt === null) return undefined;
  return { ...row, publishedAt: row.publishedAt };
}

export interface StoredSnapshot {
  readonly coin: string;
  readonly engineSeq: bigint;
  readonly root: Buffer;
  readonly sum: bigint;
  readonly leaves: number;
}

const SNAPSHOT = ['coin', 'engineSeq', 'root', 'sum', 'leaves'] as const;
const toSnapshot = (row: Omit<StoredSnapshot, 'sum'> & { readonly sum: string }) => ({
  ...row,
  sum: BigInt(row.sum),
});

/** By coin; the number of coins bounds the list. */
export async function listSnapshots(db: Db, publicationId: bigint): Promise<StoredSnapshot[]> {
  const rows = await db
    .selectFrom('reserveSnapshots')
    .select(SNAPSHOT)
    .where('publicationId', '=', publicationId)
    .orderBy('coin')
    .execute();
  return rows.map(toSnapshot);
}

export interface StoredChain {
  readonly coin: string;
  readonly network: string;
  readonly height: number;
  readonly blockHash: string;
  readonly decimals: number;
  readonly units: bigint;
}

export async function listChains(db: Db, publicationId: bigint): Promise<StoredChain[]> {
  const rows = await db
    .selectFrom('reserveChains')
    .select(['coin', 'network', 'height', 'blockHash', 'decimals', 'units'])
    .where('publicationId', '=', publicationId)
    .orderBy('coin')
    .orderBy('network')
    .execute();
  return rows.map((row) => ({ ...row, units: BigInt(row.units) }));
}

/** In the order of the addresses, from the one after `after` on. */
export async function listReserveAddresses(
  db: Db,
  { publicationId, coin }: SnapshotKey,
  {
    network,
    after,
    limit,
  }: { readonly network: string; readonly after: string; readonly limit: number },
): Promise<{ readonly address: string; readonly units: bigint; readonly signature: string }[]> {
  const rows = await db
    .selectFrom('reserveAddresses')
    .select(['address', 'units', 'signature'])
    .where('publicationId', '=', publicationId)
    .where('coin', '=', coin)
    .where('network', '=', network)
    .where('address', '>', after)
    .orderBy('address')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, units: BigInt(row.units) }));
}

export async function findLeaf(
  db: Db,
  { publicationId, coin }: SnapshotKey,
  accountId: bigint,
): Promise<StoredLeaf | undefined> {
  const row = await db
    .selectFrom('reserveLeaves')
    .select(['place', 'accountId', 'salt', 'sum'])
    .where('publicationId', '=', publicationId)
    .where('coin', '=', coin)
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  return row && { ...row, sum: BigInt(row.sum) };
}

/** Nodes of a tree, each by its level and its place there. */
export async function listNodes(
  db: Db,
  { publicationId, coin }: SnapshotKey,
  places: readonly { readonly level: number; readonly place: number }[],
): Promise<StoredNode[]> {
  const { rows } = await sql<Omit<StoredNode, 'sum'> & { sum: string }>`
    SELECT n.level, n.place, n.sum::text AS sum, n.hash FROM reserve_nodes n
      JOIN unnest(${places.map(({ level }) => level)}::int[], ${places.map(({ place }) => place)}::int[])
        AS v(level, place) ON v.level = n.level AND v.place = n.place
     WHERE n.publication_id = ${publicationId} AND n.coin = ${coin}`.execute(db);
  return rows.map((row) => ({ ...row, sum: BigInt(row.sum) }));
}
