// Sends notifications of messages, and takes them back. The jobs check everything again, because a message may have
// been read, moved or deleted meanwhile, and a person may have left.
import { sql } from 'kysely';
import { listUsersById } from '../../../accounts/users/access.ts';
import { avatarUrl, UNKNOWN_AVATAR } from '../../../accounts/users/events.ts';
import { knows, shownName } from '../../../accounts/users/sight.ts';
import { readSight } from '../../rights/sight/access.ts';
import type { User } from '../../../accounts/user.ts';
import type { Context, OriginContext } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import { Refusal } from '../../../platform/http/refusal.ts';
import { defineJob } from '../../../platform/jobs/define.ts';
import { hasRelay } from '../../../platform/push/relay.ts';
import { unixSeconds } from '../../../platform/std/time.ts';
import { shownTopic } from '../../conversations/topics/shown.ts';
import { listReachable } from '../devices/access.ts';
import { notifyDevices, type Urgency } from '../devices/sending.ts';
import { accessMessage } from '../../messages/message/access.ts';
import { IS_FOLLOWED, IS_MUTED, type MessageRow } from '../../messages/message/rows.ts';
import { fromMessagesById } from '../../messages/message/joins.ts';
import { readOrganizationSettings } from '../../organization/org/access.ts';
import { findPresence } from '../../people/presence/access.ts';
import { notifyBrowsers } from '../web-push/sending.ts';
import {
  MessagesToTakeBack,
  MessageToTell,
  TAKE_BACK,
  TELL_MESSAGE,
} from './notification-job-kinds.ts';
import { contentOf, isAway, triggerOf, type Trigger, type NotificationChoices } from './rules.ts';
import { insertNotified, listUnnotified } from './store.ts';

/** The payload contains the server's address, and jobs have no request to take it from. */
export const pushJobs = (publicUrl: () => string) => [
  defineJob({
    ...TELL_MESSAGE,
    input: MessageToTell,
    run: (ctx, { messageId, userIds }) => tellMessage({ ...ctx, publicUrl }, messageId, userIds),
  }),
  defineJob({
    ...TAKE_BACK,
    input: MessagesToTakeBack,
    run: (ctx, { userId, messageIds }) => takeBack({ ...ctx, publicUrl }, userId, messageIds),
  }),
];

async function tellMessage(
  ctx: OriginContext,
  messageId: number,
  userIds: readonly number[],
): Promise<void> {
  let failure: unknown;
  // Skips people who were notified in an earlier attempt.
  for (const id of await listUnnotified(ctx.db, messageId, userIds)) {
    try {
      await tellOne(ctx, messageId, id);
    } catch (error) {
      failure = error;
    }
  }
  if (failure !== undefined) throw failure;
}

async function tellOne(ctx: OriginContext, messageId: number, userId: number): Promise<void> {
  const [user] = await listUsersById(ctx.db, [userId]);
  if (user === undefined || !user.isActive || user.botType !== null) return;
  const nowMs = ctx.clock.now();
  if (!isAway(user, await findPresence(ctx.db, userId), nowMs)) return;
  const message = await findMessage(ctx, user, messageId);
  if (message === undefined) return;
  const trigger = triggerOf(
    user,
    message,
    await readNotificationChoices(ctx.db, userId, messageId),
  );
  if (trigger === undefined) return;
  await tellDevices(ctx, user, await payloadOf(ctx, user, message, trigger), 'alert');
  await insertNotified(ctx.db, userId, messageId, new Date(nowMs));
}

async function takeBack(
  ctx: OriginContext,
  userId: number,
  messageIds: readonly number[],
): Promise<void> {
  const [user] = await listUsersById(ctx.db, [userId]);
  if (user === undefined || !user.isActive) return;
  const payload = { type: 'remove', ...(await basis(ctx, user)), message_ids: messageIds };
  await tellDevices(ctx, user, payload, 'background');
}

async function tellDevices(
  ctx: Context,
  user: User,
  payload: Readonly<Record<string, unknown>>,
  urgency: Urgency,
): Promise<void> {
  if (hasRelay(ctx.config)) {
    await notifyDevices(ctx, await listReachable(ctx.db, user.id), payload, urgency);
  }
  await notifyBrowsers(ctx, user.id, payload, { isShown: urgency === 'alert' });
}

/** Undefined when it was deleted, or the person may not read it any more. */
async function findMessage(ctx: Context, user: User, id: number): Promise<MessageRow | undefined> {
  try {
    return (await accessMessage(ctx.db, user, id)).message;
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

async function readNotificationChoices(
  db: Db,
  userId: number,
  messageId: number,
): Promise<NotificationChoices> {
  const { rows } = await sql<NotificationChoices>`
    SELECT ${IS_MUTED} AS is_muted, ${IS_FOLLOWED} AS is_followed,
           s.push_notifications AS channel_push, s.wildcard_mentions_notify AS wildcards_notify
      FROM ${fromMessagesById(userId, [messageId])}`.execute(db);
  return (
    rows[0] ?? { isMuted: true, isFollowed: false, channelPush: false, wildcardsNotify: false }
  );
}

async function payloadOf(
  ctx: OriginContext,
  user: User,
  message: MessageRow,
  trigger: Trigger,
): Promise<Record<string, unknown>> {
  const { people, senderId } = message;
  const sight = await readSight(ctx, ctx.db, user);
  const avatar = knows(sight, senderId)
    ? { id: senderId, avatarVersion: message.senderAvatarVersion }
    : UNKNOWN_AVATAR;
  const place =
    people === null
      ? {
          recipient_type: 'channel',
          channel_id: message.channelId,
          channel_name: message.channelName,
          topic: shownTopic(message.topic, true),
        }
      : {
          recipient_type: 'direct',
          ...(people.length > 2 && { pm_users: people.map(({ id }) => id).join(',') }),
        };
  return {
    type: 'message',
    ...(await basis(ctx, user)),
    message_id: message.id,
    sender_id: senderId,
    sender_full_name: shownName(sight, message.sender),
    sender_avatar_url: `${ctx.publicUrl()}${avatarUrl(avatar)}`,
    time: unixSeconds(message.sentAt),
    content: contentOf(message.rendered),
    mentioned: trigger === 'mentioned',
    ...place,
  };
}

async function basis(ctx: OriginContext, user: User): Promise<Record<string, unknown>> {
  const { name } = await readOrganizationSettings(ctx.db);
  return { realm_name: name, realm_url: ctx.publicUrl(), user_id: user.id };
}
