// A device as it is stored, and as the two APIs for devices describe it.
import { unixSeconds } from '../../../platform/std/time.ts';
import type { DeviceInfo, PushDeviceInfo } from './events.ts';

export type TokenKind = 'apns' | 'fcm';

export interface Device {
  readonly id: number;
  readonly userId: number;
  /** Null for a device of the newer API. */
  readonly pushAccountId: number | null;
  /** The relay's id of the device, in the older API. */
  readonly relayDeviceId: number | null;
  readonly pushKeyId: number | null;
  /** The app's id for its token; null until the relay knows it. */
  readonly pushTokenId: string | null;
  readonly pendingPushTokenId: string | null;
  readonly tokenKind: TokenKind | null;
  readonly tokenUpdatedAt: Date | null;
  readonly pushKeySealed: Buffer | null;
  readonly errorCode: string | null;
  readonly registration: number;
}

export const deviceInfo = (device: Device): DeviceInfo => ({
  push_key_id: device.pushKeyId,
  push_token_id: device.pushTokenId,
  pending_push_token_id: device.pendingPushTokenId,
  push_token_last_updated_timestamp: device.tokenUpdatedAt && unixSeconds(device.tokenUpdatedAt),
  push_registration_error_code: device.errorCode,
});

export function pushDeviceInfo({ relayDeviceId, errorCode }: Device): PushDeviceInfo {
  if (errorCode !== null) return { status: 'failed', error_code: errorCode };
  return { status: relayDeviceId === null ? 'pending' : 'active', error_code: null };
}

/** Binds a sealed key to the person who owns the device. */
export const keyOwner = (userId: number): string => `push key of user ${userId}`;
