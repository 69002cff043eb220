// Subscribes browsers to notifications by the Web Push protocol (RFC 8030, 8291, 8292).
import { createHash } from 'node:crypto';
import type { User } from '../../../accounts/user.ts';
import type { Config } from '../../../platform/config/schema.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { findUrlProblem } from '../../../platform/http/outbound.ts';
import { pushServiceNotConfigured, tooManyDevices } from '../devices/errors.ts';
import { badRequest } from '../../http/errors.ts';
import { noSuchSubscription } from './errors.ts';
import {
  deleteSubscription,
  deleteSubscriptionsOf,
  deleteSubscriptionsOfOthers,
  insertSubscription,
  listSubscriptions,
  type WebPushSubscription,
} from './store.ts';

export const hasWebPush = ({ WEB_PUSH_PUBLIC_KEY }: Pick<Config, 'WEB_PUSH_PUBLIC_KEY'>): boolean =>
  WEB_PUSH_PUBLIC_KEY !== '';

export const keysOwner = (userId: number): string => `web push keys of user ${userId}`;

/** A browser as its page describes it. */
export interface BrowserToTell {
  readonly endpoint: string;
  readonly keys: BrowserKeys;
  /** Such as `Firefox on Linux`; empty if unknown. */
  readonly device: string;
  /** As long as this session lasts; undefined for a caller with a key. */
  readonly sessionId: bigint | undefined;
}

export interface BrowserKeys {
  /** The browser's public key, an uncompressed point of P-256. */
  readonly p256dh: string;
  /** 16 random bytes of the browser. */
  readonly auth: string;
}

const PUBLIC_KEY_BYTES = 65;
const AUTH_BYTES = 16;

/** Notifies a browser from now on. Subscribing the same endpoint again replaces its keys. */
export function subscribeBrowser(
  ctx: Context,
  actor: User,
  { endpoint, keys, device, sessionId }: BrowserToTell,
): Promise<void> {
  if (!hasWebPush(ctx.config)) throw pushServiceNotConfigured();
  const problem = findUrlProblem(endpoint, ctx.config.WEB_PUSH_ALLOW_PRIVATE === 'true');
  if (problem !== undefined) throw badRequest(`Invalid endpoint: ${problem}.`);
  checkKeys(keys);
  return ctx.inTransaction(async (tx) => {
    const digest = digestOf(endpoint);
    await deleteSubscriptionsOfOthers(tx, actor.id, digest);
    await insertSubscription(tx, actor.id, {
      digest,
      endpoint,
      keysSealed: ctx.secrets.seal(keysOwner(actor.id), JSON.stringify(keys)),
      device,
      sessionId: sessionId ?? null,
      createdAt: new Date(ctx.clock.now()),
    });
    const max = ctx.config.PUSH_DEVICES_PER_USER_MAX;
    if ((await listSubscriptions(tx, actor.id)).length > max) throw tooManyDevices(max);
  });
}

export const listBrowsers = (ctx: Context, actor: User): Promise<readonly WebPushSubscription[]> =>
  listSubscriptions(ctx.db, actor.id);

export function unsubscribeBrowser(ctx: Context, actor: User, endpoint: string): Promise<void> {
  return ctx.inTransaction(async (tx) => {
    const wasThere = await deleteSubscription(tx, actor.id, digestOf(endpoint));
    if (!wasThere) throw noSuchSubscription();
  });
}

/** Deletes all browsers of somebody who is deactivated or gets a new key. */
export const forgetBrowsers = (tx: Tx, userId: number): Promise<void> =>
  deleteSubscriptionsOf(tx, userId);

export const digestOf = (endpoint: string): Buffer =>
  createHash('sha256').update(endpoint).digest();

function checkKeys({ p256dh, auth }: BrowserKeys): void {
  const point = Buffer.from(p256dh, 'base64url');
  if (point.length !== PUBLIC_KEY_BYTES || point[0] !== 4) throw badRequest('Invalid p256dh');
  if (Buffer.from(auth, 'base64url').length !== AUTH_BYTES) throw badRequest('Invalid auth');
}
