// Adds submessages to a widget: votes, options, tasks.
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { badRequest } from '../../http/errors.ts';
import { accessMessageToTouch, lockMessage } from '../message/access.ts';
import { audienceOf } from '../message/audience.ts';
import {
  SUBMESSAGE_FRAME_BYTES,
  SUBMESSAGES_BYTES,
  SUBMESSAGES_MAX,
  SUBMESSAGES_PER_PERSON_MAX,
} from '../message/limits.ts';
import type { MessageRow } from '../message/rows.ts';
import { followByTakingPart } from '../../conversations/topics/automatic.ts';
import type { Widget } from '../widgets/parse.ts';
import { findSubmessageProblem, parseSubmessage } from '../widgets/submessages.ts';
import type { SubmessageAdded } from './events.ts';
import { deleteSubmessages, insertSubmessage, measureSubmessages } from './store.ts';

/** The only type of submessage; others are refused. */
const WIDGET = 'widget';

export function addSubmessage(
  ctx: Context,
  actor: User,
  messageId: number,
  msgType: string,
  content: string,
): Promise<void> {
  return ctx.inTransaction(async (tx) => {
    const { message } = await accessMessageToTouch(tx, actor, messageId);
    const widget = widgetOf(message);
    if (widget === undefined || msgType !== WIDGET) {
      throw badRequest('You cannot attach a submessage to this message.');
    }
    const isAuthor = message.senderId === actor.id;
    const problem = findSubmessageProblem(widget, content, { isAuthor });
    if (problem !== undefined) throw badRequest(problem);
    await makeRoom(tx, actor, message, content);
    const id = await insertSubmessage(tx, {
      messageId: message.id,
      senderId: actor.id,
      msgType,
      content,
    });
    const event: SubmessageAdded = {
      type: 'submessage',
      message_id: message.id,
      submessage_id: id,
      sender_id: actor.id,
      msg_type: msgType,
      content,
    };
    tx.emit(event, await audienceOf(tx, message));
    const { channelId } = message;
    if (channelId !== null) await followByTakingPart(tx, ctx, actor, { ...message, channelId });
  });
}

/**
 * Deletes the person's earlier vote for the same option, so a poll grows with its people and options, not with changed
 * votes. Then checks the limits: everybody who opens the message loads all of its submessages.
 */
async function makeRoom(tx: Tx, actor: User, message: MessageRow, content: string): Promise<void> {
  await lockMessage(tx, message.id);
  const voted = votedFor(content);
  if (voted !== undefined) {
    const earlier = message.submessages.filter(
      (one) => one.sender_id === actor.id && votedFor(one.content) === voted,
    );
    await deleteSubmessages(
      tx,
      earlier.map(({ id }) => id),
    );
  }
  const { count, own, bytes } = await measureSubmessages(tx, message.id, actor.id);
  if (count >= SUBMESSAGES_MAX) {
    throw badRequest(
      `A message cannot have more than ${SUBMESSAGES_MAX} submessages. Start a new poll or list.`,
    );
  }
  if (own >= SUBMESSAGES_PER_PERSON_MAX) {
    throw badRequest(
      `One person cannot add more than ${SUBMESSAGES_PER_PERSON_MAX} submessages to a message.`,
    );
  }
  const all = bytes + (count + 1) * SUBMESSAGE_FRAME_BYTES + Buffer.byteLength(content);
  if (all > SUBMESSAGES_BYTES) {
    throw badRequest(
      `The submessages of a message cannot have more than ${SUBMESSAGES_BYTES} bytes together. Start a new poll or list.`,
    );
  }
}

/** The key of the option that a vote is for. */
function votedFor(content: string): string | undefined {
  const { type, key } = (parseSubmessage(content) ?? {}) as { type?: unknown; key?: unknown };
  return type === 'vote' && typeof key === 'string' ? key : undefined;
}

/** The type of the message's widget, which is its first submessage. */
function widgetOf({ submessages }: MessageRow): Widget['widget_type'] | undefined {
  const [first] = submessages;
  if (first === undefined) return undefined;
  const { widget_type: type } = (parseSubmessage(first.content) ?? {}) as {
    widget_type?: unknown;
  };
  return type === 'poll' || type === 'todo' ? type : undefined;
}
