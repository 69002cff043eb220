// Events about a person's own flags, for their other clients.
import { Type, type Static } from 'typebox';

const Details = Type.Object(
  {
    type: Type.Union([Type.Literal('stream'), Type.Literal('private')]),
    mentioned: Type.Optional(Type.Boolean()),
    user_ids: Type.Optional(Type.Array(Type.Integer(), { description: 'Everybody else.' })),
    stream_id: Type.Optional(Type.Integer()),
    topic: Type.Optional(Type.String()),
    unmuted_stream_msg: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
export type UnreadDetails = Static<typeof Details>;

export const FlagsAdded = Type.Object(
  {
    type: Type.Literal('update_message_flags'),
    op: Type.Literal('add'),
    operation: Type.Literal('add'),
    flag: Type.String(),
    messages: Type.Array(Type.Integer()),
    all: Type.Boolean({ description: 'Everything was marked, whatever `messages` says.' }),
  },
  { additionalProperties: false },
);

export const FlagsRemoved = Type.Object(
  {
    type: Type.Literal('update_message_flags'),
    op: Type.Literal('remove'),
    operation: Type.Literal('remove'),
    flag: Type.String(),
    messages: Type.Array(Type.Integer()),
    all: Type.Boolean(),
    message_details: Type.Optional(
      Type.Record(Type.String(), Details, {
        description: 'By message id, for what is unread again.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const FLAG_EVENTS = [FlagsAdded, FlagsRemoved];
export type FlagsEvent = Static<typeof FlagsAdded> | Static<typeof FlagsRemoved>;

export const flagsAdded = (flag: string, messages: readonly number[], all = false) =>
  ({
    type: 'update_message_flags',
    op: 'add',
    operation: 'add',
    flag,
    messages: [...messages],
    all,
  }) as const;

export const flagsRemoved = (
  flag: string,
  messages: readonly number[],
  details?: Readonly<Record<string, UnreadDetails>>,
) =>
  ({
    type: 'update_message_flags',
    op: 'remove',
    operation: 'remove',
    flag,
    messages: [...messages],
    all: false,
    ...(details !== undefined && { message_details: details }),
  }) as const;
