// Reports a message to the moderators: the notification bot posts it in the configured channel.
import { accessUser } from '../../../accounts/users/access.ts';
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import { badRequest } from '../../http/errors.ts';
import { channelPath, messagePath } from '../../text/markdown/narrow-paths.ts';
import { readVoice, tellTopic } from '../notices/actions.ts';
import { findModeration } from '../notices/channels.ts';
import { accessMessage } from '../message/access.ts';

export const REPORT_REASONS: Readonly<Record<string, string>> = {
  spam: 'Spam',
  harassment: 'Harassment',
  inappropriate: 'Inappropriate content',
  norms: 'Violates community norms',
  other: 'Other reason',
};

/** Moderators see the message in the report, but not the name of a private channel. */
export function reportMessage(
  ctx: Context,
  actor: User,
  messageId: number,
  reason: string,
  description: string,
): Promise<void> {
  return ctx.inTransaction(async (tx) => {
    const { message, channel } = await accessMessage(tx, actor, messageId);
    const voice = await readVoice(tx);
    const target = await findModeration(tx, voice.settings);
    if (target === undefined) {
      throw badRequest('Message reporting is not enabled in this organization.');
    }
    if (reason === 'other' && description.trim() === '') {
      throw badRequest('An explanation is required.');
    }
    const sender = await accessUser(tx, message.senderId);
    const isHidden = channel?.inviteOnly === true && channel.channelId !== target.channelId;
    const location =
      channel === undefined || isHidden
        ? undefined
        : { channel: channel.name, topic: message.topic };
    const content = voice.texts.reported({
      actor,
      sender,
      where: channel === undefined ? 'direct' : location,
      path:
        channel === undefined || isHidden
          ? ''
          : messagePath(channelPath(channel.channelId, channel.name), message.topic, message.id),
      reason: REPORT_REASONS[reason] ?? reason,
      description: description.trim(),
      content: message.content,
    });
    await tellTopic(tx, ctx, voice, {
      channelId: target.channelId,
      conversationId: target.conversationId,
      topic: target.topicFor(sender.fullName),
      content,
      names: {
        users: [actor, sender],
        channels:
          location === undefined || channel === undefined
            ? []
            : [{ id: channel.channelId, name: channel.name }],
      },
      readBy: [],
    });
  });
}
