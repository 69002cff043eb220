// Routes that edit, move and delete messages, and show their history.
import { Type } from 'typebox';
import { badRequest } from '../../http/errors.ts';
import { chatRoute } from '../../http/route.ts';
import { makeLarge } from '../fetching/large.ts';
import { accessMessage } from '../message/access.ts';
import { editMessage } from './edit.ts';
import { deleteMessage, deleteTopic } from '../removing/remove.ts';
import { readHistoryPolicy } from '../fetching/fetch.ts';
import { MessageVersion, tellHistory } from './history.ts';
import { Attachment } from '../uploads/events.ts';

export const patchMessage = chatRoute({
  name: 'update-message',
  method: 'PATCH',
  path: '/messages/{message_id:int}',
  allow: 'guest',
  checksCaller: true,
  audit: { none: 'own content' },
  grows: 'request',
  summary: 'Changes the text of a message, or moves it and others of its topic.',
  params: Type.Object({
    content: Type.Optional(Type.String({ 'x-nul': true })),
    topic: Type.Optional(Type.String({ 'x-alias': 'subject' })),
    stream_id: Type.Optional(Type.Integer({ minimum: 0 })),
    propagate_mode: Type.Optional(
      Type.Union(
        [Type.Literal('change_one'), Type.Literal('change_later'), Type.Literal('change_all')],
        { default: 'change_one' },
      ),
    ),
    send_notification_to_old_thread: Type.Optional(
      Type.Boolean({ default: false, description: 'Leaves word where the messages were.' }),
    ),
    send_notification_to_new_thread: Type.Optional(
      Type.Boolean({ default: true, description: 'Leaves word where the messages are then.' }),
    ),
    prev_content_sha256: Type.Optional(
      Type.String({ maxLength: 64, description: 'Refuses when the text is another by now.' }),
    ),
  }),
  returns: Type.Object({
    detached_uploads: Type.Array(Attachment, {
      description: 'Your files that are in no message after this.',
    }),
  }),
  handle: async (ctx, actor, params) => {
    const detached = await editMessage(ctx, actor, params.message_id, {
      content: params.content,
      topic: params.topic,
      channelId: params.stream_id,
      propagateMode: params.propagate_mode ?? 'change_one',
      prevContentSha256: params.prev_content_sha256,
      tellsOldThread: params.send_notification_to_old_thread ?? false,
      tellsNewThread: params.send_notification_to_new_thread ?? true,
    });
    return { detached_uploads: detached };
  },
});

export const deleteMessageRoute = chatRoute({
  name: 'delete-message',
  method: 'DELETE',
  path: '/messages/{message_id:int}',
  allow: 'guest',
  audit: { none: 'own content' },
  summary: 'Deletes a message.',
  params: Type.Object({}),
  returns: Type.Object({}),
  handle: async (ctx, actor, { message_id }) => {
    await deleteMessage(ctx, actor, message_id);
    return {};
  },
});

export const postDeleteTopic = chatRoute({
  name: 'delete-topic',
  method: 'POST',
  path: '/streams/{stream_id:int}/delete_topic',
  allow: 'administrator',
  audit: { none: 'own content' },
  summary: 'Deletes all messages of a topic.',
  params: Type.Object({ topic_name: Type.String() }),
  returns: Type.Object({
    complete: Type.Boolean({ description: 'False when the time was up; ask again.' }),
  }),
  handle: async (ctx, actor, { stream_id, topic_name }) => ({
    complete: await deleteTopic(ctx, actor, stream_id, topic_name),
  }),
});

export const getMessageHistory = chatRoute({
  name: 'get-message-history',
  method: 'GET',
  path: '/messages/{message_id:int}/history',
  allow: 'guest',
  grows: 'page',
  summary: 'The versions of a message: the first one, and then the newest, oldest first.',
  params: Type.Object({
    allow_empty_topic_name: Type.Optional(Type.Boolean({ default: false })),
  }),
  returns: Type.Object({ message_history: Type.Array(MessageVersion) }),
  handle: async (ctx, actor, { message_id, allow_empty_topic_name = false }) => {
    const policy = await readHistoryPolicy(ctx.db);
    if (policy === 'none') {
      throw badRequest('Message edit history is disabled in this organization');
    }
    const { message } = await accessMessage(ctx.db, actor, message_id);
    const { CHAT_PAGE_BYTES: bytesMax } = ctx.config;
    return {
      message_history: await makeLarge(bytesMax, () =>
        tellHistory(ctx.db, message, policy, allow_empty_topic_name, bytesMax),
      ),
    };
  },
});
