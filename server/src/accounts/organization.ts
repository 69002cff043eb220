// The few settings of the organization that accounts need. Chat owns the row; accounts cannot ask chat for it.
import { sql } from 'kysely';
import type { Db } from '../platform/db/pool.ts';

/** What the organization calls itself, if it chose. */
export async function readOrganizationName(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ name: string | null }>`
    SELECT settings->>'name' AS name FROM organization`.execute(db);
  return rows[0]?.name ?? undefined;
}

/** The language code of people who chose none. */
export async function readOrganizationLanguage(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ language: string | null }>`
    SELECT settings->>'default_language' AS language FROM organization`.execute(db);
  return rows[0]?.language ?? undefined;
}

/** How many days a new member waits to become a full one. */
export async function readWaitingDays(db: Db): Promise<number> {
  const row = await db
    .selectFrom('organization')
    .select('waitingPeriodDays')
    .executeTakeFirstOrThrow();
  return row.waitingPeriodDays;
}

export async function updateWaitingDays(tx: Db, waitingPeriodDays: number): Promise<void> {
  await tx.updateTable('organization').set({ waitingPeriodDays }).execute();
}

/** Of whom a second factor is asked, if the organization chose. */
export async function readSecondFactorRule(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ rule: string | null }>`
    SELECT settings->>'second_factor_required' AS rule FROM organization`.execute(db);
  return rows[0]?.rule ?? undefined;
}

export const AUTHENTICATION_METHODS = ['Email', 'LDAP', 'OpenID Connect'] as const;
export type AuthenticationMethod = (typeof AUTHENTICATION_METHODS)[number];

/** Which ways to sign in the organization has switched off. */
export async function readMethodsOff(db: Db): Promise<AuthenticationMethod[]> {
  const row = await db
    .selectFrom('organization')
    .select('authenticationMethodsOff')
    .executeTakeFirstOrThrow();
  // The table's check constraint guarantees the names.
  return row.authenticationMethodsOff as AuthenticationMethod[];
}

export async function updateMethodsOff(
  tx: Db,
  off: readonly AuthenticationMethod[],
): Promise<void> {
  await tx
    .updateTable('organization')
    .set({ authenticationMethodsOff: [...off] })
    .execute();
}
