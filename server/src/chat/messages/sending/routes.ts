// The routes that send a message, and show how one would look.
import { Type } from 'typebox';
import { chatRoute } from '../../http/route.ts';
import { LIMITS } from '../../limits.ts';
import { previewMessage } from './preview.ts';
import { sendMessage } from './send.ts';

const literals = <const T extends string>(...words: readonly T[]) =>
  Type.Union(words.map((word) => Type.Literal(word)));

export const postMessage = chatRoute({
  name: 'send-message',
  method: 'POST',
  path: '/messages',
  allow: 'guest',
  checksCaller: true,
  audit: { none: 'own content' },
  summary: 'Sends a message to a channel or to people.',
  params: Type.Object({
    type: literals('direct', 'private', 'stream', 'channel'),
    to: Type.Optional(
      Type.String({
        description:
          'A channel by name or id, or people by ids or addresses: bare, as JSON, or as a JSON list.',
      }),
    ),
    topic: Type.Optional(Type.String({ 'x-alias': 'subject' })),
    content: Type.String({ 'x-nul': true }),
    local_id: Type.Optional(
      Type.String({
        maxLength: 100,
        description:
          "The client's own id of the message. Under a UUID the message is sent once: the same request in the next 24 " +
          'hours answers the first id. Any other text does that only together with the same queue_id.',
      }),
    ),
    queue_id: Type.Optional(
      Type.String({ maxLength: 100, description: 'The queue that gets local_message_id back.' }),
    ),
    widget_content: Type.Optional(
      Type.String({ description: 'JSON of a form with choices, as bots send them: zform.' }),
    ),
    read_by_sender: Type.Optional(
      Type.Boolean({ description: 'By default true for programs in which people write.' }),
    ),
  }),
  returns: Type.Object({
    id: Type.Integer(),
    message_url: Type.String(),
    message_link: Type.String(),
    automatic_new_visibility_policy: Type.Optional(
      Type.Integer({ description: '2 unmuted, 3 followed; only if sending changed it.' }),
    ),
  }),
  handle: async (ctx, actor, params, { client }) => {
    const { id, path, newVisibility } = await sendMessage(ctx, actor, {
      type: params.type,
      to: params.to,
      topic: params.topic,
      content: params.content,
      client,
      readBySender: params.read_by_sender,
      queueId: params.queue_id,
      localId: params.local_id,
      widget: params.widget_content,
    });
    return {
      id,
      message_url: `${ctx.publicUrl()}${path}`,
      message_link: path,
      ...(newVisibility !== undefined && { automatic_new_visibility_policy: newVisibility }),
    };
  },
});

export const postRender = chatRoute({
  name: 'render-message',
  method: 'POST',
  path: '/messages/render',
  allow: 'guest',
  audit: { none: 'nothing' },
  summary: 'Shows how a text would look, without sending it.',
  params: Type.Object({
    content: Type.String({ maxLength: LIMITS.max_message_length }),
  }),
  returns: Type.Object({ rendered: Type.String() }),
  handle: async (ctx, actor, { content }) => ({
    rendered: await previewMessage(ctx, actor, content),
  }),
});
