// What is said to a widget: votes, options, tasks.
import type { User } from '../../accounts/user.ts';
import type { Context } from '../../platform/context.ts';
import { badRequest } from '../http/errors.ts';
import { accessMessageToTouch } from '../messages/access.ts';
import { audienceOf } from '../messages/audience.ts';
import type { MessageRow } from '../messages/rows.ts';
import { followByTakingPart } from '../topics/automatic.ts';
import type { Widget } from '../widgets/parse.ts';
import { findSubmessageProblem, parseSubmessage } from '../widgets/submessages.ts';
import type { SubmessageAdded } from './events.ts';
import { insertSubmessage } from './store.ts';

/** The one type that there is; others are not kept for clients that might know them. */
const WIDGET = 'widget';
/** A poll with more votes and options than this is an attack on everybody who opens it. */
const SUBMESSAGES_MAX = 5000;

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
    if (message.submessages.length >= SUBMESSAGES_MAX) {
      throw badRequest(`A message cannot have more than ${SUBMESSAGES_MAX} submessages.`);
    }
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

/** The widget that the message itself made, which is its first submessage. */
function widgetOf({ submessages }: MessageRow): Widget['widget_type'] | undefined {
  const [first] = submessages;
  if (first === undefined) return undefined;
  const { widget_type: type } = (parseSubmessage(first.content) ?? {}) as {
    widget_type?: unknown;
  };
  return type === 'poll' || type === 'todo' ? type : undefined;
}
