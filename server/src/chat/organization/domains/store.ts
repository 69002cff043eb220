// Reads and writes the email domains that may join.
import type { Db } from '../../../platform/db/pool.ts';
import type { Domain } from './events.ts';

/** Sorted by name. */
export async function listDomains(db: Db): Promise<Domain[]> {
  const rows = await db.selectFrom('emailDomains').selectAll().orderBy('domain').execute();
  return rows.map(({ domain, allowsSubdomains }) => ({
    domain,
    allow_subdomains: allowsSubdomains,
  }));
}

/** Returns false when it exists already. */
export async function insertDomain(tx: Db, { domain, allow_subdomains }: Domain): Promise<boolean> {
  const row = await tx
    .insertInto('emailDomains')
    .values({ domain, allowsSubdomains: allow_subdomains })
    .onConflict((conflict) => conflict.doNothing())
    .returning('domain')
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns false when it does not exist. */
export async function updateDomain(tx: Db, { domain, allow_subdomains }: Domain): Promise<boolean> {
  const row = await tx
    .updateTable('emailDomains')
    .set({ allowsSubdomains: allow_subdomains })
    .where('domain', '=', domain)
    .returning('domain')
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteDomain(tx: Db, domain: string): Promise<boolean> {
  const row = await tx
    .deleteFrom('emailDomains')
    .where('domain', '=', domain)
    .returning('domain')
    .executeTakeFirst();
  return row !== undefined;
}
