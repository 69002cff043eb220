// Our extension: other servers of the chat API do not have these routes.
import { Type } from 'typebox';
import { chatRoute } from '../../http/route.ts';
import { subscribeBrowser, unsubscribeBrowser } from './actions.ts';

const endpoint = Type.String({ maxLength: 2000, description: 'As the browser gives it.' });
const key = Type.String({ maxLength: 200, pattern: '^[A-Za-z0-9_-]+=*$' });

export const getWebPushKey = chatRoute({
  name: 'get-web-push-key',
  method: 'GET',
  path: '/web_push/key',
  allow: 'guest',
  bots: false,
  summary: 'The key with which a browser subscribes; empty where browsers are not notified.',
  params: Type.Object({}),
  returns: Type.Object({ public_key: Type.String({ description: 'Base64url.' }) }),
  handle: async (ctx) => ({ public_key: ctx.config.WEB_PUSH_PUBLIC_KEY }),
});

export const postWebPushSubscription = chatRoute({
  name: 'subscribe-browser',
  method: 'POST',
  path: '/users/me/web_push_subscriptions',
  allow: 'guest',
  audit: { none: 'own settings' },
  bots: false,
  summary: 'Notifies a browser from now on.',
  params: Type.Object({ endpoint, p256dh: key, auth: key }),
  returns: Type.Object({}),
  handle: async (ctx, actor, { endpoint: url, ...keys }) => {
    await subscribeBrowser(ctx, actor, url, keys);
    return {};
  },
});

export const deleteWebPushSubscription = chatRoute({
  name: 'unsubscribe-browser',
  method: 'DELETE',
  path: '/users/me/web_push_subscriptions',
  allow: 'guest',
  audit: { none: 'own settings' },
  bots: false,
  summary: 'Notifies a browser no more.',
  params: Type.Object({ endpoint }),
  returns: Type.Object({}),
  handle: async (ctx, actor, { endpoint: url }) => {
    await unsubscribeBrowser(ctx, actor, url);
    return {};
  },
});
