// Replaces the HTML of a message while its text stays, for example when the thumbnail of a picture is ready.
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { unixSeconds } from '../../../platform/std/time.ts';
import { isMeMessage } from '../../text/markdown/render.ts';
import { describeDelivery } from './write-edit.ts';
import { audienceOf } from '../message/audience.ts';
import type { MessageUpdated } from '../message/events.ts';
import { lockRendered, writeRendered } from '../message/move-store.ts';
import { listMessageRows } from '../message/rows.ts';

/** Stores what `rewrite` makes of the HTML and sends an event to the readers, if it changed. */
export async function rewriteRendered(
  tx: Tx,
  { clock }: Pick<Context, 'clock'>,
  messageId: number,
  rewrite: (html: string) => string,
): Promise<void> {
  const before = await lockRendered(tx, messageId);
  if (before === undefined) return;
  const html = rewrite(before.rendered);
  if (html === before.rendered) return;
  await writeRendered(tx, messageId, html);
  const [message] = await listMessageRows(tx, before.senderId, [messageId]);
  if (message === undefined) return;
  const { channelId, channelName } = message;
  const channel = channelId === null ? undefined : { channelId, isProtected: false };
  const event: MessageUpdated = {
    type: 'update_message',
    user_id: null,
    edit_timestamp: unixSeconds(clock.now()),
    message_id: message.id,
    message_ids: [message.id],
    flags: [],
    rendering_only: true,
    content: message.content,
    rendered_content: html,
    is_me_message: isMeMessage(message.content),
    ...(channelId !== null && { stream_id: channelId, stream_name: channelName ?? '' }),
    delivery: await describeDelivery(tx, message, channel, undefined, []),
  };
  tx.emit(event, await audienceOf(tx, message));
}
