// Sends typing notifications. They are not stored: only queues that are connected now get them.
import { listUsersById } from '../../../accounts/users/access.ts';
import { knows } from '../../../accounts/users/sight.ts';
import type { User } from '../../../accounts/user.ts';
import type { ApiContext, Context } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import type { ChannelAudience } from '../../../platform/events/event.ts';
import { sendSignal } from '../../../platform/realtime/signals.ts';
import { accessChannel } from '../../conversations/channel/access.ts';
import { badRequest } from '../../http/errors.ts';
import { accessMessageToTouch } from '../message/access.ts';
import { checkContentEdit } from '../editing/content.ts';
import { readOrganizationSettings } from '../../organization/org/access.ts';
import { readRights } from '../../rights/permissions/access.ts';
import { readKnown } from '../../rights/sight/access.ts';
import { canPost } from '../../rights/permissions/rights.ts';
import { settingOf } from '../../organization/setting-definitions/definitions.ts';
import { hasMoreSubscribers } from '../../conversations/subscribers/access.ts';
import { normalizeTopic } from '../../conversations/topics/rules.ts';
import { typingDirectly, typingEditOf, typingInChannel, type TypingOp } from './events.ts';
import { listUninterested } from './store.ts';

export async function tellTypingDirectly(
  ctx: Context,
  sender: User,
  op: TypingOp,
  to: readonly number[] | undefined,
): Promise<void> {
  if (to === undefined) throw badRequest("Missing 'to' argument");
  if (to.length === 0) throw badRequest("Empty 'to' list");
  checkTellsDirectly(sender);
  const others = await listNamed(ctx.db, sender, to);
  const people = others.some(({ id }) => id === sender.id) ? others : [...others, sender];
  const inOrder = people.toSorted((a, b) => a.id - b.id);
  sendSignal(ctx.bus, typingDirectly(op, sender, inOrder), { users: listenersAmong(inOrder) });
}

export async function tellTypingInChannel(
  ctx: Context,
  sender: User,
  op: TypingOp,
  channelId: number | undefined,
  topic: string | undefined,
): Promise<void> {
  if (channelId === undefined) throw badRequest("Missing 'stream_id' argument");
  if (topic === undefined) throw badRequest('Missing topic');
  checkTellsChannels(sender);
  const channel = await accessChannel(ctx.db, sender, channelId);
  if (!canPost(await readRights(ctx.db, sender), channel)) {
    throw badRequest('You do not have permission to post in this channel.');
  }
  const event = typingInChannel(op, sender, channel.id, normalizeTopic(topic));
  const audience = await listenersOf(ctx, channel.id);
  if (audience !== undefined) sendSignal(ctx.bus, event, audience);
}

/** Notifies the people who see the message that its author is editing it. The checks are those of an edit. */
export async function tellTypingEdit(
  ctx: ApiContext,
  sender: User,
  op: TypingOp,
  messageId: number,
): Promise<void> {
  const { message, channel: where } = await accessMessageToTouch(ctx.db, sender, messageId);
  const settings = await readOrganizationSettings(ctx.db);
  // No grace period: an edit that begins after the time limit is too late, however slow the network is.
  checkContentEdit(sender, settings, message, ctx.clock.now(), 0);
  const tell = typingEditOf.bind(undefined, op, sender.id, message.id);
  if (where === undefined) {
    checkTellsDirectly(sender);
    const people = await listUsersById(
      ctx.db,
      (message.people ?? []).map(({ id }) => id),
    );
    const users = listenersAmong(people);
    sendSignal(ctx.bus, tell({ type: 'direct', user_ids: users }), { users });
    return;
  }
  checkTellsChannels(sender);
  const { channelId } = where;
  const audience = await listenersOf(ctx, channelId);
  if (audience === undefined) return;
  sendSignal(ctx.bus, tell({ type: 'channel', channel_id: channelId, topic: message.topic }), {
    ...audience,
    // With protected history, only people who received the message may learn of it.
    heard: { channel: channelId, seq: message.placeSeq },
  });
}

function checkTellsDirectly(sender: User): void {
  if (settingOf(sender, 'send_private_typing_notifications') === true) return;
  throw badRequest('User has disabled typing notifications for direct messages');
}

function checkTellsChannels(sender: User): void {
  if (settingOf(sender, 'send_stream_typing_notifications') === true) return;
  throw badRequest('User has disabled typing notifications for channel messages');
}

async function listNamed(db: Db, sender: User, userIds: readonly number[]): Promise<User[]> {
  const known = await readKnown(db, sender);
  const found = await listUsersById(db, [...new Set(userIds)]);
  const ids = new Set(found.map(({ id }) => id).filter((id) => knows({ known }, id)));
  const missing = userIds.find((id) => !ids.has(id));
  if (missing !== undefined) throw badRequest(`Invalid user ID ${missing}`);
  return found;
}

const listenersAmong = (people: readonly User[]): number[] =>
  people
    .filter((one) => one.isActive && settingOf(one, 'receives_typing_notifications') === true)
    .map(({ id }) => id);

type Listeners = ChannelAudience & {
  readonly capability: { readonly name: string; readonly has: true };
};

/** Undefined if the channel has more subscribers than the operator's limit for typing notifications. */
async function listenersOf(ctx: Context, channelId: number): Promise<Listeners | undefined> {
  const { CHAT_TYPING_SUBSCRIBERS_MAX: limit } = ctx.config;
  if (limit > 0 && (await hasMoreSubscribers(ctx.db, channelId, limit))) return undefined;
  return {
    channel: channelId,
    who: 'subscribers',
    capability: { name: 'stream_typing_notifications', has: true },
    except: await listUninterested(ctx.db, channelId),
  };
}
