// A person's devices in a client's initial state, in both shapes, and how that follows with the events.
import type { Db } from '../../../platform/db/pool.ts';
import { deviceInfo, pushDeviceInfo } from './device.ts';
import type { DeviceEvent, DeviceInfo, PushDeviceEvent, PushDeviceInfo } from './events.ts';
import { listDevices } from './store.ts';

export interface DevicesState {
  readonly devices: Readonly<Record<string, DeviceInfo>>;
  readonly push_devices: Readonly<Record<string, PushDeviceInfo>>;
}

export async function readDevices(db: Db, userId: number): Promise<DevicesState> {
  const devices: Record<string, DeviceInfo> = {};
  const push_devices: Record<string, PushDeviceInfo> = {};
  for (const device of await listDevices(db, userId)) {
    if (device.pushAccountId === null) devices[device.id] = deviceInfo(device);
    else push_devices[device.pushAccountId] = pushDeviceInfo(device);
  }
  return { devices, push_devices };
}

const NOTHING: DeviceInfo = {
  push_key_id: null,
  push_token_id: null,
  pending_push_token_id: null,
  push_token_last_updated_timestamp: null,
  push_registration_error_code: null,
};

export function applyDeviceEvent(
  state: DevicesState,
  event: DeviceEvent | PushDeviceEvent,
): DevicesState {
  if (event.type === 'push_device') {
    const status = event.status as PushDeviceInfo['status'];
    const info = { status, error_code: event.error_code ?? null };
    return { ...state, push_devices: { ...state.push_devices, [event.push_account_id]: info } };
  }
  const { [event.device_id]: _before, ...others } = state.devices;
  if (event.op === 'remove') return { ...state, devices: others };
  if (event.op === 'add') return { ...state, devices: { ...others, [event.device_id]: NOTHING } };
  const { push_key_id, push_token_id, pending_push_token_id } = event;
  const { push_token_last_updated_timestamp, push_registration_error_code } = event;
  const info: DeviceInfo = {
    push_key_id,
    push_token_id,
    pending_push_token_id,
    push_token_last_updated_timestamp,
    push_registration_error_code,
  };
  return { ...state, devices: { ...others, [event.device_id]: info } };
}
