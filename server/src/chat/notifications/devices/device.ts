// What is known of a device, and how it is told in the words of the two shapes of the API.
import { unixSeconds } from '../../../platform/std/time.ts';
import type { DeviceInfo, PushDeviceInfo } from './events.ts';

export type TokenKind = 'apns' | 'fcm';

export interface Device {
  readonly id: number;
  readonly userId: number;
  /** Null for a device of the newer shape. */
  readonly pushAccountId: number | null;
  /** The relay's own number for it, older shape. */
  readonly relayDeviceId: number | null;
  readonly pushKeyId: number | null;
  /** What the app calls its token; null until the relay knows it. */
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

/** A stored key opens for its owner only. */
export const keyOwner = (userId: number): string => `push key of user ${userId}`;
