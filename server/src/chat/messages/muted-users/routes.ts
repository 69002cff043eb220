import { Type } from 'typebox';
import { chatRoute } from '../../http/route.ts';
import { muteUser, unmuteUser } from './actions.ts';

const path = '/users/me/muted_users/{muted_user_id:int}';

export const postMutedUser = chatRoute({
  name: 'mute-user',
  method: 'POST',
  path,
  allow: 'guest',
  audit: { none: 'own settings' },
  summary: 'Mutes somebody: what they write is read already, for you.',
  params: Type.Object({}),
  returns: Type.Object({}),
  handle: async (ctx, actor, { muted_user_id }) => {
    await muteUser(ctx, actor, muted_user_id);
    return {};
  },
});

export const deleteMutedUser = chatRoute({
  name: 'unmute-user',
  method: 'DELETE',
  path,
  allow: 'guest',
  audit: { none: 'own settings' },
  summary: 'Hears somebody again.',
  params: Type.Object({}),
  returns: Type.Object({}),
  handle: async (ctx, actor, { muted_user_id }) => {
    await unmuteUser(ctx, actor, muted_user_id);
    return {};
  },
});
