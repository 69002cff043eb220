// The shapes of scheduled messages and their events.
import { Type, type Static } from 'typebox';

export const ScheduledMessage = Type.Object(
  {
    scheduled_message_id: Type.Integer(),
    type: Type.Union([Type.Literal('stream'), Type.Literal('private')]),
    to: Type.Union([Type.Integer(), Type.Array(Type.Integer())], {
      description:
        'The id of the channel, or the ids of the people: without the sender, unless it is a note to self.',
    }),
    topic: Type.Optional(Type.String({ description: 'Only of messages to channels.' })),
    content: Type.String(),
    rendered_content: Type.String(),
    scheduled_delivery_timestamp: Type.Integer({ description: 'Unix seconds' }),
    failed: Type.Boolean({
      description: 'It could not be sent at its time, and waits for its owner.',
    }),
  },
  { additionalProperties: false },
);
export type ScheduledMessage = Static<typeof ScheduledMessage>;

const scheduledMessages = Type.Literal('scheduled_messages');
const ScheduledAdded = Type.Object(
  {
    type: scheduledMessages,
    op: Type.Literal('add'),
    scheduled_messages: Type.Array(ScheduledMessage),
  },
  { additionalProperties: false },
);
const ScheduledUpdated = Type.Object(
  { type: scheduledMessages, op: Type.Literal('update'), scheduled_message: ScheduledMessage },
  { additionalProperties: false },
);
const ScheduledRemoved = Type.Object(
  { type: scheduledMessages, op: Type.Literal('remove'), scheduled_message_id: Type.Integer() },
  { additionalProperties: false },
);

export const SCHEDULED_EVENTS = [ScheduledAdded, ScheduledUpdated, ScheduledRemoved];
export type ScheduledEvent =
  Static<typeof ScheduledAdded> | Static<typeof ScheduledUpdated> | Static<typeof ScheduledRemoved>;

export const scheduledAdded = (message: ScheduledMessage) =>
  ({ type: 'scheduled_messages', op: 'add', scheduled_messages: [message] }) as const;
export const scheduledUpdated = (message: ScheduledMessage) =>
  ({ type: 'scheduled_messages', op: 'update', scheduled_message: message }) as const;
export const scheduledRemoved = (id: number) =>
  ({ type: 'scheduled_messages', op: 'remove', scheduled_message_id: id }) as const;
