import { Type, type Static } from 'typebox';

/** What only the owner of a bot, and administrators, are told of it. Keys are never in an event. */
export const BotRow = Type.Object(
  {
    user_id: Type.Integer(),
    default_sending_stream: Type.Null(),
    default_events_register_stream: Type.Null(),
    default_all_public_streams: Type.Boolean(),
    services: Type.Array(Type.Object({})),
  },
  { additionalProperties: false },
);
export type BotRow = Static<typeof BotRow>;

/** Bots have no channels of their own to begin with: what a bot says, it says where it is told to. */
export const BOT_DEFAULTS = {
  default_sending_stream: null,
  default_events_register_stream: null,
  default_all_public_streams: false,
} as const;

export const botRow = (userId: number): BotRow => ({
  user_id: userId,
  ...BOT_DEFAULTS,
  services: [],
});

const type = Type.Literal('realm_bot');

export const BotAdded = Type.Object(
  { type, op: Type.Literal('add'), bot: BotRow },
  { additionalProperties: false },
);

export const BotRemoved = Type.Object(
  {
    type,
    op: Type.Literal('delete'),
    bot: Type.Object({ user_id: Type.Integer() }, { additionalProperties: false }),
  },
  { additionalProperties: false },
);

export const BOT_EVENTS = [BotAdded, BotRemoved] as const;
export type BotEvent = Static<typeof BotAdded> | Static<typeof BotRemoved>;

export const botAdded = (userId: number): BotEvent => ({
  type: 'realm_bot',
  op: 'add',
  bot: botRow(userId),
});

export const botRemoved = (userId: number): BotEvent => ({
  type: 'realm_bot',
  op: 'delete',
  bot: { user_id: userId },
});
