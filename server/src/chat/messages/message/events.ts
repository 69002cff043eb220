// The shapes of events about messages. `delivery` says what differs per reader and who receives the event. No client
// ever gets it: chat/realtime/delivery/messages.ts turns one logged event into what each queue is sent.
import { Type, type Static } from 'typebox';
import { MessageObject } from './object.ts';

const ids = Type.Array(Type.Integer());
const names = Type.Array(Type.String());

const MessageDelivery = Type.Object({
  /** The Markdown text, for clients that render it themselves. */
  markdown: Type.String(),
  /** Null for a direct message. */
  channel_id: Type.Union([Type.Integer(), Type.Null()]),
  seq: Type.Integer(),
  read_by: ids,
  mentioned: ids,
  topic_mentioned: ids,
  alerted: ids,
  mentions_everyone: Type.Boolean(),
  queue_id: Type.Optional(Type.String()),
  local_id: Type.Optional(Type.String()),
});
export type MessageDelivery = Static<typeof MessageDelivery>;

export const MessageSent = Type.Object(
  {
    type: Type.Literal('message'),
    message: MessageObject,
    flags: names,
    local_message_id: Type.Optional(Type.String({ description: 'Only to the sending queue.' })),
    delivery: Type.Optional(MessageDelivery),
  },
  { additionalProperties: false },
);
export type MessageSent = Static<typeof MessageSent>;

export const messageSent = (message: MessageObject, delivery: MessageDelivery) =>
  ({ type: 'message', message, flags: [], delivery }) as const;

/**
 * The text of the event around the two numbers that only the database knows: before the message's id, between the id
 * and its number in the conversation, and after that.
 */
export function splitMessageSent({
  type,
  message: { id: _id, ...message },
  flags,
  delivery: { seq: _seq, ...delivery },
}: ReturnType<typeof messageSent>): readonly [string, string, string] {
  return [
    `{"type":${JSON.stringify(type)},"message":{"id":`,
    `,${JSON.stringify(message).slice(1)},"flags":${JSON.stringify(flags)},"delivery":{"seq":`,
    `,${JSON.stringify(delivery).slice(1)}}`,
  ];
}

/** The channel that messages moved to; if its history is protected, also their number there. */
const MovedTo = Type.Object({ channel: Type.Integer(), seq: Type.Optional(Type.Integer()) });
export type MovedTo = Static<typeof MovedTo>;

/** For protected history: the numbers of the messages, in the order of `message_ids`. */
const Heard = Type.Object({ channel: Type.Integer(), seqs: ids });

const FlagHolders = Type.Object({ bits: Type.Integer(), user_ids: ids });

const UpdateDelivery = Type.Object({
  /** People with an open queue who have not read the message. */
  unread_by: ids,
  /** Everybody with flags on the message, grouped by flags. */
  holders: Type.Array(FlagHolders),
  mentions_everyone: Type.Boolean(),
  channel_id: Type.Union([Type.Integer(), Type.Null()]),
  home_channel_id: Type.Union([Type.Integer(), Type.Null()]),
  seq: Type.Integer(),
  heard: Type.Optional(Heard),
  /** Leaves out people who may not read the messages in their new channel. */
  only_readers_of: Type.Optional(MovedTo),
  /** Leaves out the subscribers of this channel, who get another event. */
  not_subscribers_of: Type.Optional(Type.Integer()),
});
export type UpdateDelivery = Static<typeof UpdateDelivery>;

export const MessageUpdated = Type.Object(
  {
    type: Type.Literal('update_message'),
    user_id: Type.Union([Type.Integer(), Type.Null()]),
    edit_timestamp: Type.Integer(),
    message_id: Type.Integer(),
    message_ids: ids,
    flags: names,
    rendering_only: Type.Boolean(),
    orig_content: Type.Optional(Type.String()),
    orig_rendered_content: Type.Optional(Type.String()),
    content: Type.Optional(Type.String()),
    rendered_content: Type.Optional(Type.String()),
    is_me_message: Type.Optional(Type.Boolean()),
    stream_id: Type.Optional(Type.Integer()),
    stream_name: Type.Optional(Type.String()),
    orig_subject: Type.Optional(Type.String()),
    subject: Type.Optional(Type.String()),
    topic_links: Type.Optional(
      Type.Array(Type.Object({ text: Type.String(), url: Type.String() })),
    ),
    propagate_mode: Type.Optional(Type.String()),
    new_stream_id: Type.Optional(Type.Integer()),
    delivery: Type.Optional(UpdateDelivery),
  },
  { additionalProperties: false },
);
export type MessageUpdated = Static<typeof MessageUpdated>;

const DeletionDelivery = Type.Object({
  heard: Type.Optional(Heard),
  /** Only for people who may not read the messages in their new channel. */
  not_readers_of: Type.Optional(MovedTo),
});
export type DeletionDelivery = Static<typeof DeletionDelivery>;

export const MessagesDeleted = Type.Object(
  {
    type: Type.Literal('delete_message'),
    message_type: Type.Union([Type.Literal('stream'), Type.Literal('private')]),
    message_ids: Type.Optional(ids),
    message_id: Type.Optional(Type.Integer({ description: 'To clients without bulk deletion.' })),
    stream_id: Type.Optional(Type.Integer()),
    topic: Type.Optional(Type.String()),
    delivery: Type.Optional(DeletionDelivery),
  },
  { additionalProperties: false },
);
export type MessagesDeleted = Static<typeof MessagesDeleted>;

export const messagesDeleted = (
  messageIds: readonly number[],
  from: { readonly channelId: number; readonly topic: string } | undefined,
  delivery?: DeletionDelivery,
): MessagesDeleted => ({
  type: 'delete_message',
  message_type: from === undefined ? 'private' : 'stream',
  message_ids: [...messageIds].sort((a, b) => a - b),
  ...(from !== undefined && { stream_id: from.channelId, topic: from.topic }),
  ...(delivery !== undefined && { delivery }),
});

export const MESSAGE_EVENTS = [MessageSent, MessageUpdated, MessagesDeleted];
