// Reads the organization's settings, for every feature that depends on them.
import type { AuthenticationMethod } from '../../../accounts/organization.ts';
import type { Db } from '../../../platform/db/pool.ts';
import { ABOUT, remembered } from '../../../platform/facts/memory.ts';
import { readOrganizationPermissions } from '../../rights/permissions/access.ts';
import type { Permissions } from '../../rights/permissions/rights.ts';
import { completeRealm, type RealmValue } from './definitions.ts';
import { readStored } from './store.ts';

export interface Organization {
  /** By their API names, without `realm_`. */
  readonly settings: Readonly<Record<string, RealmValue>>;
  readonly permissions: Permissions<'realm'>;
  readonly waitingPeriodDays: number;
  /** The ways to sign in that are switched off. */
  readonly methodsOff: readonly AuthenticationMethod[];
  /** Initial settings of new users, where they differ from the defaults. */
  readonly userDefaults: Readonly<Record<string, unknown>>;
}

export async function readOrganization(
  db: Db,
  configured: { readonly ORGANIZATION_NAME: string },
): Promise<Organization> {
  const { settings, ...stored } = await readStored(db);
  return {
    ...stored,
    settings: completeRealm({ name: configured.ORGANIZATION_NAME, ...settings }),
    permissions: await readOrganizationPermissions(db),
  };
}

/** The settings only, for callers that need no permissions. */
export const readOrganizationSettings = (db: Db): Promise<Readonly<Record<string, RealmValue>>> =>
  remembered(db, 'organization', [ABOUT.everybody], async () =>
    completeRealm((await readStored(db)).settings),
  );
