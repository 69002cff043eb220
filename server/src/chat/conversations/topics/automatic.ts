// Follows or unmutes topics automatically for people who write, react or vote there, or are mentioned there.
import { listUsersById } from '../../../accounts/users/access.ts';
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { remembered } from '../../../platform/facts/memory.ts';
import { unixSeconds } from '../../../platform/std/time.ts';
import { settingOf } from '../../organization/setting-definitions/definitions.ts';
import {
  isCloser,
  mayMatter,
  mergedVisibility,
  VISIBILITY,
  visibilityAfter,
  type Deed,
} from './automatic-rules.ts';
import { mutedTopicsChanged, userTopicChanged } from './events.ts';
import {
  deleteUserTopic,
  joinSettings,
  getTopicForUser,
  isChannelMuted,
  listSettersOf,
  listTopicReaders,
  upsertUserTopic,
  USER_TOPICS_MAX,
} from './store.ts';

type Clocked = Pick<Context, 'clock'>;

export interface Topic {
  readonly channelId: number;
  readonly conversationId: number;
  readonly topic: string;
}

/** A message that was sent, which may have started the topic. */
export interface SentIn extends Topic {
  readonly messageId: number;
}

/** Called after somebody wrote; returns their new policy for the topic, if it changed. */
export async function followBySending(
  tx: Tx,
  ctx: Clocked,
  sender: User,
  sent: SentIn,
): Promise<number | undefined> {
  const policies = policiesOf(sender);
  if (sender.botType !== null || !mayMatter('initiate', policies)) return undefined;
  const topicForUser = await getTopicForUser(tx, sender.id, sent, sent.messageId);
  const deed = topicForUser.isNew ? 'initiate' : 'send';
  return bringCloser(tx, ctx, sender, sent, deed, topicForUser);
}

/**
 * What sending to the channel can change for the sender: nothing, something if the message starts the topic, or
 * something in any case.
 */
export async function changeBySending(
  db: Db,
  sender: User,
  channelId: number,
): Promise<'nothing' | 'if new' | 'maybe'> {
  const policies = policiesOf(sender);
  if (sender.botType !== null || !mayMatter('initiate', policies)) return 'nothing';
  const isMuted = await remembered(db, `is muted ${sender.id} ${channelId}`, [sender.id], () =>
    isChannelMuted(db, sender.id, channelId),
  );
  if (visibilityAfter('send', policies, isMuted) !== undefined) return 'maybe';
  return visibilityAfter('initiate', policies, isMuted) === undefined ? 'nothing' : 'if new';
}

/** Whether reacting and voting can make this person follow a topic. */
export const mayFollowByTakingPart = (actor: User): boolean =>
  actor.botType === null && mayMatter('participate', policiesOf(actor));

/** Called after somebody reacted or voted. */
export async function followByTakingPart(
  tx: Tx,
  ctx: Clocked,
  actor: User,
  topic: Topic,
): Promise<void> {
  if (!mayFollowByTakingPart(actor)) return;
  const topicForUser = await getTopicForUser(tx, actor.id, topic, 0);
  await bringCloser(tx, ctx, actor, topic, 'participate', topicForUser);
}

/** People who are mentioned by name follow the topic, unless their setting forbids it. */
export async function followByMention(
  tx: Tx,
  ctx: Clocked,
  userIds: readonly number[],
  topic: Topic,
): Promise<void> {
  for (const user of await listUsersById(tx, userIds)) {
    if (!followsByMention(user)) continue;
    const { visibility } = await getTopicForUser(tx, user.id, topic, 0);
    if (isCloser(visibility, VISIBILITY.followed)) {
      await set(tx, ctx, user.id, topic, visibility, VISIBILITY.followed);
    }
  }
}

/** Whether the person follows topics in which they are mentioned by name. */
export const followsByMention = (user: User): boolean =>
  user.botType === null &&
  user.isActive &&
  settingOf(user, 'automatically_follow_topics_where_mentioned') === true;

/** What is written and told when people begin to follow a topic, for a statement that does it. */
export function followingOf(
  ctx: Clocked,
  { channelId, topic }: Pick<Topic, 'channelId' | 'topic'>,
  people: readonly number[],
) {
  const updatedAt = new Date(unixSeconds(ctx.clock.now()) * 1000);
  const row = { channelId, topic, visibilityPolicy: VISIBILITY.followed, updatedAt };
  return {
    people: [...people],
    channel: channelId,
    at: updatedAt.toISOString(),
    max: USER_TOPICS_MAX,
    event: JSON.stringify(userTopicChanged(row)),
    muted_event: JSON.stringify(mutedTopicsChanged()),
  };
}

