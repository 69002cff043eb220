// What a node reads before it follows the log: rights as of one moment.
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import { parseSnapshot, type Snapshot } from '../../../platform/db/snapshot.ts';
import type { ChannelRights } from '../../conversations/channel-rights/events.ts';

/** The moment of a reading: the head of the log, and the transactions that were visible. */
export interface Moment {
  readonly position: number;
  readonly snapshot: Snapshot;
}

/** Must be the first statement of a REPEATABLE READ transaction, so that it describes the others. */
export async function readMoment(tx: Db): Promise<Moment> {
  const { rows } = await sql<MomentRow>`
    SELECT position, pg_current_snapshot()::text AS snapshot FROM event_head`.execute(tx);
  const row = rows[0];
  if (row === undefined) throw new Error('event_head has no row; run: rialto migrate');
  return toMoment(row);
}

interface MomentRow {
  readonly position: bigint;
  readonly snapshot: string;
}

const toMoment = ({ position, snapshot }: MomentRow): Moment => ({
  position: Number(position),
  snapshot: parseSnapshot(snapshot),
});

/** Pairs of a group and a group in it. */
export async function listNesting(
  tx: Db,
): Promise<{ readonly groupId: number; readonly subgroupId: number }[]> {
  return tx.selectFrom('userGroupSubgroups').select(['groupId', 'subgroupId']).execute();
}

interface RightsRow {
  readonly id: number;
  readonly inviteOnly: boolean;
  readonly isWebPublic: boolean;
  readonly historyPublicToSubscribers: boolean;
  readonly isArchived: boolean;
  readonly settings: Readonly<Record<string, { members: number[]; subgroups: number[] }>> | null;
}

const NOBODY = { direct_members: [], direct_subgroups: [] };

/**
 * The rights of one channel, or of all. People are named here whether they are active or not: a node may
 * not know when somebody comes back.
 */
export async function listChannelRights(
  db: Db,
  channelId?: number,
): Promise<Map<number, ChannelRights>> {
  const one = channelId === undefined ? sql`` : sql`WHERE c.id = ${channelId}`;
  const { rows } = await sql<RightsRow>`
    SELECT c.id, c.invite_only, c.is_web_public, c.history_public_to_subscribers, c.is_archived,
           (SELECT jsonb_object_agg(p.setting, jsonb_build_object(
                                      'members', p.members, 'subgroups', p.subgroups))
              FROM permission_settings p
             WHERE p.kind = 'channel' AND p.object_id = c.id
               AND p.setting IN ('can_administer_channel_group', 'can_add_subscribers_group',
                                 'can_subscribe_group')) AS settings
      FROM channels c ${one}`.execute(db);
  return new Map(rows.map((row) => [row.id, toRights(row)]));
}

function toRights(row: RightsRow): ChannelRights {
  const valueOf = (setting: string) => {
    const parts = row.settings?.[setting];
    return parts === undefined
      ? NOBODY
      : { direct_members: parts.members, direct_subgroups: parts.subgroups };
  };
  return {
    invite_only: row.inviteOnly,
    is_web_public: row.isWebPublic,
    history_public_to_subscribers: row.historyPublicToSubscribers,
    is_archived: row.isArchived,
    can_administer_channel_group: valueOf('can_administer_channel_group'),
    can_add_subscribers_group: valueOf('can_add_subscribers_group'),
    can_subscribe_group: valueOf('can_subscribe_group'),
  };
}

export interface PersonRow {
  readonly role: number;
  readonly isActive: boolean;
  /** Those of which the person is a direct member. */
  readonly groupIds: readonly number[];
  readonly subscriptions: readonly {
    readonly channelId: number;
    readonly isActive: boolean;
    readonly received: string;
  }[];
}

/** The person, and the moment of which this is true, in one statement, which is one snapshot. */
export async function readPersonNow(
  db: Db,
  userId: number,
): Promise<{ readonly moment: Moment; readonly found: PersonRow | undefined }> {
  const { rows } = await sql<MomentRow & { person: PersonRow | null }>`
    SELECT position, pg_current_snapshot()::text AS snapshot,
           (SELECT jsonb_build_object(
                     'role', u.role,
                     'isActive', u.is_active,
                     'groupIds', (SELECT coalesce(jsonb_agg(m.group_id), '[]')
                                    FROM user_group_members m WHERE m.user_id = u.id),
                     'subscriptions', (SELECT coalesce(jsonb_agg(jsonb_build_object(
                                                'channelId', s.channel_id,
                                                'isActive', s.is_active,
                                                'received', s.received::text)), '[]')
                                         FROM subscriptions s WHERE s.user_id = u.id))
              FROM users u WHERE u.id = ${userId}) AS person
      FROM event_head`.execute(db);
  const row = rows[0];
  if (row === undefined) throw new Error('event_head has no row; run: rialto migrate');
  return { moment: toMoment(row), found: row.person ?? undefined };
}
