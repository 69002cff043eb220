import { findUser } from '../../../accounts/users/access.ts';
import type { Db } from '../../../platform/db/pool.ts';

/** The addresses of operators, who are few. */
export async function emailsOf(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const emails = new Map<number, string>();
  for (const id of new Set(ids)) emails.set(id, (await findUser(db, id))?.email ?? '');
  return emails;
}