const policiesOf = (user: User) => ({
  follow: Number(settingOf(user, 'automatically_follow_topics_policy')),
  unmute: Number(settingOf(user, 'automatically_unmute_topics_in_muted_streams_policy')),
});

async function bringCloser(
  tx: Tx,
  ctx: Clocked,
  user: User,
  topic: Topic,
  deed: Deed,
  { visibility, isChannelMuted: isMuted }: Awaited<ReturnType<typeof getTopicForUser>>,
): Promise<number | undefined> {
  const next = visibilityAfter(deed, policiesOf(user), isMuted);
  if (next === undefined || !isCloser(visibility, next)) return undefined;
  return (await set(tx, ctx, user.id, topic, visibility, next)) ? next : undefined;
}

/** False when the person already has the most settings allowed. The message itself is sent anyway. */
async function set(
  tx: Tx,
  ctx: Clocked,
  userId: number,
  { channelId, topic }: Pick<Topic, 'channelId' | 'topic'>,
  before: number,
  visibilityPolicy: number,
): Promise<boolean> {
  const updatedAt = new Date(unixSeconds(ctx.clock.now()) * 1000);
  const row = { channelId, topic, visibilityPolicy, updatedAt };
  const shown =
    visibilityPolicy === VISIBILITY.inherit
      ? await deleteUserTopic(tx, userId, channelId, topic).then(() => topic)
      : await upsertUserTopic(tx, userId, row, USER_TOPICS_MAX);
  if (shown === undefined) return false;
  // The older event lists muted topics, so it is sent only when that list changed.
  if (before === VISIBILITY.muted || visibilityPolicy === VISIBILITY.muted) {
    tx.emit(mutedTopicsChanged(), { users: [userId] });
  }
  tx.emit(userTopicChanged({ ...row, topic: shown }), { users: [userId] });
  return true;
}

/**
 * A whole topic was moved: people's settings for it move too, except those of people who may not know of its new
 * channel.
 */
export async function moveUserTopics(
  tx: Tx,
  ctx: Clocked,
  from: Pick<Topic, 'channelId' | 'topic'>,
  to: Pick<Topic, 'channelId' | 'topic'>,
  joinsOthers: boolean,
): Promise<void> {
  const moved = await listSettersOf(tx, from.channelId, from.topic);
  const there = joinsOthers ? await listSettersOf(tx, to.channelId, to.topic) : new Map();
  const isSame =
    from.channelId === to.channelId && from.topic.toLowerCase() === to.topic.toLowerCase();
  if (isSame || (moved.size === 0 && there.size === 0)) return;
  const readers = new Set(
    from.channelId === to.channelId
      ? moved.keys()
      : await listTopicReaders(tx, to.channelId, [...moved.keys()]),
  );
  const people = [...new Set([...moved.keys(), ...there.keys()])].sort((a, b) => a - b);
  for (const userId of people) {
    const old = moved.get(userId) ?? VISIBILITY.inherit;
    const present = there.get(userId) ?? VISIBILITY.inherit;
    if (old !== VISIBILITY.inherit) await set(tx, ctx, userId, from, old, VISIBILITY.inherit);
    if (old !== VISIBILITY.inherit && !readers.has(userId)) continue;
    const next = joinsOthers ? mergedVisibility(old, present) : old;
    if (next !== present) await set(tx, ctx, userId, to, present, next);
  }
}

/**
 * A whole topic gets another name in its channel. People's settings stay with it; they are told as if these had moved,
 * by the function that is returned. Runs before the topic has its new name.
 */
export async function renameUserTopics(
  tx: Tx,
  channelId: number,
  from: string,
  to: string,
  isSpelling: boolean,
): Promise<() => void> {
  const settings = await joinSettings(tx, channelId, from, to);
  return () => {
    for (const { userId, replaced, ...row } of settings) {
      if (!isSpelling) {
        const old = { ...row, topic: from, visibilityPolicy: VISIBILITY.inherit };
        tx.emit(userTopicChanged(old), { users: [userId] });
      }
      if (row.visibilityPolicy === VISIBILITY.muted || replaced === VISIBILITY.muted) {
        tx.emit(mutedTopicsChanged(), { users: [userId] });
      }
      tx.emit(userTopicChanged(row), { users: [userId] });
    }
  };
}
