// Reads the stored settings that decide who may know of a channel and who may read it.
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import type { ChannelRights } from './events.ts';

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
 * The rights of one channel, or of all. Deactivated people are included: a node may not
 * notice when somebody comes back.
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
