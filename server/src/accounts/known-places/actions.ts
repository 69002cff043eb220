// Remembers from where people have signed in before. Their attempts from there are not counted
// together with strangers'. It proves nothing else, and opens nothing without the password.
import type { Context } from '../../platform/context.ts';
import type { Db } from '../../platform/db/pool.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import { DAY_SECONDS } from '../../platform/std/time.ts';
import { createToken, isToken } from '../sessions/token.ts';
import type { User } from '../user.ts';
import {
  copyDevices,
  deleteOldestAddresses,
  deleteOldestDevices,
  deletePlacesOlder,
  findAddressOwner,
  findDeviceOwner,
  isDeviceOf,
  upsertAddress,
  upsertDevice,
} from './store.ts';

/** Browsers keep no cookie for longer. */
export const DEVICE_DAYS = 400;
const ADDRESS_DAYS = 30;
const DEVICES_MAX = 50;
const ADDRESSES_MAX = 50;
/** The number of people who may share a browser. */
const USERS_PER_DEVICE_MAX = 10;

export const DEVICE_COOKIE_SECONDS = DEVICE_DAYS * DAY_SECONDS;

type Keyed = Pick<Secrets, 'lookup'>;

export const deviceLookupOf = ({ lookup }: Keyed, token: string): Buffer => lookup('device', token);

export type KnownPlace =
  | { readonly kind: 'device'; readonly userId: number; readonly tokenLookup: Buffer }
  | { readonly kind: 'address'; readonly userId: number };

export interface SignInVisit {
  /** The name that was typed. */
  readonly name: string;
  /** Its keyed hash, for names that are not addresses. */
  readonly nameLookup: Buffer;
  readonly address: string;
  readonly device: string | undefined;
}

/** Whether the named person has signed in from here before. A device says more than an address. */
export async function findKnownPlace(
  db: Db,
  secrets: Keyed,
  { name: typed, nameLookup, address, device }: SignInVisit,
): Promise<KnownPlace | undefined> {
  const name = typed.trim().toLowerCase();
  if (device !== undefined && isToken(device)) {
    const tokenLookup = deviceLookupOf(secrets, device);
    const given = { tokenLookup, name, nameLookup, days: DEVICE_DAYS };
    const userId = await findDeviceOwner(db, given);
    if (userId !== undefined) return { kind: 'device', userId, tokenLookup };
  }
  const userId = await findAddressOwner(db, { address, name, nameLookup, days: ADDRESS_DAYS });
  return userId === undefined ? undefined : { kind: 'address', userId };
}

/** People who type their address are found by it; only other names have to be remembered. */
const rememberedName = (
  { email }: User,
  name: string | undefined,
  nameLookup: Buffer | undefined,
): Buffer | null =>
  name === undefined || name.trim().toLowerCase() === email.toLowerCase()
    ? null
    : (nameLookup ?? null);

export async function noteAddress(
  tx: Db,
  user: User,
  { address, name, nameLookup }: Pick<SignInVisit, 'address' | 'name' | 'nameLookup'>,
): Promise<void> {
  await upsertAddress(tx, user, address, rememberedName(user, name, nameLookup));
  await deleteOldestAddresses(tx, user.id, ADDRESSES_MAX);
}

/**
 * Remembers a browser in which somebody signed in, and returns its token. A browser that is known
 * for this person keeps its token. Any other gets a new one, even if it came with a token: an
 * attacker may have planted it.
 */
export async function noteDevice(
  tx: Db,
  secrets: Keyed,
  user: User,
  given: {
    readonly device?: string | undefined;
    readonly name?: string | undefined;
    readonly nameLookup?: Buffer | undefined;
  },
): Promise<string> {
  const { device } = given;
  const nameLookup = rememberedName(user, given.name, given.nameLookup);
  const presented =
    device !== undefined && isToken(device)
      ? { token: device, lookup: deviceLookupOf(secrets, device) }
      : undefined;
  if (presented !== undefined && (await isDeviceOf(tx, user.id, presented.lookup, DEVICE_DAYS))) {
    await upsertDevice(tx, user, presented.lookup, nameLookup);
    return presented.token;
  }
  const token = createToken();
  const lookup = deviceLookupOf(secrets, token);
  if (presented !== undefined) {
    const [from, to] = [presented.lookup, lookup];
    await copyDevices(tx, { from, to, usersMax: USERS_PER_DEVICE_MAX, max: DEVICES_MAX });
  }
  await upsertDevice(tx, user, lookup, nameLookup);
  await deleteOldestDevices(tx, user.id, DEVICES_MAX);
  return token;
}

/** The keyed hash of a browser's token, if this person has signed in with that browser. */
export async function findDeviceOf(
  db: Db,
  secrets: Keyed,
  userId: number,
  device: string | undefined,
): Promise<Buffer | undefined> {
  if (device === undefined || !isToken(device)) return undefined;
  const lookup = deviceLookupOf(secrets, device);
  return (await isDeviceOf(db, userId, lookup, DEVICE_DAYS)) ? lookup : undefined;
}

export {
  countDevicesOf as countKnownDevices,
  listAddressesOf as listKnownAddresses,
  listDeviceLookups,
} from './store.ts';

export const forgetPlaces = ({ db }: Context): Promise<number> =>
  deletePlacesOlder(db, { deviceDays: DEVICE_DAYS, addressDays: ADDRESS_DAYS });
