// Routes that give and replace API keys.
import { Type } from 'typebox';
import { showChatKey } from '../../../accounts/chat-keys/actions.ts';
import { checkPasswordSuffices } from '../../../accounts/second-factors/actions.ts';
import { limitKeyOf } from '../../../platform/http/address.ts';
import { chatRoute } from '../../http/route.ts';
import { renewChatKeyIn } from './actions.ts';
import { accessSession, proveForKey } from './prove.ts';
import { signIn } from './sign-in.ts';

export const postFetchApiKey = chatRoute({
  name: 'fetch-api-key',
  method: 'POST',
  path: '/fetch_api_key',
  allow: 'anyone',
  pool: 'signIn',
  audit: ['chat_key reveal', 'user create'],
  summary: 'Gives your API key for your address and password.',
  params: Type.Object({ username: Type.String(), password: Type.String() }),
  returns: Type.Object({
    api_key: Type.String(),
    email: Type.String(),
    user_id: Type.Integer(),
  }),
  handle: async (ctx, _actor, { username, password }, { caller }) => {
    const user = await signIn(ctx, {
      username,
      password,
      place: { address: limitKeyOf(caller) },
    });
    await checkPasswordSuffices(ctx, user);
    const key = await ctx.inTransaction((tx) => showChatKey(ctx, tx, user, user));
    return { api_key: key, email: user.email, user_id: user.id };
  },
});

export const postRegenerateApiKey = chatRoute({
  name: 'regenerate-api-key',
  method: 'POST',
  path: '/users/me/api_key/regenerate',
  allow: 'guest',
  audit: ['chat_key regenerate'],
  stepUp: 'fresh',
  summary: 'Gives you a new API key; the old one stops working at once.',
  params: Type.Object({}),
  returns: Type.Object({ api_key: Type.String() }),
  handle: async (ctx, actor) => ({
    api_key: await ctx.inTransaction((tx) => renewChatKeyIn(ctx, tx, actor)),
  }),
});

export const postRevealApiKey = chatRoute({
  name: 'reveal-api-key',
  method: 'POST',
  path: '/fetch_api_key',
  allow: 'guest',
  audit: ['chat_key reveal', 'user create'],
  bots: false,
  pool: 'signIn',
  summary: 'Gives your API key to your browser, for your password or a second factor.',
  params: Type.Object({
    password: Type.Optional(
      Type.String({ description: 'Not needed by accounts with a second factor.' }),
    ),
  }),
  returns: Type.Object({ api_key: Type.String(), email: Type.String() }),
  handle: async (ctx, actor, { password = '' }, { caller, session }) => {
    await proveForKey(ctx, accessSession(session), password, caller);
    const key = await ctx.inTransaction((tx) => showChatKey(ctx, tx, actor));
    return { api_key: key, email: actor.email };
  },
});
