import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import type { AddressRow } from './address.ts';

const COLUMNS = [
  'id',
  'network',
  'purpose',
  'accountId',
  'index',
  'address',
  'memo',
  'proof',
  'createdAt',
] as const;

/** The newest deposit address of an account. */
export async function findNewestAddress(
  db: Db,
  network: string,
  accountId: bigint,
): Promise<AddressRow | undefined> {
  return db
    .selectFrom('custodyAddresses')
    .select(COLUMNS)
    .where('network', '=', network)
    .where('accountId', '=', accountId)
    .where('purpose', '=', 'deposit')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export async function countAddresses(db: Db, network: string, accountId: bigint): Promise<number> {
  const { count } = await db
    .selectFrom('custodyAddresses')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('network', '=', network)
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Draws the next number. */
export async function drawIndex(tx: Db, network: string): Promise<number | undefined> {
  const { rows } = await sql<{ index: number }>`
    UPDATE custody_counters SET next_index = next_index + 1 WHERE network = ${network}
    RETURNING next_index - 1 AS index`.execute(tx);
  return rows[0]?.index;
}

/** Holds the counter of the network, so that one request at a time decides about its addresses. */
export async function lockCounter(tx: Db, network: string): Promise<void> {
  await sql`SELECT FROM custody_counters WHERE network = ${network} FOR UPDATE`.execute(tx);
}

export async function insertAddress(
  tx: Db,
  row: Omit<AddressRow, 'id' | 'createdAt'>,
): Promise<AddressRow> {
  return tx.insertInto('custodyAddresses').values(row).returning(COLUMNS).executeTakeFirstOrThrow();
}

/** Those that our keys can spend from among these addresses: deposit addresses, and change. */
export async function listOwnAddresses(
  db: Db,
  network: string,
  addresses: readonly string[],
): Promise<Pick<AddressRow, 'address' | 'purpose' | 'index'>[]> {
  if (addresses.length === 0) return [];
  return db
    .selectFrom('custodyAddresses')
    .select(['address', 'purpose', 'index'])
    .where('network', '=', network)
    .where('purpose', 'in', ['deposit', 'change'])
    .where('address', '=', sql<string>`ANY(${[...new Set(addresses)]}::text[])`)
    .execute();
}

/** Those of the venue among these addresses, whatever their memo. */
export async function listAddresses(
  db: Db,
  network: string,
  addresses: readonly string[],
): Promise<AddressRow[]> {
  if (addresses.length === 0) return [];
  return db
    .selectFrom('custodyAddresses')
    .select(COLUMNS)
    .where('network', '=', network)
    .where('purpose', '=', 'deposit')
    .where('address', '=', sql<string>`ANY(${[...new Set(addresses)]}::text[])`)
    .execute();
}

/** Every address of the venue on a network, in order; one page. */
export async function pageVenueAddresses(
  db: Db,
  network: string,
  { after, limit }: { readonly after: bigint; readonly limit: number },
): Promise<AddressRow[]> {
  return db
    .selectFrom('custodyAddresses')
    .select(COLUMNS)
    .where('network', '=', network)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** An address that is known already stays as it is. */
export async function insertAddressOnce(
  tx: Db,
  row: Omit<AddressRow, 'id' | 'createdAt'>,
): Promise<void> {
  await tx
    .insertInto('custodyAddresses')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
