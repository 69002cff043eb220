// Our extension: other servers of the chat API do not have these routes.
import { Type } from 'typebox';
import { chatRoute } from '../../http/route.ts';
import { unixSeconds } from '../../../platform/std/time.ts';
import { listBrowsers, subscribeBrowser, unsubscribeBrowser } from './actions.ts';
import { testBrowser } from './sending.ts';

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
  summary:
    'Notifies a browser from now on. One that subscribes in a session is notified until that session ends.',
  params: Type.Object({ endpoint, p256dh: key, auth: key }),
  returns: Type.Object({}),
  handle: async (ctx, actor, { endpoint: url, p256dh, auth }, { device, sessionId }) => {
    await subscribeBrowser(ctx, actor, {
      endpoint: url,
      keys: { p256dh, auth },
      device,
      sessionId,
    });
    return {};
  },
});

export const getWebPushSubscriptions = chatRoute({
  name: 'get-browser-subscriptions',
  method: 'GET',
  path: '/users/me/web_push_subscriptions',
  allow: 'guest',
  bots: false,
  grows: 'person',
  summary: 'Your browsers that are notified, the oldest first.',
  params: Type.Object({}),
  returns: Type.Object({
    subscriptions: Type.Array(
      Type.Object({
        endpoint: Type.String({ description: 'By which a browser recognises itself.' }),
        device: Type.String({ description: 'Such as `Firefox on Linux`; empty if unknown.' }),
        created_at: Type.Integer({ description: 'Unix seconds.' }),
      }),
    ),
  }),
  handle: async (ctx, actor) => ({
    subscriptions: (await listBrowsers(ctx, actor)).map(({ endpoint: url, device, createdAt }) => ({
      endpoint: url,
      device,
      created_at: unixSeconds(createdAt),
    })),
  }),
});

export const postWebPushTest = chatRoute({
  name: 'test-browser',
  method: 'POST',
  path: '/users/me/web_push_subscriptions/test',
  allow: 'guest',
  audit: { none: 'nothing' },
  bots: false,
  cost: 'push',
  summary: 'Sends a test to one of your browsers.',
  params: Type.Object({ endpoint }),
  returns: Type.Object({}),
  handle: async (ctx, actor, { endpoint: url }) => {
    await testBrowser(ctx, actor, url);
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
