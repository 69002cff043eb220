// Registers phones for notifications. Each has a key, with which its notifications are sealed.
import { createHash } from 'node:crypto';
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { hasRelay } from '../../../platform/push/relay.ts';
import { parseGivenPushKey, writePushKey, type PushKey } from '../../../platform/push/seal.ts';
import { badRequest } from '../../http/errors.ts';
import { deviceInfo, keyOwner, pushDeviceInfo, type Device, type TokenKind } from './device.ts';
import {
  invalidDeviceId,
  invalidPushKey,
  pushServiceNotConfigured,
  tooManyDevices,
} from './errors.ts';
import { deviceAdded, deviceRemoved, deviceUpdated, pushDeviceChanged } from './events.ts';
import { REGISTER_DEVICE, REGISTER_TOKEN } from './registration-job-kinds.ts';
import {
  deleteDevice,
  deleteDevicesOf,
  deleteToken,
  deleteTokensOf,
  findByAccount,
  findDeviceForUpdate,
  insertDevice,
  insertToken,
  listDevices,
  listTokens,
  lockDevicesOf,
  updateDevice,
  type DeviceChanges,
} from './store.ts';

/** Registers a device of the newer API; returns its id. */
export function addDevice(ctx: Context, actor: User): Promise<number> {
  return ctx.inTransaction(async (tx) => {
    const device = await createDevice(ctx, tx, actor.id, null);
    tx.emit(deviceAdded(device.id), { users: [actor.id] });
    return device.id;
  });
}

export function removeDevice(ctx: Context, actor: User, id: number): Promise<void> {
  return ctx.inTransaction(async (tx) => {
    await accessDevice(tx, actor, id);
    await deleteDevice(tx, id);
    tx.emit(deviceRemoved(id), { users: [actor.id] });
  });
}

/** The push token, which the app sealed for the relay, so this server cannot read it. */
export interface SealedToken {
  readonly tokenKind: TokenKind;
  readonly relayPublicKey: string;
  readonly sealedRegistration: string;
}

export interface AccountRegistration extends SealedToken {
  readonly accountId: number;
  readonly key: { readonly kind: PushKey['kind']; readonly text: string };
}

/**
 * The older API: one call with everything. A job tells the relay, so that a phone on a slow network need not wait. An
 * event reports the result.
 */
export function registerAccount(
  ctx: Context,
  actor: User,
  { accountId, key, ...token }: AccountRegistration,
): Promise<void> {
  checkRelay(ctx);
  const pushKey = parseGivenPushKey(key.kind, key.text);
  if (pushKey === undefined) throw invalidPushKey();
  return ctx.inTransaction(async (tx) => {
    await lockDevicesOf(tx, actor.id);
    const known = await findByAccount(tx, actor.id, accountId);
    const isAsBefore =
      known?.errorCode === null &&
      known.tokenKind === token.tokenKind &&
      isSameKey(ctx, known, pushKey);
    // A phone sends this again whenever it starts.
    if (isAsBefore) return;
    const device = known ?? (await createDevice(ctx, tx, actor.id, accountId));
    const updated = await updateDevice(tx, device.id, {
      ...sealKey(ctx, actor.id, pushKey),
      tokenKind: token.tokenKind,
      tokenUpdatedAt: new Date(ctx.clock.now()),
      relayDeviceId: null,
      errorCode: null,
      registration: device.registration + 1,
    });
    await askRelay(tx, updated, token);
    tx.emit(pushDeviceChanged(accountId, pushDeviceInfo(updated)), { users: [actor.id] });
  });
}

export interface DeviceRegistration {
  readonly deviceId: number;
  readonly key: { readonly id: number; readonly text: string } | undefined;
  readonly token: (SealedToken & { readonly id: string }) | undefined;
}

/** The newer API: a key, a token, or both, for a registered device. */
export function registerDevice(
  ctx: Context,
  actor: User,
  { deviceId, key, token }: DeviceRegistration,
): Promise<void> {
  checkRelay(ctx);
  return ctx.inTransaction(async (tx) => {
    const device = await accessDevice(tx, actor, deviceId);
    if (key === undefined && token === undefined) {
      throw badRequest(
        'Missing parameters: must provide either all push key fields, all token fields, or both.',
      );
    }
    if (device.pushKeyId === null && (key === undefined || token === undefined)) {
      const what = token === undefined ? 'key' : 'token';
      throw badRequest(`No push registration exists to rotate ${what} for.`);
    }
    if (token !== undefined && device.errorCode === null && device.pendingPushTokenId !== null) {
      throw badRequest('A registration for the device already in progress.');
    }
    const pushKey = key && parseGivenPushKey('secret', key.text);
    if (key !== undefined && pushKey === undefined) throw invalidPushKey();
    const changes: DeviceChanges = {
      ...(key && pushKey && { ...sealKey(ctx, actor.id, pushKey), pushKeyId: key.id }),
      ...(token && startToken(ctx, device, token)),
    };
    const isTokenNew = 'pendingPushTokenId' in changes;
    const isKeyNew =
      pushKey !== undefined && !(device.pushKeyId === key?.id && isSameKey(ctx, device, pushKey));
    if (!isTokenNew && !isKeyNew) return;
    const updated = await updateDevice(tx, deviceId, changes);
    if (isTokenNew && token !== undefined) await askRelay(tx, updated, token);
    tx.emit(deviceUpdated(deviceId, deviceInfo(updated)), { users: [actor.id] });
  });
}

