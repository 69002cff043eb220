import { Type } from 'typebox';
import { badRequest } from '../../http/errors.ts';
import { chatRoute } from '../../http/route.ts';
import { describePresence, listWhoIsHere, notePresence } from './actions.ts';
import { ClientPresence, Presences, PresenceTimes } from './events.ts';

const server_timestamp = Type.Number({ description: 'Unix seconds, with a fraction' });

export const postPresence = chatRoute({
  name: 'update-presence',
  method: 'POST',
  path: '/users/me/presence',
  allow: 'guest',
  audit: { none: 'signal' },
  grows: 'organization',
  bots: false,
  summary: 'Says that you are here, and asks who else is.',
  params: Type.Object({
    status: Type.String({ description: 'active or idle' }),
    ping_only: Type.Optional(Type.Boolean({ default: false })),
    new_user_input: Type.Optional(Type.Boolean({ default: false })),
    slim_presence: Type.Optional(Type.Boolean({ default: false })),
    last_update_id: Type.Optional(
      Type.Integer({ description: 'Only changes after this; -1 the first time. Implies slim.' }),
    ),
    history_limit_days: Type.Optional(Type.Integer()),
  }),
  returns: Type.Object({
    presences: Type.Optional(Presences),
    presence_last_update_id: Type.Optional(Type.Integer()),
    server_timestamp: Type.Optional(server_timestamp),
  }),
  handle: async (ctx, actor, params) => {
    const { status, ping_only = false, slim_presence = false, last_update_id } = params;
    if (status !== 'active' && status !== 'idle') throw badRequest(`Invalid status: ${status}`);
    await notePresence(ctx, actor, status);
    if (ping_only) return {};
    return {
      ...(await listWhoIsHere(ctx, actor, {
        isSlim: slim_presence || last_update_id !== undefined,
        historyDays: params.history_limit_days,
        lastUpdateId: last_update_id,
      })),
    };
  },
});

export const getRealmPresence = chatRoute({
  name: 'get-realm-presence',
  method: 'GET',
  path: '/realm/presence',
  allow: 'guest',
  grows: 'organization',
  summary: 'Who is here, by address.',
  params: Type.Object({}),
  returns: Type.Object({ presences: Presences, server_timestamp }),
  handle: async (ctx, actor) => {
    const { presences, server_timestamp } = await listWhoIsHere(ctx, actor, { isSlim: false });
    return { presences, server_timestamp };
  },
});

const One = Type.Object({
  presence: Type.Object({
    ...PresenceTimes.properties,
    website: Type.Pick(ClientPresence.properties.aggregated, ['status', 'timestamp']),
    aggregated: Type.Object({
      status: Type.Union(['active', 'idle', 'offline'].map((word) => Type.Literal(word))),
      timestamp: Type.Integer(),
    }),
  }),
  server_timestamp,
});

export const getUserPresence = chatRoute({
  name: 'get-user-presence',
  method: 'GET',
  path: '/users/{user_id:int}/presence',
  allow: 'guest',
  summary: 'When somebody was last here, by id.',
  params: Type.Object({}),
  returns: One,
  handle: (ctx, actor, { user_id }) => describePresence(ctx, actor, user_id),
});

export const getUserPresenceByEmail = chatRoute({
  name: 'get-user-presence-by-email',
  method: 'GET',
  path: '/users/{email}/presence',
  allow: 'guest',
  summary: 'When somebody was last here, by address.',
  params: Type.Object({}),
  returns: One,
  handle: (ctx, actor, { email }) => describePresence(ctx, actor, email),
});
