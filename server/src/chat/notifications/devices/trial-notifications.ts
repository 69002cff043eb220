// Test notifications, which people request to see whether they arrive.
import type { User } from '../../../accounts/user.ts';
import type { ApiContext } from '../../../platform/context.ts';
import { callRelay, hasRelay } from '../../../platform/push/relay.ts';
import { unixSeconds } from '../../../platform/std/time.ts';
import { readOrganizationSettings } from '../../organization/org/access.ts';
import { organizationUuid } from '../../organization/org/realm.ts';
import {
  adminActionRequired,
  invalidPushDeviceToken,
  noActivePushDevice,
  relayRefusal,
} from './errors.ts';
import { notifyDevices } from './sending.ts';
import { listReachable, listTokens } from './store.ts';

export interface TestTarget {
  readonly accountId?: number | undefined;
  readonly deviceId?: number | undefined;
}

/** For one device, or for all of a person's. Waits for the relay, because the caller wants to know its errors. */
export async function testDevices(
  ctx: ApiContext,
  actor: User,
  { accountId, deviceId }: TestTarget,
): Promise<void> {
  const devices = (await listReachable(ctx.db, actor.id)).filter(
    (device) =>
      (accountId === undefined || device.pushAccountId === accountId) &&
      (deviceId === undefined || (device.id === deviceId && device.pushAccountId === null)),
  );
  if (devices.length === 0) throw noActivePushDevice();
  await trying(ctx, async () => {
    const payload = { type: 'test', ...(await describe(ctx, actor)) };
    await notifyDevices(ctx, devices, payload, 'alert');
  });
}

/** The same for tokens of apps that do not encrypt. */
export async function testTokens(
  ctx: ApiContext,
  actor: User,
  token: string | undefined,
): Promise<void> {
  const tokens = (await listTokens(ctx.db, actor.id)).filter(
    (one) =>
      token === undefined || one.token === (one.kind === 'apns' ? token.toLowerCase() : token),
  );
  if (token !== undefined && tokens.length === 0) throw invalidPushDeviceToken();
  await trying(ctx, async () => {
    const base = await describe(ctx, actor);
    for (const one of tokens) {
      await callRelay(ctx.config, 'push/test_notification', {
        realm_uuid: organizationUuid(ctx),
        user_id: actor.id,
        token: one.token,
        token_kind: one.kind === 'apns' ? 1 : 2,
        base_payload: { event: 'test', ...base },
      });
    }
  });
}

async function describe(ctx: ApiContext, actor: User): Promise<Record<string, unknown>> {
  const { name } = await readOrganizationSettings(ctx.db);
  return {
    realm_name: name,
    realm_url: ctx.publicUrl(),
    time: unixSeconds(ctx.clock.now()),
    user_id: actor.id,
  };
}

async function trying(ctx: ApiContext, work: () => Promise<void>): Promise<void> {
  if (!hasRelay(ctx.config)) throw adminActionRequired();
  try {
    await work();
  } catch (error) {
    ctx.log.warn({ err: error }, 'A test notification was not sent.');
    throw relayRefusal(error);
  }
}
