import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';

export async function insertLink(
  tx: Db,
  link: { lookup: Buffer; purpose: string; userId: number; hours: number },
): Promise<void> {
  await sql`
    INSERT INTO mailed_links (lookup, purpose, user_id, expires_at)
    VALUES (${link.lookup}, ${link.purpose}, ${link.userId}, now() + ${link.hours} * interval '1 hour')`.execute(
    tx,
  );
}

export async function findOpenLink(db: Db, lookup: Buffer): Promise<number | undefined> {
  const { rows } = await sql<{ userId: number }>`
    SELECT user_id FROM mailed_links
     WHERE lookup = ${lookup} AND used_at IS NULL AND expires_at > now()`.execute(db);
  return rows[0]?.userId;
}

/** Whoever comes first gets it, by one statement. */
export async function closeLink(tx: Db, lookup: Buffer): Promise<number | undefined> {
  const { rows } = await sql<{ userId: number }>`
    UPDATE mailed_links SET used_at = now()
     WHERE lookup = ${lookup} AND used_at IS NULL AND expires_at > now()
    RETURNING user_id`.execute(tx);
  return rows[0]?.userId;
}

export async function deleteLinksOlder(db: Db, days: number): Promise<number> {
  const { rows } = await sql`
    DELETE FROM mailed_links WHERE expires_at < now() - ${days} * interval '1 day' RETURNING 1`.execute(
    db,
  );
  return rows.length;
}
