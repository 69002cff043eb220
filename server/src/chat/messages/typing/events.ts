// Shapes of typing signals. Signals go to connected queues and are not stored.
import { Type, type Static } from 'typebox';
import { IN_THE_LOG, shownEmail } from '../../../accounts/users/sight.ts';
import type { User } from '../../../accounts/user.ts';

export type TypingOp = 'start' | 'stop';

const person = Type.Object({ user_id: Type.Integer(), email: Type.String() });

/** A signal of one type that starts or stops. */
const signal = <const Name extends string, const Op extends TypingOp, Fields extends object>(
  type: Name,
  op: Op,
  fields: Fields,
) =>
  Type.Object(
    { type: Type.Literal(type), op: Type.Literal(op), ...fields },
    { additionalProperties: false },
  );

const typing = {
  message_type: Type.Union([Type.Literal('direct'), Type.Literal('stream')]),
  sender: person,
  recipients: Type.Optional(
    Type.Array(person, { description: 'Of a direct message: everybody, the sender included.' }),
  ),
  stream_id: Type.Optional(Type.Integer({ description: 'Of a channel message.' })),
  topic: Type.Optional(Type.String({ description: 'Of a channel message.' })),
};

const typingEdit = {
  sender_id: Type.Integer(),
  message_id: Type.Integer(),
  recipient: Type.Union([
    Type.Object({
      type: Type.Literal('channel'),
      channel_id: Type.Integer(),
      topic: Type.String(),
    }),
    Type.Object({ type: Type.Literal('direct'), user_ids: Type.Array(Type.Integer()) }),
  ]),
};

export const TypingStarted = signal('typing', 'start', typing);
export const TypingStopped = signal('typing', 'stop', typing);
export const TypingEditStarted = signal('typing_edit_message', 'start', typingEdit);
export const TypingEditStopped = signal('typing_edit_message', 'stop', typingEdit);

export const TYPING_EVENTS = [TypingStarted, TypingStopped, TypingEditStarted, TypingEditStopped];

export type TypingEvent = Static<typeof TypingStarted> | Static<typeof TypingStopped>;
export type TypingEditEvent = Static<typeof TypingEditStarted> | Static<typeof TypingEditStopped>;

type Somebody = Pick<User, 'id' | 'email' | 'emailVisibility'>;

const personOf = (person: Somebody) => ({
  user_id: person.id,
  email: shownEmail(IN_THE_LOG, person),
});

export const typingDirectly = (op: TypingOp, sender: Somebody, people: readonly Somebody[]) =>
  ({
    type: 'typing',
    op,
    message_type: 'direct',
    sender: personOf(sender),
    recipients: people.map(personOf),
  }) as const;

export const typingInChannel = (op: TypingOp, sender: Somebody, channelId: number, topic: string) =>
  ({
    type: 'typing',
    op,
    message_type: 'stream',
    sender: personOf(sender),
    stream_id: channelId,
    topic,
  }) as const;

export const typingEditOf = (
  op: TypingOp,
  senderId: number,
  messageId: number,
  recipient: TypingEditEvent['recipient'],
) =>
  ({
    type: 'typing_edit_message',
    op,
    sender_id: senderId,
    message_id: messageId,
    recipient,
  }) as const;
