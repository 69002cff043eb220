// Routes to create, change and deactivate bots, and to read and replace their keys.
import { Type } from 'typebox';
import { avatarUrl } from '../../../accounts/users/events.ts';
import type { BotType } from '../../../accounts/user.ts';
import { chatRoute } from '../../http/route.ts';
import { roleParam } from '../users/params.ts';
import {
  changeBot,
  createBot,
  readBotKey,
  readOwnBots,
  removeBot,
  replaceBotKey,
} from './actions.ts';
import { BOT_DEFAULTS } from '../bot-list/events.ts';

const DEFAULTS = {
  default_sending_stream: Type.Null(),
  default_events_register_stream: Type.Null(),
  default_all_public_streams: Type.Boolean(),
};

const Key = Type.Object({ api_key: Type.String() });

/** Embedded bots, which would run inside the server, are refused with a message that says so. */
const botType = Type.Union(
  [1, 2, 3, 4].map((code) => Type.Literal(code as BotType)),
  {
    default: 1,
    description: '1 generic, 2 incoming webhook, 3 outgoing webhook; 4 (embedded) is refused',
  },
);

const payloadUrl = Type.String({
  'x-quoted': true,
  description: 'Where an outgoing webhook is called; plain, or as JSON.',
});
const interfaceType = Type.Integer({ description: '1 the form of this API, 2 that of Slack' });

export const getBots = chatRoute({
  name: 'get-bots',
  method: 'GET',
  path: '/bots',
  allow: 'member',
  grows: 'organization',
  bots: false,
  audit: ['chat_key reveal'],
  stepUp: 'fresh',
  summary: 'Your own active bots, with their keys.',
  params: Type.Object({}),
  returns: Type.Object({
    bots: Type.Array(
      Type.Object({
        user_id: Type.Integer(),
        username: Type.String({ description: 'The address of the bot.' }),
        full_name: Type.String(),
        api_key: Type.String(),
        avatar_url: Type.String(),
        ...DEFAULTS,
      }),
    ),
  }),
  handle: async (ctx, actor) => {
    const own = await readOwnBots(ctx, actor);
    return {
      bots: own.map(({ bot, key }) => ({
        user_id: bot.id,
        username: bot.email,
        full_name: bot.fullName,
        api_key: key,
        avatar_url: avatarUrl(bot),
        ...BOT_DEFAULTS,
      })),
    };
  },
});

export const postBot = chatRoute({
  name: 'create-bot',
  method: 'POST',
  path: '/bots',
  allow: 'member',
  audit: ['bot create'],
  bots: false,
  summary: 'Makes a bot that belongs to you.',
  params: Type.Object({
    full_name: Type.String(),
    short_name: Type.String({ maxLength: 60 }),
    bot_type: Type.Optional(botType),
    payload_url: Type.Optional(payloadUrl),
    interface_type: Type.Optional(interfaceType),
  }),
  returns: Type.Object({
    user_id: Type.Integer(),
    api_key: Type.String(),
    avatar_url: Type.String(),
    ...DEFAULTS,
  }),
  handle: async (ctx, actor, params) => {
    const { full_name, short_name, bot_type = 1, payload_url = '', interface_type = 1 } = params;
    const { user, chatKey } = await createBot(ctx, actor, {
      fullName: full_name,
      shortName: short_name,
      botType: bot_type,
      payloadUrl: payload_url,
      interfaceType: interface_type,
    });
    return { user_id: user.id, api_key: chatKey, avatar_url: avatarUrl(user), ...BOT_DEFAULTS };
  },
});

export const patchBot = chatRoute({
  name: 'update-bot',
  method: 'PATCH',
  path: '/bots/{bot_id:int}',
  allow: 'member',
  audit: [
    'user set_role',
    'user rename',
    'bot set_owner',
    'bot set_service',
    'chat_key regenerate',
    'session end',
  ],
  // A new owner gets the bot's key.
  stepUp: ({ role, bot_owner_id }) =>
    role !== undefined || bot_owner_id !== undefined ? 'fresh' : undefined,
  bots: false,
  summary: "Changes a bot's name, role or owner, or where an outgoing webhook is called.",
  params: Type.Object({
    full_name: Type.Optional(Type.String()),
    role: Type.Optional(roleParam),
    bot_owner_id: Type.Optional(Type.Integer()),
    service_payload_url: Type.Optional(payloadUrl),
    service_interface: Type.Optional(interfaceType),
  }),
  returns: Type.Object({
    full_name: Type.String(),
    avatar_url: Type.String(),
    bot_owner_id: Type.Union([Type.Integer(), Type.Null()]),
    service_payload_url: Type.Optional(Type.String()),
    service_interface: Type.Optional(Type.Integer()),
    ...DEFAULTS,
  }),
  handle: async (ctx, actor, { bot_id, full_name, role, bot_owner_id, ...given }) => {
    const { bot, service } = await changeBot(ctx, actor, bot_id, {
      fullName: full_name,
      role,
      ownerId: bot_owner_id,
      payloadUrl: given.service_payload_url,
      interfaceType: given.service_interface,
    });
    return {
      full_name: bot.fullName,
      avatar_url: avatarUrl(bot),
      bot_owner_id: bot.botOwnerId,
      ...(service !== undefined && {
        service_payload_url: service.base_url,
        service_interface: service.interface,
      }),
      ...BOT_DEFAULTS,
    };
  },
});

export const deleteBot = chatRoute({
  name: 'deactivate-bot',
  method: 'DELETE',
  path: '/bots/{bot_id:int}',
  allow: 'member',
  audit: ['user deactivate'],
  stepUp: 'fresh',
  bots: false,
  summary: 'Deactivates a bot.',
  params: Type.Object({}),
  returns: Type.Object({}),
  handle: async (ctx, actor, { bot_id }) => {
    await removeBot(ctx, actor, bot_id);
    return {};
  },
});

export const getBotKey = chatRoute({
  name: 'get-bot-api-key',
  method: 'GET',
  path: '/bots/{bot_id:int}/api_key',
  allow: 'member',
  audit: ['chat_key reveal'],
  stepUp: 'fresh',
  bots: false,
  summary: 'The API key of a bot that you manage.',
  params: Type.Object({}),
  returns: Key,
  handle: async (ctx, actor, { bot_id }) => ({ api_key: await readBotKey(ctx, actor, bot_id) }),
});

export const postRegenerateBotKey = chatRoute({
  name: 'regenerate-bot-api-key',
  method: 'POST',
  path: '/bots/{bot_id:int}/api_key/regenerate',
  allow: 'member',
  audit: ['chat_key regenerate'],
  stepUp: 'fresh',
  bots: false,
  summary: 'Gives a bot a new API key; the old one stops working at once.',
  params: Type.Object({}),
  returns: Key,
  handle: async (ctx, actor, { bot_id }) => ({ api_key: await replaceBotKey(ctx, actor, bot_id) }),
});
