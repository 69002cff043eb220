// Whom a message reaches: the people mentioned in it who get it, and the bots that it calls.
import { listUsersById } from '../../../accounts/users/access.ts';
import type { BotType } from '../../../accounts/user.ts';
import type { Db } from '../../../platform/db/pool.ts';
import { listSubscribedAmong } from '../../conversations/subscribers/access.ts';
import { listGroupMembers } from '../../rights/permissions/access.ts';
import { canBeCalled } from '../../rights/permissions/rights.ts';
import type { Mentions } from '../../text/markdown/env.ts';
import { listChannelFacts, type ChannelRef, type Target } from '../message/channels-for-reader.ts';
import { listParticipants } from '../message/store.ts';

export interface Mentioned {
  /** People who get the message and are mentioned by name or as part of a group. */
  readonly told: readonly number[];
  /** Everybody who is mentioned by name, even if they do not get the message. */
  readonly personally: readonly number[];
  /** People who get the message and are mentioned as participants of the topic. */
  readonly inTopic: readonly number[];
}

/** The most participants that a topic mention notifies. */
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

/** Those of `userIds` who get the message. */
export async function listReached(
  db: Db,
  userIds: readonly number[],
  target: Target<ChannelRef>,
): Promise<readonly number[]> {
  if (userIds.length === 0) return [];
  if (target.kind === 'direct') return userIds.filter((id) => target.people.includes(id));
  return listSubscribedAmong(db, target.channel.channelId, userIds);
}

/** The types of bots that react to mentions. An incoming-webhook bot only posts, so calling it has no use. */
const CALLABLE: readonly BotType[] = [1, 3];

/**
 * Bots outside the channel that are mentioned by name and may be called from there. Group mentions and wildcards do
 * not call bots from outside, because their authors mean people.
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
  const facts = await listChannelFacts(db, channelId, [...outside, ...owners]);
  return outside
    .filter(({ id, botOwnerId }) => {
      const bot = facts.get(id);
      return (
        bot !== undefined &&
        canBeCalled(bot, botOwnerId === null ? undefined : facts.get(botOwnerId))
      );
    })
    .map(({ id }) => id);
}
