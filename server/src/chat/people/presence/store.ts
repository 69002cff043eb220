// The rows of presence.
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import type { Presence } from './rules.ts';

export async function findPresence(db: Db, userId: number): Promise<Presence | undefined> {
  return db
    .selectFrom('presences')
    .select(['lastActive', 'lastConnected'])
    .where('userId', '=', userId)
    .executeTakeFirst();
}

/** Writes presences under one number; the last of each person counts. */
export async function writePresences(
  tx: Db,
  presences: ReadonlyMap<number, Presence>,
): Promise<void> {
  const rows = [...presences];
  await sql`
    WITH head AS (
      UPDATE presence_head SET last_update_id = last_update_id + 1 RETURNING last_update_id
    )
    INSERT INTO presences (user_id, last_active, last_connected, update_id)
    SELECT given.*, head.last_update_id
      FROM head, unnest(${rows.map(([userId]) => userId)}::int[],
                        ${rows.map(([, { lastActive }]) => lastActive)}::timestamptz[],
                        ${rows.map(([, { lastConnected }]) => lastConnected)}::timestamptz[]) AS given
    ON CONFLICT (user_id) DO UPDATE
       SET last_active = EXCLUDED.last_active, last_connected = EXCLUDED.last_connected,
           update_id = EXCLUDED.update_id`.execute(tx);
}

export interface PresenceRow extends Presence {
  readonly userId: number;
  readonly email: string;
  readonly emailVisibility: number;
  readonly dateJoined: Date;
}

/** Active people, without bots. */
export async function listPresences(
  db: Db,
  { since, after }: { readonly since: Date; readonly after: number | undefined },
): Promise<PresenceRow[]> {
  let query = db
    .selectFrom('presences')
    .innerJoin('users', 'users.id', 'presences.userId')
    .select([
      'users.id as userId',
      'users.email',
      'users.emailVisibility',
      'users.dateJoined',
      'presences.lastActive',
      'presences.lastConnected',
    ])
    .where('users.isActive', '=', true)
    .where('users.botType', 'is', null)
    .orderBy('users.id');
  query =
    after === undefined
      ? query.where('presences.lastConnected', '>=', since)
      : query.where('presences.updateId', '>', BigInt(after));
  return query.execute();
}

/** The number of the newest change, 0 without one. All changes up to it are visible. */
export async function findLastUpdate(db: Db): Promise<number> {
  const { lastUpdateId } = await db
    .selectFrom('presenceHead')
    .select('lastUpdateId')
    .executeTakeFirstOrThrow();
  return Number(lastUpdateId);
}
