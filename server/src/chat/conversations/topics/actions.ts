// People's own settings for topics: muted, unmuted, followed.
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { unixSeconds } from '../../../platform/std/time.ts';
import { accessChannelMetadata, findVisibleChannelByName } from '../channel/access.ts';
import { invalidChannel } from '../channel/errors.ts';
import { badRequest } from '../../http/errors.ts';
import { VISIBILITY } from './automatic-rules.ts';
import { mutedTopicsChanged, userTopicChanged } from './events.ts';
import { normalizeTopic } from './rules.ts';
import { deleteUserTopic, findUserTopic, upsertUserTopic, USER_TOPICS_MAX } from './store.ts';

/** Sets the person's policy for the topic. An unchanged value is announced again, as clients expect. */
export function setUserTopic(
  ctx: Context,
  actor: User,
  channelId: number,
  topic: string,
  policy: number,
): Promise<void> {
  return ctx.inTransaction(async (tx) => {
    await accessChannelMetadata(tx, actor, channelId);
    await storeUserTopic(ctx, tx, actor.id, channelId, normalizeTopic(topic), policy);
  });
}

/** The older route to mute and unmute, by the channel's name or id. */
export function setTopicMuted(
  ctx: Context,
  actor: User,
  channel: number | string,
  topic: string,
  isMuted: boolean,
): Promise<void> {
  return ctx.inTransaction(async (tx) => {
    const view =
      typeof channel === 'number'
        ? await accessChannelMetadata(tx, actor, channel)
        : await findVisibleChannelByName(tx, actor, channel);
    if (view === undefined) throw invalidChannel();
    const stored = normalizeTopic(topic);
    const current = await findUserTopic(tx, actor.id, view.id, stored);
    const wasMuted = current?.visibilityPolicy === VISIBILITY.muted;
    if (isMuted === wasMuted) {
      throw badRequest(isMuted ? 'Topic already muted' : 'Topic is not muted');
    }
    const policy = isMuted ? VISIBILITY.muted : VISIBILITY.inherit;
    await storeUserTopic(ctx, tx, actor.id, view.id, stored, policy);
  });
}

/** For features that set a policy in their own transaction; `topic` is in its stored form. */
export async function storeUserTopic(
  ctx: Pick<Context, 'clock'>,
  tx: Tx,
  userId: number,
  channelId: number,
  topic: string,
  visibilityPolicy: number,
): Promise<void> {
  const updatedAt = new Date(unixSeconds(ctx.clock.now()) * 1000);
  const row = { channelId, topic, visibilityPolicy, updatedAt };
  const shown =
    visibilityPolicy === VISIBILITY.inherit
      ? await deleteUserTopic(tx, userId, channelId, topic).then(() => topic)
      : await upsertUserTopic(tx, userId, row, USER_TOPICS_MAX);
  if (shown === undefined) {
    throw badRequest(`You cannot have settings for more than ${USER_TOPICS_MAX} topics.`);
  }
  tx.emit(mutedTopicsChanged(), { users: [userId] });
  tx.emit(userTopicChanged({ ...row, topic: shown }), { users: [userId] });
}
