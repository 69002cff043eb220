import { Type } from 'typebox';
import { chatRoute } from '../../http/route.ts';
import { editScheduled, removeScheduled, scheduleMessage } from './actions.ts';
import { ScheduledMessage } from './events.ts';
import { listScheduled } from './state.ts';

/** The end of the year 9999. */
const SECONDS_MAX = 253_402_300_799;

const type = Type.Union(
  (['direct', 'channel', 'stream', 'private'] as const).map((word) => Type.Literal(word)),
  { 'x-listed': true },
);
const IDS_MAX = 10_000;
const to = Type.Union([Type.Integer(), Type.Array(Type.Integer(), { maxItems: IDS_MAX })], {
  description: 'The id of a channel, or a list of ids of people.',
});
const topic = Type.String({
  'x-alias': 'subject',
  'x-strip': true,
  description: 'Ignored for direct messages.',
});
const content = Type.String({ 'x-nul': true });
const deliverAt = Type.Integer({ maximum: SECONDS_MAX, description: 'Unix seconds, to come.' });

export const getScheduled = chatRoute({
  name: 'get-scheduled-messages',
  method: 'GET',
  path: '/scheduled_messages',
  allow: 'guest',
  grows: 'person',
  summary: 'Your messages that are to be sent later, or failed to be, in the order of time.',
  params: Type.Object({}),
  returns: Type.Object({ scheduled_messages: Type.Array(ScheduledMessage) }),
  handle: async (ctx, actor) => ({ scheduled_messages: await listScheduled(ctx.db, actor.id) }),
});

export const postScheduled = chatRoute({
  name: 'create-scheduled-message',
  method: 'POST',
  path: '/scheduled_messages',
  allow: 'guest',
  audit: { none: 'own content' },
  summary: 'Has a message sent later.',
  params: Type.Object({
    type,
    to,
    content,
    topic: Type.Optional(topic),
    scheduled_delivery_timestamp: deliverAt,
    read_by_sender: Type.Optional(
      Type.Boolean({ description: 'By default true for programs in which people write.' }),
    ),
  }),
  returns: Type.Object({ scheduled_message_id: Type.Integer() }),
  handle: async (ctx, actor, params, { client }) => ({
    scheduled_message_id: await scheduleMessage(ctx, actor, {
      type: params.type,
      to: params.to,
      content: params.content,
      topic: params.topic,
      deliverAt: params.scheduled_delivery_timestamp,
      readBySender: params.read_by_sender,
      client,
    }),
  }),
});

export const patchScheduled = chatRoute({
  name: 'update-scheduled-message',
  method: 'PATCH',
  path: '/scheduled_messages/{scheduled_message_id:int}',
  allow: 'guest',
  audit: { none: 'own content' },
  summary: 'Changes a message that is not sent yet. One that failed needs a new time.',
  params: Type.Object({
    type: Type.Optional(type),
    to: Type.Optional(to),
    content: Type.Optional(content),
    topic: Type.Optional(topic),
    scheduled_delivery_timestamp: Type.Optional(deliverAt),
  }),
  returns: Type.Object({}),
  handle: async (ctx, actor, params) => {
    const { scheduled_message_id, scheduled_delivery_timestamp, ...change } = params;
    await editScheduled(ctx, actor, scheduled_message_id, {
      ...change,
      deliverAt: scheduled_delivery_timestamp,
    });
    return {};
  },
});

export const deleteScheduled = chatRoute({
  name: 'delete-scheduled-message',
  method: 'DELETE',
  path: '/scheduled_messages/{scheduled_message_id:int}',
  allow: 'guest',
  audit: { none: 'own content' },
  summary: 'Takes back a message that is not sent yet.',
  params: Type.Object({}),
  returns: Type.Object({}),
  handle: async (ctx, actor, { scheduled_message_id }) => {
    await removeScheduled(ctx, actor, scheduled_message_id);
    return {};
  },
});
