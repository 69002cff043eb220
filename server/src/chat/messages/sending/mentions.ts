// Whom a text calls, and whether its author may call them.
import { listUsersById } from '../../../accounts/users/access.ts';
import type { BotType } from '../../../accounts/user.ts';
import type { Db } from '../../../platform/db/pool.ts';
import type { Mentions } from '../../text/markdown/env.ts';
import {
  getGroup,
  listGroupMembers,
  permissionsIn,
  readGroupPermissions,
} from '../../rights/permissions/access.ts';
import {
  CROWD,
  canBeCalled,
  canMentionGroup,
  canMentionMany,
  type Rights,
} from '../../rights/permissions/rights.ts';
import {
  countSubscribersUpTo,
  listSubscribedAmong,
} from '../../conversations/subscribers/access.ts';
import {
  channelWildcardNotAllowed,
  groupMentionNotAllowed,
  topicWildcardNotAllowed,
} from '../message/errors.ts';
import { listChannelFacts, type ChannelRef, type Target } from '../message/channels-for-reader.ts';
import { listParticipants } from '../message/store.ts';

export interface Mentioned {
  /** Those whom the message reaches and who are called by name or as part of a group. */
  readonly told: readonly number[];
  /** Those who are called by name, whether the message reaches them or not. */
  readonly personally: readonly number[];
  /** Those who are called as having taken part in the topic. */
  readonly inTopic: readonly number[];
}

/** More than this many take part in no topic that anybody calls together. */
const PARTICIPANTS_MAX = 10_000;

export async function findMentioned(
  db: Db,
  mentions: Mentions,
  target: Target<ChannelRef>,
): Promise<Mentioned> {
  const { userIds, groupIds, hasTopicWildcard } = mentions;
  const called = new Set(userIds);
  if (groupIds.length > 0) {
    for (const id of await listGroupMembers(db, ...groupIds)) called.add(id);
  }
  const inTopic =
    hasTopicWildcard && target.kind === 'channel'
      ? await listParticipants(db, target.channel.conversationId, target.topic, PARTICIPANTS_MAX)
      : [];
  return {
    told: await listReached(db, [...called], target),
    personally: userIds,
    inTopic: await listReached(db, inTopic, target),
  };
}

/** Those of `userIds` whom the message reaches. */
export async function listReached(
  db: Db,
  userIds: readonly number[],
  target: Target<ChannelRef>,
): Promise<number[]> {
  if (userIds.length === 0) return [];
  if (target.kind === 'direct') return userIds.filter((id) => target.people.includes(id));
  return listSubscribedAmong(db, target.channel.channelId, userIds);
}

/** Bots that act when they are called; one that only posts what a webhook brings has nobody who would hear it. */
const CALLABLE: readonly BotType[] = [1, 3];

/**
 * Bots outside the channel that are called by name, and may be called there. Neither a group nor everybody calls a bot
 * from outside: whoever writes those words thinks of people.
 */
export async function listCallable(
  db: Db,
  senderId: number,
  { userIds }: Mentions,
  target: Target<ChannelRef>,
): Promise<number[]> {
  if (target.kind === 'direct' || userIds.length === 0) return [];
  const { channelId } = target.channel;
  const named = await listUsersById(db, userIds);
  const bots = named.filter(
    ({ id, isActive, botType }) =>
      isActive && botType !== null && CALLABLE.includes(botType) && id !== senderId,
  );
  if (bots.length === 0) return [];
  const inside = new Set(
    await listReached(
      db,
      bots.map(({ id }) => id),
      target,
    ),
  );
  const outside = bots.filter(({ id }) => !inside.has(id));
  const ownerIds = outside.flatMap(({ botOwnerId }) => botOwnerId ?? []);
  const owners = (await listUsersById(db, ownerIds)).filter(({ isActive }) => isActive);
  const standings = await listChannelFacts(db, channelId, [...outside, ...owners]);
  return outside
    .filter(({ id, botOwnerId }) => {
      const bot = standings.get(id);
      return (
        bot !== undefined &&
        canBeCalled(bot, botOwnerId === null ? undefined : standings.get(botOwnerId))
      );
    })
    .map(({ id }) => id);
}

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
