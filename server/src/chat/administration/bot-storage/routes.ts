import { Type } from 'typebox';
import { chatRoute } from '../../http/route.ts';
import { getStorage, putStorage, removeStorage } from './actions.ts';

const KEYS_MAX = 1000;
const keys = Type.Optional(
  Type.Array(Type.String(), { maxItems: KEYS_MAX, description: 'Without it: all of them.' }),
);

export const getBotStorage = chatRoute({
  name: 'get-bot-storage',
  method: 'GET',
  path: '/bot_storage',
  allow: 'guest',
  grows: 'person',
  summary: 'What you keep here; for bots.',
  params: Type.Object({ keys }),
  returns: Type.Object({ storage: Type.Record(Type.String(), Type.String()) }),
  handle: async (ctx, actor, given) => ({ storage: await getStorage(ctx, actor, given.keys) }),
});

export const putBotStorage = chatRoute({
  name: 'update-bot-storage',
  method: 'PUT',
  path: '/bot_storage',
  allow: 'guest',
  audit: { none: 'own content' },
  summary: 'Keeps texts under names, in the place of what stood there; for bots.',
  params: Type.Object({
    storage: Type.Record(Type.String(), Type.String(), { description: 'Texts by their names.' }),
  }),
  returns: Type.Object({}),
  handle: async (ctx, actor, { storage }) => {
    await putStorage(ctx, actor, storage);
    return {};
  },
});

export const deleteBotStorage = chatRoute({
  name: 'remove-bot-storage',
  method: 'DELETE',
  path: '/bot_storage',
  allow: 'guest',
  audit: { none: 'own content' },
  summary: 'Forgets what stands under these names, or everything; for bots.',
  params: Type.Object({ keys }),
  returns: Type.Object({}),
  handle: async (ctx, actor, given) => {
    await removeStorage(ctx, actor, given.keys);
    return {};
  },
});
