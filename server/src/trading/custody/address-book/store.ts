import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import type { BookEntry, NewEntry } from './entry.ts';

const COLUMNS = [
  'id',
  'familyId',
  'coin',
  'network',
  'address',
  'memo',
  'label',
  'usableAt',
  'createdAt',
  'proof',
] as const;

/** Lets one request at a time decide about the book of a family. */
export async function lockBook(tx: Db, familyId: bigint): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`address book ${familyId}`}::text, 0))`.execute(
    tx,
  );
}

/** The entries of a family, the oldest first; `limit` is above what a family may have. */
export async function listEntries(
  db: Db,
  familyId: bigint,
  { coin, limit }: { readonly coin?: string | undefined; readonly limit: number },
): Promise<BookEntry[]> {
  let query = db
    .selectFrom('withdrawAddresses')
    .select(COLUMNS)
    .where('familyId', '=', familyId)
    .where('removedAt', 'is', null);
  if (coin !== undefined) query = query.where('coin', '=', coin);
  return query.orderBy('id').limit(limit).execute();
}

export async function findEntry(
  db: Db,
  familyId: bigint,
  id: bigint,
): Promise<BookEntry | undefined> {
  return db
    .selectFrom('withdrawAddresses')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('familyId', '=', familyId)
    .where('removedAt', 'is', null)
    .executeTakeFirst();
}

/** Also those that were removed since. */
export async function listEntriesByIds(
  db: Db,
  ids: readonly bigint[],
): Promise<(BookEntry & { readonly removedAt: Date | null })[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('withdrawAddresses')
    .select(COLUMNS)
    .select('removedAt')
    .where('id', 'in', [...ids])
    .execute();
}

export async function findEntryOf(
  db: Db,
  {
    familyId,
    coin,
    network,
    address,
    memo,
  }: Pick<NewEntry, 'familyId' | 'coin' | 'network' | 'address' | 'memo'>,
): Promise<BookEntry | undefined> {
  return db
    .selectFrom('withdrawAddresses')
    .select(COLUMNS)
    .where('familyId', '=', familyId)
    .where('coin', '=', coin)
    .where('network', '=', network)
    .where('address', '=', address)
    .where('memo', '=', memo)
    .where('removedAt', 'is', null)
    .executeTakeFirst();
}

export async function countEntries(db: Db, familyId: bigint, network: string): Promise<number> {
  const { count } = await db
    .selectFrom('withdrawAddresses')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('familyId', '=', familyId)
    .where('network', '=', network)
    .where('removedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function insertEntry(tx: Db, row: NewEntry & { proof: Buffer }): Promise<BookEntry> {
  return tx
    .insertInto('withdrawAddresses')
    .values(row)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

/** Only a living entry; a removed one stays for the withdrawals that name it. */
export async function updateRemoved(tx: Db, id: bigint, at: Date): Promise<void> {
  await tx
    .updateTable('withdrawAddresses')
    .set({ removedAt: at })
    .where('id', '=', id)
    .where('removedAt', 'is', null)
    .execute();
}
