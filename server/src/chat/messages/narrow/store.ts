import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import { isRowId } from '../../../platform/std/ids.ts';

/** The ids of these people, given by id or address, in the order given; undefined for one who is unknown. */
export async function findUserIds(
  db: Db,
  given: readonly (string | number)[],
): Promise<(number | undefined)[]> {
  const ids = given.filter((one) => typeof one === 'number').filter(isRowId);
  const emails = given.filter((one) => typeof one === 'string');
  const { rows } = await sql<{ id: number; email: string }>`
    SELECT id, lower(email) AS email FROM users
     WHERE id = ANY (${ids}::int[])
        OR lower(email) IN (SELECT lower(e) FROM unnest(${emails}::text[]) e)`.execute(db);
  const byId = new Set(rows.map(({ id }) => id));
  const byEmail = new Map(rows.map(({ id, email }) => [email, id]));
  return given.map((one) =>
    typeof one === 'number' ? (byId.has(one) ? one : undefined) : byEmail.get(one.toLowerCase()),
  );
}
