import { Type } from 'typebox';
import { chatRoute } from '../../http/route.ts';
import { changeStatus, describeStatus } from './actions.ts';
import { UserStatus } from './events.ts';

const params = Type.Object({
  status_text: Type.Optional(
    Type.String({ 'x-strip': true, maxLength: 60, description: 'Empty: takes the text away.' }),
  ),
  away: Type.Optional(Type.Boolean({ description: 'An older name of hiding your presence.' })),
  emoji_name: Type.Optional(
    Type.String({ maxLength: 100, description: 'Empty: takes the emoji away.' }),
  ),
  emoji_code: Type.Optional(Type.String({ maxLength: 100 })),
  reaction_type: Type.Optional(
    Type.String({ maxLength: 100, description: 'unicode_emoji, realm_emoji or zulip_extra_emoji' }),
  ),
});

export const postOwnStatus = chatRoute({
  name: 'update-status',
  method: 'POST',
  path: '/users/me/status',
  allow: 'guest',
  audit: { none: 'own content' },
  bots: false,
  summary: 'Says what you are doing, in a few words or by an emoji.',
  params,
  returns: Type.Object({}),
  handle: async (ctx, actor, given) => {
    await changeStatus(ctx, actor, actor.id, given);
    return {};
  },
});

export const getStatus = chatRoute({
  name: 'get-user-status',
  method: 'GET',
  path: '/users/{user_id:int}/status',
  allow: 'guest',
  summary: 'What somebody says they are doing.',
  params: Type.Object({}),
  returns: Type.Object({ status: UserStatus }),
  handle: async (ctx, actor, { user_id }) => ({
    status: await describeStatus(ctx, actor, user_id),
  }),
});

const { away: _own, ...administered } = params.properties;

export const postStatus = chatRoute({
  name: 'update-status-of-user',
  method: 'POST',
  path: '/users/{user_id:int}/status',
  allow: 'administrator',
  audit: ['user set_status'],
  summary: 'Changes what is said of somebody; whether they hide is theirs alone.',
  params: Type.Object(administered),
  returns: Type.Object({}),
  handle: async (ctx, actor, { user_id, ...given }) => {
    await changeStatus(ctx, actor, user_id, given);
    return {};
  },
});
