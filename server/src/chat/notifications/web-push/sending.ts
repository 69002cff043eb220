// Notifies browsers through the push services of their makers, which cannot read the content.
import webPush from 'web-push';
import type { User } from '../../../accounts/user.ts';
import type { ApiContext, Context } from '../../../platform/context.ts';
import { postOutbound } from '../../../platform/http/outbound.ts';
import { DAY_SECONDS } from '../../../platform/std/time.ts';
import { pushServiceNotConfigured } from '../devices/errors.ts';
import { digestOf, hasWebPush, keysOwner, type BrowserKeys } from './actions.ts';
import { noSuchSubscription, pushServiceFailed } from './errors.ts';
import {
  deleteSubscriptionById,
  findSubscription,
  listSubscriptions,
  type WebPushSubscription,
} from './store.ts';

/** A browser that was off for longer gets nothing, because the notification is too old by then. */
const KEPT_SECONDS = DAY_SECONDS;
const GONE = new Set([404, 410]);

/** Safari ends a subscription that is called and shows nothing, so it hears of no message that was read elsewhere. */
const SHOWS_ALWAYS = 'web.push.apple.com';

/**
 * Notifies all browsers of a person. If one push service fails, the others still get the notification. The failure is
 * logged and not retried, so that nobody is notified twice.
 */
export async function notifyBrowsers(
  ctx: Context,
  userId: number,
  payload: Readonly<Record<string, unknown>>,
  { isShown }: { readonly isShown: boolean },
): Promise<void> {
  if (!hasWebPush(ctx.config)) return;
  const text = JSON.stringify(payload);
  for (const subscription of await listSubscriptions(ctx.db, userId)) {
    if (!isShown && !takesSilence(subscription.endpoint)) continue;
    try {
      const status = await send(ctx, userId, subscription, text);
      // The browser unsubscribed without telling us.
      if (GONE.has(status)) await deleteSubscriptionById(ctx.db, subscription.id);
      else if (status >= 300) {
        ctx.log.warn(
          { status, subscription: subscription.id },
          'A push service refused a notification.',
        );
      }
    } catch (error) {
      ctx.log.warn({ err: error, subscription: subscription.id }, 'A browser was not notified.');
    }
  }
}

export const takesSilence = (endpoint: string): boolean =>
  new URL(endpoint).hostname !== SHOWS_ALWAYS;

/** A real notification for one browser of one's own. Waits for the push service, because the caller wants to know. */
export async function testBrowser(ctx: ApiContext, actor: User, endpoint: string): Promise<void> {
  if (!hasWebPush(ctx.config)) throw pushServiceNotConfigured();
  const found = await findSubscription(ctx.db, actor.id, digestOf(endpoint));
  if (found === undefined) throw noSuchSubscription();
  const payload = { type: 'test', realm_url: ctx.publicUrl(), user_id: actor.id };
  const status = await send(ctx, actor.id, found, JSON.stringify(payload)).catch(
    (error: unknown) => {
      ctx.log.warn({ err: error, subscription: found.id }, 'A test notification was not sent.');
      throw pushServiceFailed();
    },
  );
  if (GONE.has(status)) {
    await deleteSubscriptionById(ctx.db, found.id);
    throw noSuchSubscription();
  }
  if (status >= 300) throw pushServiceFailed(status);
}

function send(
  ctx: Context,
  userId: number,
  { endpoint, keysSealed }: WebPushSubscription,
  text: string,
): Promise<number> {
  const { config } = ctx;
  const keys = JSON.parse(ctx.secrets.open(keysOwner(userId), keysSealed)) as BrowserKeys;
  const details = webPush.generateRequestDetails({ endpoint, keys }, text, {
    vapidDetails: {
      subject: config.WEB_PUSH_CONTACT,
      publicKey: config.WEB_PUSH_PUBLIC_KEY,
      privateKey: config.WEB_PUSH_PRIVATE_KEY,
    },
    contentEncoding: 'aes128gcm',
    TTL: KEPT_SECONDS,
  });
  return postOutbound({
    url: endpoint,
    headers: details.headers,
    body: details.body ?? Buffer.of(),
    timeoutMs: config.PUSH_RELAY_TIMEOUT_MS,
    allowsPrivate: config.WEB_PUSH_ALLOW_PRIVATE === 'true',
  });
}
