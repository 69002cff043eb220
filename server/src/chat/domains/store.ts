import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import type { Domain } from './events.ts';

/** By name, as bytes compare and not as languages do. */
export async function listDomains(db: Db): Promise<Domain[]> {
  const rows = await db
    .selectFrom('domains')
    .selectAll()
    .orderBy(sql`domain COLLATE "C"`)
    .execute();
  return rows.map(({ domain, allowsSubdomains }) => ({
    domain,
    allow_subdomains: allowsSubdomains,
  }));
}

export async function lockDomains(tx: Tx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('rialto.domains'))`.execute(tx);
}

/** Returns its number. */
export async function insertDomain(tx: Tx, given: Domain): Promise<number> {
  const { id } = await tx
    .insertInto('domains')
    .values({ domain: given.domain, allowsSubdomains: given.allow_subdomains })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** False unless it was there. */
export async function updateDomain(tx: Tx, given: Domain): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('domains')
    .set({ allowsSubdomains: given.allow_subdomains })
    .where('domain', '=', given.domain)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** False unless it was there. */
export async function deleteDomain(tx: Tx, domain: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('domains')
    .where('domain', '=', domain)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}
