// A person's devices in a client's initial state, for both APIs, and how events change that state.
import type { RegisterPart, StateQuery } from '../../register-part.ts';
import { deviceInfo, pushDeviceInfo } from './device.ts';
import {
  DEVICE_EVENTS,
  type DeviceEvent,
  type DeviceInfo,
  type PushDeviceEvent,
  type PushDeviceInfo,
} from './events.ts';
import { listDevices } from './store.ts';

interface DevicesState {
  readonly devices: Readonly<Record<string, DeviceInfo>>;
  readonly push_devices: Readonly<Record<string, PushDeviceInfo>>;
}

async function loadDevices({ db, user }: StateQuery): Promise<DevicesState> {
  const devices: Record<string, DeviceInfo> = {};
  const push_devices: Record<string, PushDeviceInfo> = {};
  for (const device of await listDevices(db, user.id)) {
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

function applyDeviceEvent(state: DevicesState, event: DeviceEvent | PushDeviceEvent): DevicesState {
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

export const devicesPart = {
  load: {
    device: async ({ once }) => ({ devices: (await once(loadDevices)).devices }),
    push_device: async ({ once }) => ({ push_devices: (await once(loadDevices)).push_devices }),
  },
  events: DEVICE_EVENTS,
  applyInTests: { device: applyDeviceEvent, push_device: applyDeviceEvent },
} satisfies RegisterPart;
