// Registers devices with the relay, in the worker. Retries until the relay accepts or refuses.
import type { Static } from 'typebox';
import type { Context } from '../../../platform/context.ts';
import { defineJob } from '../../../platform/jobs/define.ts';
import { callRelay, RelayError } from '../../../platform/push/relay.ts';
import { organizationUuid } from '../../organization/org/realm.ts';
import { deviceInfo, pushDeviceInfo, type Device } from './device.ts';
import { deviceUpdated, pushDeviceChanged } from './events.ts';
import {
  DeviceToRegister,
  REGISTER_DEVICE,
  REGISTER_TOKEN,
  TokenToRegister,
} from './registration-job-kinds.ts';
import { findDeviceForUpdate, updateDevice, type DeviceChanges } from './store.ts';

/** Errors that only an operator can fix. The job is retried, because the app did nothing wrong. */
const OPERATORS_CODES: ReadonlySet<string> = new Set([
  'INVALID_ZULIP_SERVER',
  'MISSING_REMOTE_REALM',
  'PUSH_NOTIFICATIONS_DISALLOWED',
]);

export const registerPushDevice = defineJob({
  ...REGISTER_DEVICE,
  input: DeviceToRegister,
  run: (ctx, input) => register(ctx, input),
});

export const registerPushToken = defineJob({
  ...REGISTER_TOKEN,
  input: TokenToRegister,
  async run(ctx, { userId, kind, token, appId }) {
    await callRelay(
      ctx.config,
      'push/register',
      new URLSearchParams({
        realm_uuid: organizationUuid(ctx),
        user_id: String(userId),
        token,
        token_kind: kind === 'apns' ? '1' : '2',
        ...(appId !== '' && { ios_app_id: appId }),
      }),
    );
  },
});

async function register(ctx: Context, input: Static<typeof DeviceToRegister>): Promise<void> {
  const device = await findDeviceForUpdate(ctx.db, input.deviceId);
  // The device was removed or registered again meanwhile.
  if (device?.registration !== input.registration) return;
  let changes: DeviceChanges;
  try {
    changes = await tell(ctx, device, input);
  } catch (error) {
    if (!isFinal(error)) {
      ctx.log.warn({ err: error, deviceId: device.id }, 'A device could not be registered yet.');
      throw error;
    }
    changes = { errorCode: error.code === '' ? 'BAD_REQUEST' : error.code };
  }
  await settle(ctx, input, changes);
}

async function tell(
  ctx: Context,
  device: Device,
  { relayPublicKey, sealedRegistration }: Static<typeof DeviceToRegister>,
): Promise<DeviceChanges> {
  const { pushAccountId, pendingPushTokenId } = device;
  const name: Record<string, string> =
    pushAccountId === null
      ? { token_id: pendingPushTokenId ?? '' }
      : { push_account_id: String(pushAccountId) };
  const answer = await callRelay(
    ctx.config,
    'push/e2ee/register',
    new URLSearchParams({
      realm_uuid: organizationUuid(ctx),
      ...name,
      bouncer_public_key: relayPublicKey,
      encrypted_push_registration: sealedRegistration,
    }),
  );
  if (pushAccountId === null) return { pushTokenId: pendingPushTokenId, pendingPushTokenId: null };
  const { device_id: relayDeviceId } = answer;
  if (typeof relayDeviceId === 'number' && Number.isSafeInteger(relayDeviceId)) {
    return { relayDeviceId };
  }
  throw new RelayError('failing', 'The push relay gave the device no number.');
}

/** The relay would give the same answer again. */
const isFinal = (error: unknown): error is RelayError =>
  error instanceof RelayError &&
  error.trouble === 'refused' &&
  error.status === 400 &&
  !OPERATORS_CODES.has(error.code);

async function settle(
  ctx: Context,
  { deviceId, registration }: { deviceId: number; registration: number },
  changes: DeviceChanges,
): Promise<void> {
  await ctx.inTransaction(async (tx) => {
    const now = await findDeviceForUpdate(tx, deviceId);
    if (now?.registration !== registration) return;
    const device = await updateDevice(tx, deviceId, changes);
    const { pushAccountId } = device;
    const event =
      pushAccountId === null
        ? deviceUpdated(deviceId, deviceInfo(device))
        : pushDeviceChanged(pushAccountId, pushDeviceInfo(device));
    tx.emit(event, { users: [device.userId] });
  });
}
