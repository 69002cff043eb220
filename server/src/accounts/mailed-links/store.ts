import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';

export interface NewLink {
  readonly lookup: Buffer;
  readonly purpose: string;
  readonly userId: number;
  readonly hours: number;
  /** The address that its owner must still have; null for a link that does not depend on it. */
  readonly email: string | null;
}

export async function insertMailedLink(tx: Db, link: NewLink): Promise<void> {
  await sql`
    INSERT INTO mailed_links (lookup, purpose, user_id, email, expires_at)
    VALUES (${link.lookup}, ${link.purpose}, ${link.userId}, ${link.email},
            now() + ${link.hours} * interval '1 hour')`.execute(tx);
}

/** A link of somebody who has no account yet: it belongs to an address. */
export async function insertRegistration(
  tx: Db,
  link: { readonly lookup: Buffer; readonly email: string; readonly hours: number },
): Promise<void> {
  await sql`
    INSERT INTO mailed_links (lookup, purpose, email, expires_at)
    VALUES (${link.lookup}, 'register', ${link.email}, now() + ${link.hours} * interval '1 hour')`.execute(
    tx,
  );
}

export async function findRegistration(db: Db, lookup: Buffer): Promise<string | undefined> {
  const { rows } = await sql<{ email: string }>`
    SELECT email FROM mailed_links
     WHERE lookup = ${lookup} AND purpose = 'register' AND used_at IS NULL AND expires_at > now()`.execute(
    db,
  );
  return rows[0]?.email;
}

/** The first caller gets it, by one statement. */
export async function closeRegistration(tx: Db, lookup: Buffer): Promise<string | undefined> {
  const { rows } = await sql<{ email: string }>`
    UPDATE mailed_links SET used_at = now()
     WHERE lookup = ${lookup} AND purpose = 'register' AND used_at IS NULL AND expires_at > now()
    RETURNING email`.execute(tx);
  return rows[0]?.email;
}

/** Used or not, those whose time is not over. Counts under a lock, so that many at once cannot exceed a limit. */
export async function countRegistrations(tx: Db): Promise<number> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('rialto.registrations'))`.execute(tx);
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM mailed_links
     WHERE purpose = 'register' AND expires_at > now()`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** Neither used nor expired, and its owner has the address that it was made for. */
const IS_OPEN = sql`
  l.used_at IS NULL AND l.expires_at > now() AND (l.email IS NULL OR lower(l.email) = lower(u.email))`;

export async function findOpenLink(db: Db, lookup: Buffer): Promise<number | undefined> {
  const { rows } = await sql<{ userId: number }>`
    SELECT l.user_id FROM mailed_links l JOIN users u ON u.id = l.user_id
     WHERE l.lookup = ${lookup} AND ${IS_OPEN}`.execute(db);
  return rows[0]?.userId;
}

/** The first caller gets it, by one statement. */
export async function closeLink(tx: Db, lookup: Buffer): Promise<number | undefined> {
  const { rows } = await sql<{ userId: number }>`
    UPDATE mailed_links l SET used_at = now() FROM users u
     WHERE u.id = l.user_id AND l.lookup = ${lookup} AND ${IS_OPEN}
    RETURNING l.user_id`.execute(tx);
  return rows[0]?.userId;
}

export async function closeLinksOf(tx: Db, userId: number, purpose: string): Promise<void> {
  await sql`
    UPDATE mailed_links SET used_at = now()
     WHERE user_id = ${userId} AND purpose = ${purpose} AND used_at IS NULL`.execute(tx);
}

export async function deleteLinksOlder(db: Db, days: number): Promise<number> {
  const { rows } = await sql`
    DELETE FROM mailed_links WHERE expires_at < now() - ${days} * interval '1 day' RETURNING 1`.execute(
    db,
  );
  return rows.length;
}
