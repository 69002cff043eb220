// What somebody is told of people whom they did not know before, besides who they are.
import type { ProfileData } from '../../../accounts/users/events.ts';
import type { Db } from '../../../platform/db/pool.ts';
import { readProfiles } from '../profiles/access.ts';
import { statusChanged, type StatusChanged } from './events.ts';
import { statusObject } from './state.ts';
import { listStatuses } from './store.ts';

export interface Introductions {
  readonly profiles: ReadonlyMap<number, ProfileData>;
  /** As the events that tell them. */
  readonly statuses: ReadonlyMap<number, StatusChanged>;
}

export async function readIntroductions(
  db: Db,
  userIds: readonly number[],
): Promise<Introductions> {
  const rows = await listStatuses(db, userIds);
  return {
    profiles: await readProfiles(db, userIds),
    statuses: new Map(
      rows.map((row) => [row.userId, statusChanged(row.userId, statusObject(row, row.isAway))]),
    ),
  };
}
