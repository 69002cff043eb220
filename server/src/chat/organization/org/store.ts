// Reads and writes the one row of the organization.
import { sql } from 'kysely';
import type { AuthenticationMethod } from '../../../accounts/organization.ts';
import type { Db } from '../../../platform/db/pool.ts';

type Stored = Readonly<Record<string, unknown>>;

export interface StoredOrganization {
  readonly waitingPeriodDays: number;
  /** The ways to sign in that are switched off. */
  readonly methodsOff: readonly AuthenticationMethod[];
  readonly settings: Stored;
  readonly userDefaults: Stored;
}

export async function readStored(db: Db): Promise<StoredOrganization> {
  const row = await db
    .selectFrom('organization')
    .select(['waitingPeriodDays', 'authenticationMethodsOff', 'settings', 'userDefaults'])
    .executeTakeFirstOrThrow();
  return {
    waitingPeriodDays: row.waitingPeriodDays,
    // The table's check constraint guarantees the names.
    methodsOff: row.authenticationMethodsOff as AuthenticationMethod[],
    settings: row.settings as Stored,
    userDefaults: row.userDefaults as Stored,
  };
}

/** Like `readStored`, but locked until the transaction ends. */
export async function lockStored(tx: Db): Promise<StoredOrganization> {
  await sql`SELECT FROM organization FOR UPDATE`.execute(tx);
  return readStored(tx);
}

export async function updateSettings(tx: Db, settings: Stored): Promise<void> {
  await tx
    .updateTable('organization')
    .set({ settings: sql`${JSON.stringify(settings)}::jsonb` })
    .execute();
}

export async function updateUserDefaults(tx: Db, settings: Stored): Promise<void> {
  await tx
    .updateTable('organization')
    .set({ userDefaults: sql`${JSON.stringify(settings)}::jsonb` })
    .execute();
}
