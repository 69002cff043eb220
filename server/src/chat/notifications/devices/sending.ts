// Sends notifications to the relay, in a separately sealed copy for each device.
import type { Context } from '../../../platform/context.ts';
import { callRelay } from '../../../platform/push/relay.ts';
import { parseStoredPushKey, sealFor } from '../../../platform/push/seal.ts';
import { organizationUuid } from '../../organization/org/realm.ts';
import { deviceInfo, keyOwner, pushDeviceInfo, type Device } from './device.ts';
import { deviceUpdated, pushDeviceChanged } from './events.ts';
import { findDeviceForUpdate, updateDevice } from './store.ts';

/** The relay's error for a token that Apple or Google no longer knows. */
const GONE = 'INVALID_REMOTE_PUSH_DEVICE_TOKEN';

/** Alerts are shown at once. Removing notifications can wait until the phone is awake. */
export type Urgency = 'alert' | 'background';

/** Throws a RelayError. Marks devices as failed that the relay no longer knows. */
export async function notifyDevices(
  ctx: Context,
  devices: readonly Device[],
  payload: Readonly<Record<string, unknown>>,
  urgency: Urgency,
): Promise<void> {
  if (devices.length === 0) return;
  const text = JSON.stringify(payload);
  const answer = await callRelay(ctx.config, 'push/e2ee/notify', {
    realm_uuid: organizationUuid(ctx),
    push_requests: await Promise.all(
      devices.map((device) => pushRequest(ctx, device, text, urgency)),
    ),
  });
  const lost = new Set([
    ...listOf(answer['delete_device_ids']).map((id) => `device ${String(id)}`),
    ...listOf(answer['delete_token_ids_base64']).map((id) => `token ${String(id)}`),
  ]);
  for (const device of devices) if (lost.has(nameOf(device))) await writeOff(ctx, device);
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const nameOf = ({ pushAccountId, relayDeviceId, pushTokenId }: Device): string =>
  pushAccountId === null ? `token ${pushTokenId}` : `device ${relayDeviceId}`;

async function pushRequest(
  ctx: Context,
  device: Device,
  text: string,
  urgency: Urgency,
): Promise<Record<string, unknown>> {
  const { userId, pushKeySealed, pushAccountId } = device;
  if (pushKeySealed === null) throw new Error(`Device ${device.id} is reachable without a key.`);
  const key = parseStoredPushKey(ctx.secrets.open(keyOwner(userId), pushKeySealed));
  const payload = {
    ...(pushAccountId === null
      ? { push_key_id: device.pushKeyId }
      : { push_account_id: pushAccountId }),
    encrypted_data: await sealFor(key, text),
  };
  const named =
    pushAccountId === null ? { token_id: device.pushTokenId } : { device_id: device.relayDeviceId };
  const isAlert = urgency === 'alert';
  if (device.tokenKind === 'fcm') {
    return { ...named, fcm_priority: isAlert ? 'high' : 'normal', payload };
  }
  return {
    ...named,
    http_headers: { apns_priority: isAlert ? 10 : 5, apns_push_type: urgency },
    payload: {
      ...payload,
      aps: isAlert
        ? { 'mutable-content': 1, alert: { title: 'New notification' }, sound: 'default' }
        : { 'content-available': 1 },
    },
  };
}

async function writeOff(ctx: Context, { id, registration }: Device): Promise<void> {
  await ctx.inTransaction(async (tx) => {
    const now = await findDeviceForUpdate(tx, id);
    if (now?.registration !== registration) return;
    const device = await updateDevice(tx, id, {
      relayDeviceId: null,
      pushTokenId: null,
      errorCode: GONE,
    });
    const { pushAccountId } = device;
    const event =
      pushAccountId === null
        ? deviceUpdated(id, deviceInfo(device))
        : pushDeviceChanged(pushAccountId, pushDeviceInfo(device));
    tx.emit(event, { users: [device.userId] });
  });
}
