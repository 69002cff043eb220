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
