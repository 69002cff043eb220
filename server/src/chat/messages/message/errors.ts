import { Refusal } from '../../../platform/http/refusal.ts';
import { badRequest } from '../../http/errors.ts';

/** The message is unknown, deleted, or not for this reader; the caller does not learn which. */
export const invalidMessage = () => badRequest('Invalid message(s)');

export const channelWildcardNotAllowed = () =>
  new Refusal({
    code: 'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    message: 'You do not have permission to use channel wildcard mentions in this channel.',
    status: 400,
  });

export const topicWildcardNotAllowed = () =>
  new Refusal({
    code: 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
    message: 'You do not have permission to use topic wildcard mentions in this topic.',
    status: 400,
  });

export const groupMentionNotAllowed = (name: string) =>
  badRequest(`You are not allowed to mention user group '${name}'.`);

export const contentChanged = () =>
  new Refusal({
    code: 'EXPECTATION_MISMATCH',
    message: "'prev_content_sha256' value does not match the expected value.",
    status: 400,
    fields: { field_name: 'prev_content_sha256' },
  });

export const moveLimitExceeded = (firstAllowedId: number, total: number, allowed: number) =>
  new Refusal({
    code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
    message: `You only have permission to move the ${allowed}/${total} most recent messages in this topic.`,
    status: 400,
    fields: {
      first_message_id_allowed_to_move: firstAllowedId,
      total_messages_in_topic: total,
      total_messages_allowed_to_move: allowed,
    },
  });

/** A large move takes several steps, and another one must not come between them. */
export const topicIsMoving = () =>
  badRequest(
    'Many messages are being moved from or to this topic at the moment. Wait until that has ended, then try again.',
  );

export const tooLargeTogether = (count: number, bytes: number, max: number) =>
  badRequest(
    `These ${count} messages have about ${bytes} bytes, and one answer has at most ${max}. Ask for fewer message_ids at once.`,
  );

export const tooManyEdits = (max: number) =>
  badRequest(
    `This message has been edited ${max} times, which is as often as its history keeps. Send a new message instead.`,
  );

export const editsTooLarge = (bytes: number) =>
  badRequest(
    `The earlier versions of this message fill the ${bytes} bytes that its history keeps. Send a new message instead.`,
  );
