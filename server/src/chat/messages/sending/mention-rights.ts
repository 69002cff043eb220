// Whether the author of a text may mention the groups and the crowds in it.
import type { Db } from '../../../platform/db/pool.ts';
import { countSubscribersUpTo } from '../../conversations/subscribers/access.ts';
import { getGroup, permissionsIn, readGroupPermissions } from '../../rights/permissions/access.ts';
import {
  CROWD,
  canMentionGroup,
  canMentionMany,
  type Rights,
} from '../../rights/permissions/rights.ts';
import type { Mentions } from '../../text/markdown/env.ts';
import type { Target } from '../message/channels-for-reader.ts';
import {
  channelWildcardNotAllowed,
  groupMentionNotAllowed,
  topicWildcardNotAllowed,
} from '../message/errors.ts';
import { listParticipants } from '../message/store.ts';

export async function checkMentions(
  db: Db,
  rights: Rights,
  mentions: Mentions,
  target: Target,
): Promise<void> {
  if (mentions.groupIds.length > 0) {
    const table = await readGroupPermissions(db, mentions.groupIds);
    for (const id of mentions.groupIds) {
      const { name, isSystem } = await getGroup(db, id);
      const permissions = permissionsIn(table, id);
      if (!canMentionGroup(rights, { isSystem, permissions })) throw groupMentionNotAllowed(name);
    }
  }
  if (target.kind !== 'channel') return;
  const { channel, topic } = target;
  if (mentions.hasChannelWildcard) {
    const crowd = await countSubscribersUpTo(db, channel.channelId, CROWD + 1);
    if (!canMentionMany(rights, crowd)) throw channelWildcardNotAllowed();
  }
  if (mentions.hasTopicWildcard) {
    const crowd = await listParticipants(db, channel.conversationId, topic, CROWD + 1);
    if (!canMentionMany(rights, crowd.length)) throw topicWildcardNotAllowed();
  }
}
