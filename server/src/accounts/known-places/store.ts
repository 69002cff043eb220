// Devices and addresses from which people have signed in.
import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
import type { User } from '../user.ts';

/** The owners of the device, among those who match the name. */
export async function findDeviceOwner(
  db: Db,
  given: { tokenLookup: Buffer; name: string; nameLookup: Buffer; days: number },
): Promise<number | undefined> {
  const { rows } = await sql<{ userId: number }>`
    SELECT d.user_id FROM known_devices d JOIN users u ON u.id = d.user_id
     WHERE d.token_lookup = ${given.tokenLookup}
       AND d.last_used_at > now() - ${given.days} * interval '1 day'
       AND (lower(u.email) = ${given.name} OR d.name_lookup = ${given.nameLookup})
     LIMIT 1`.execute(db);
  return rows[0]?.userId;
}

/** Who has signed in from the address, among those who match the name. */
export async function findAddressOwner(
  db: Db,
  given: { address: string; name: string; nameLookup: Buffer; days: number },
): Promise<number | undefined> {
  const { rows } = await sql<{ userId: number }>`
    SELECT a.user_id FROM known_addresses a
     WHERE a.address = ${given.address}
       AND a.last_success_at > now() - ${given.days} * interval '1 day'
       AND a.user_id IN (SELECT id FROM users WHERE lower(email) = ${given.name}
                         UNION ALL
                         SELECT user_id FROM known_addresses WHERE name_lookup = ${given.nameLookup})
     LIMIT 1`.execute(db);
  return rows[0]?.userId;
}

export async function isDeviceOf(
  db: Db,
  userId: number,
  tokenLookup: Buffer,
  days: number,
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM known_devices
     WHERE token_lookup = ${tokenLookup} AND user_id = ${userId}
       AND last_used_at > now() - ${days} * interval '1 day'`.execute(db);
  return rows.length > 0;
}

export async function upsertDevice(
  tx: Db,
  { id }: Pick<User, 'id'>,
  tokenLookup: Buffer,
  nameLookup: Buffer | null,
): Promise<void> {
  await sql`
    INSERT INTO known_devices (token_lookup, user_id, name_lookup)
    VALUES (${tokenLookup}, ${id}, ${nameLookup})
    ON CONFLICT (token_lookup, user_id) DO UPDATE
      SET last_used_at = now(), name_lookup = coalesce(excluded.name_lookup, known_devices.name_lookup)`.execute(
    tx,
  );
}

/** Moves the other people known by a browser's old token to its new one, up to `max` per person. */
export async function copyDevices(
  tx: Db,
  { from, to, usersMax, max }: { from: Buffer; to: Buffer; usersMax: number; max: number },
): Promise<void> {
  await sql`
    INSERT INTO known_devices (token_lookup, user_id, name_lookup, last_used_at)
    SELECT ${to}, d.user_id, d.name_lookup, d.last_used_at FROM known_devices d
     WHERE d.token_lookup = ${from}
       AND (SELECT count(*) FROM known_devices o WHERE o.user_id = d.user_id) < ${max}
     ORDER BY d.last_used_at DESC LIMIT ${usersMax}
    ON CONFLICT DO NOTHING`.execute(tx);
}

/** Deletes a person's least recently used devices beyond `keep`. */
export async function deleteOldestDevices(tx: Db, userId: number, keep: number): Promise<void> {
  await sql`
    DELETE FROM known_devices WHERE user_id = ${userId} AND token_lookup IN (
      SELECT token_lookup FROM known_devices WHERE user_id = ${userId}
       ORDER BY last_used_at DESC, token_lookup OFFSET ${keep})`.execute(tx);
}

export async function upsertAddress(
  tx: Db,
  { id }: Pick<User, 'id'>,
  address: string,
  nameLookup: Buffer | null,
): Promise<void> {
  await sql`
    INSERT INTO known_addresses (user_id, address, name_lookup)
    VALUES (${id}, ${address}, ${nameLookup})
    ON CONFLICT (user_id, address) DO UPDATE
      SET last_success_at = now(), name_lookup = coalesce(excluded.name_lookup, known_addresses.name_lookup)`.execute(
    tx,
  );
}

export async function deleteOldestAddresses(tx: Db, userId: number, keep: number): Promise<void> {
  await sql`
    DELETE FROM known_addresses WHERE user_id = ${userId} AND address IN (
      SELECT address FROM known_addresses WHERE user_id = ${userId}
       ORDER BY last_success_at DESC, address OFFSET ${keep})`.execute(tx);
}

export async function listAddressesOf(db: Db, userId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('knownAddresses')
    .select('address')
    .where('userId', '=', userId)
    .orderBy('lastSuccessAt', 'desc')
    .execute();
  return rows.map(({ address }) => address);
}

export async function listDeviceLookups(db: Db, userId: number): Promise<Buffer[]> {
  const rows = await db
    .selectFrom('knownDevices')
    .select('tokenLookup')
    .where('userId', '=', userId)
    .execute();
  return rows.map(({ tokenLookup }) => tokenLookup);
}

export async function countDevicesOf(db: Db, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('knownDevices')
    .select((e) => e.fn.countAll<bigint>().as('count'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Removes expired entries; returns how many rows. */
export async function deletePlacesOlder(
  db: Db,
  { deviceDays, addressDays }: { deviceDays: number; addressDays: number },
): Promise<number> {
  const { rows } = await sql`
    WITH old_devices AS (
      DELETE FROM known_devices WHERE last_used_at <= now() - ${deviceDays} * interval '1 day' RETURNING 1
    ), addresses AS (
      DELETE FROM known_addresses WHERE last_success_at <= now() - ${addressDays} * interval '1 day' RETURNING 1
    ) SELECT FROM old_devices UNION ALL SELECT FROM addresses`.execute(db);
  return rows.length;
}
