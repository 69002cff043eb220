// Notifies browsers through the push services of their makers, which cannot read the content.
import webPush from 'web-push';
import type { Context } from '../../../platform/context.ts';
import { postOutbound } from '../../../platform/http/outbound.ts';
import { DAY_SECONDS } from '../../../platform/std/time.ts';
import { hasWebPush, keysOwner, type BrowserKeys } from './actions.ts';
import { deleteSubscriptionById, listSubscriptions, type WebPushSubscription } from './store.ts';

/** A browser that was off for longer gets nothing, because the notification is too old by then. */
const KEPT_SECONDS = DAY_SECONDS;
const GONE = new Set([404, 410]);

/**
 * Notifies all browsers of a person. If one push service fails, the others still get the notification. The failure is
 * logged and not retried, so that nobody is notified twice.
 */
export async function notifyBrowsers(
  ctx: Context,
  userId: number,
  payload: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (!hasWebPush(ctx.config)) return;
  const text = JSON.stringify(payload);
  for (const subscription of await listSubscriptions(ctx.db, userId)) {
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