/** No changes if the relay already knows the token. */
function startToken(
  ctx: Context,
  device: Device,
  { id, tokenKind }: { readonly id: string; readonly tokenKind: TokenKind },
): DeviceChanges {
  const isKnown = device.errorCode === null && device.pushTokenId === id;
  if (isKnown && device.tokenKind === tokenKind) return {};
  return {
    pendingPushTokenId: id,
    tokenKind,
    tokenUpdatedAt: new Date(ctx.clock.now()),
    errorCode: null,
    registration: device.registration + 1,
  };
}

async function askRelay(tx: Tx, device: Device, token: SealedToken): Promise<void> {
  await tx.enqueue(REGISTER_DEVICE, {
    deviceId: device.id,
    registration: device.registration,
    relayPublicKey: token.relayPublicKey,
    sealedRegistration: token.sealedRegistration,
  });
}

function checkRelay({ config }: Context): void {
  if (!hasRelay(config)) throw pushServiceNotConfigured();
}

async function createDevice(
  ctx: Context,
  tx: Tx,
  userId: number,
  pushAccountId: number | null,
): Promise<Device> {
  await lockDevicesOf(tx, userId);
  const max = ctx.config.PUSH_DEVICES_PER_USER_MAX;
  if ((await listDevices(tx, userId)).length >= max) throw tooManyDevices(max);
  return insertDevice(tx, { userId, pushAccountId, at: new Date(ctx.clock.now()) });
}

async function accessDevice(tx: Tx, actor: User, id: number): Promise<Device> {
  const device = await findDeviceForUpdate(tx, id);
  if (device?.userId !== actor.id || device.pushAccountId !== null) throw invalidDeviceId();
  return device;
}

const sealKey = ({ secrets }: Context, userId: number, key: PushKey) => ({
  pushKeySealed: secrets.seal(keyOwner(userId), writePushKey(key)),
});

const isSameKey = ({ secrets }: Context, device: Device, key: PushKey): boolean =>
  device.pushKeySealed !== null &&
  secrets.open(keyOwner(device.userId), device.pushKeySealed) === writePushKey(key);

const TOKEN_CHARACTERS_MAX = 4096;
const HEXADECIMAL = /^(?:[0-9A-Fa-f]{2})+$/;

/** Stores the token of an app that does not encrypt. Adding it again changes nothing. */
export function addToken(
  ctx: Context,
  actor: User,
  given: { readonly kind: TokenKind; readonly token: string; readonly appId: string | null },
): Promise<void> {
  const token = checkToken(given.kind, given.token);
  return ctx.inTransaction(async (tx) => {
    await lockDevicesOf(tx, actor.id);
    await insertToken(
      tx,
      actor.id,
      digestOf(token),
      { ...given, token },
      new Date(ctx.clock.now()),
    );
    const max = ctx.config.PUSH_DEVICES_PER_USER_MAX;
    if ((await listTokens(tx, actor.id)).length > max) throw tooManyDevices(max);
    if (!hasRelay(ctx.config)) return;
    await tx.enqueue(REGISTER_TOKEN, {
      userId: actor.id,
      kind: given.kind,
      token,
      appId: given.appId ?? '',
    });
  });
}

export function removeToken(
  ctx: Context,
  actor: User,
  kind: TokenKind,
  text: string,
): Promise<void> {
  const token = checkToken(kind, text);
  return ctx.inTransaction(async (tx) => {
    const wasThere = await deleteToken(tx, actor.id, kind, digestOf(token));
    if (!wasThere) throw badRequest('Token does not exist');
  });
}

/** The token in its stored form: Apple's tokens are hexadecimal, so their case does not matter. */
function checkToken(kind: TokenKind, token: string): string {
  if (token === '' || token.length > TOKEN_CHARACTERS_MAX) {
    throw badRequest('Empty or invalid length token');
  }
  if (kind === 'fcm') return token;
  if (!HEXADECIMAL.test(token)) throw badRequest('Invalid APNS token');
  return token.toLowerCase();
}

const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Deletes all devices of somebody who is deactivated or gets a new key. */
export async function forgetDevices(tx: Tx, userId: number): Promise<void> {
  await deleteTokensOf(tx, userId);
  for (const { id, pushAccountId } of await deleteDevicesOf(tx, userId)) {
    if (pushAccountId === null) tx.emit(deviceRemoved(id), { users: [userId] });
  }
}
