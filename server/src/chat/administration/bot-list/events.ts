import { Type, type Static } from 'typebox';
import { ServiceRow, type Services } from '../../messages/bot-services/service.ts';

/**
 * What only the owner of a bot and administrators know of it. API keys are never in an event. The token of an outgoing
 * webhook is: it gives no access here, and clients show it so that people can copy it into the program that is called.
 */
export const BotRow = Type.Object(
  {
    user_id: Type.Integer(),
    default_sending_stream: Type.Null(),
    default_events_register_stream: Type.Null(),
    default_all_public_streams: Type.Boolean(),
    services: Type.Array(ServiceRow),
  },
  { additionalProperties: false },
);
export type BotRow = Static<typeof BotRow>;

/** Bots start without channels: a bot posts only where its program tells it to. */
export const BOT_DEFAULTS = {
  default_sending_stream: null,
  default_events_register_stream: null,
  default_all_public_streams: false,
} as const;

const listOf = (service: ServiceRow | undefined): ServiceRow[] =>
  service === undefined ? [] : [service];

export const botRow = (userId: number, services: Services): BotRow => ({
  user_id: userId,
  ...BOT_DEFAULTS,
  services: listOf(services.get(userId)),
});

const type = Type.Literal('realm_bot');

export const BotAdded = Type.Object(
  { type, op: Type.Literal('add'), bot: BotRow },
  { additionalProperties: false },
);

export const BotUpdated = Type.Object(
  {
    type,
    op: Type.Literal('update'),
    bot: Type.Object(
      { user_id: Type.Integer(), services: Type.Array(ServiceRow) },
      { additionalProperties: false },
    ),
  },
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

export const BOT_EVENTS = [BotAdded, BotUpdated, BotRemoved] as const;
export type BotEvent =
  Static<typeof BotAdded> | Static<typeof BotUpdated> | Static<typeof BotRemoved>;

export const botAdded = (userId: number, services: Services): BotEvent => ({
  type: 'realm_bot',
  op: 'add',
  bot: botRow(userId, services),
});

export const botUpdated = (userId: number, services: Services): BotEvent => ({
  type: 'realm_bot',
  op: 'update',
  bot: { user_id: userId, services: listOf(services.get(userId)) },
});

export const botRemoved = (userId: number): BotEvent => ({
  type: 'realm_bot',
  op: 'delete',
  bot: { user_id: userId },
});
