// Questions of other features about people that need less than whole people.
import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
import { isRowId } from '../../platform/std/ids.ts';

export interface NamedPerson {
  readonly id: number;
  readonly fullName: string;
  readonly isActive: boolean;
}

/** People by id or by full name, whatever the case of the letters; by id, at most `limit`. */
export async function listNamed(
  db: Db,
  { ids, names }: { readonly ids: readonly number[]; readonly names: readonly string[] },
  limit: number,
): Promise<NamedPerson[]> {
  const { rows } = await sql<NamedPerson>`
    SELECT id, full_name, is_active FROM users
     WHERE id = ANY (${ids.filter(isRowId)}::int[])
        OR lower(full_name) IN (SELECT lower(n) FROM unnest(${[...names]}::text[]) n)
     ORDER BY id LIMIT ${limit}`.execute(db);
  return rows;
}

/** Whether the bot belongs to the person. */
export async function isOwnBot(db: Db, ownerId: number, botId: number): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', botId)
    .where('botOwnerId', '=', ownerId)
    .where('botType', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

export async function countActiveBots(db: Db, ownerId: number): Promise<number> {
  const { bots } = await db
    .selectFrom('users')
    .select((e) => e.fn.countAll<bigint>().as('bots'))
    .where('botOwnerId', '=', ownerId)
    .where('isActive', '=', true)
    .executeTakeFirstOrThrow();
  return Number(bots);
}

/** Whether there are more than `limit` active people; counted no further. */
export async function hasMorePeople(db: Db, limit: number): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM users WHERE is_active AND bot_type IS NULL OFFSET ${limit} LIMIT 1`.execute(db);
  return rows.length > 0;
}
