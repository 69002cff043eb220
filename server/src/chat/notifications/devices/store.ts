// The rows of devices and of tokens of apps that do not encrypt.
import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import type { Devices } from '../../../platform/db/schema.generated.ts';
import { isRowId } from '../../../platform/std/ids.ts';
import type { Device, TokenKind } from './device.ts';

const toDevice = ({ createdAt: _c, isReachable: _r, ...row }: Selectable<Devices>): Device => ({
  ...row,
  pushAccountId: row.pushAccountId === null ? null : Number(row.pushAccountId),
  relayDeviceId: row.relayDeviceId === null ? null : Number(row.relayDeviceId),
  pushKeyId: row.pushKeyId === null ? null : Number(row.pushKeyId),
  tokenKind: row.tokenKind as TokenKind | null,
});

/** Lets one transaction at a time change a person's devices. */
export async function lockDevicesOf(tx: Db, userId: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('rialto.devices'), ${userId})`.execute(tx);
}

export async function listDevices(db: Db, userId: number): Promise<Device[]> {
  const rows = await db
    .selectFrom('devices')
    .selectAll()
    .where('userId', '=', userId)
    .orderBy('id')
    .execute();
  return rows.map(toDevice);
}

/** The devices that the relay knows. */
export async function listReachable(db: Db, userId: number): Promise<Device[]> {
  const rows = await db
    .selectFrom('devices')
    .selectAll()
    .where('userId', '=', userId)
    .where('isReachable', '=', true)
    .orderBy('id')
    .execute();
  return rows.map(toDevice);
}

export async function findDeviceForUpdate(tx: Db, id: number): Promise<Device | undefined> {
  if (!isRowId(id)) return undefined;
  const row = await tx
    .selectFrom('devices')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row && toDevice(row);
}

export async function findByAccount(
  tx: Db,
  userId: number,
  accountId: number,
): Promise<Device | undefined> {
  const row = await tx
    .selectFrom('devices')
    .selectAll()
    .where('userId', '=', userId)
    .where('pushAccountId', '=', BigInt(accountId))
    .forUpdate()
    .executeTakeFirst();
  return row && toDevice(row);
}

export async function insertDevice(
  tx: Db,
  device: { readonly userId: number; readonly pushAccountId: number | null; readonly at: Date },
): Promise<Device> {
  const row = await tx
    .insertInto('devices')
    .values({
      userId: device.userId,
      pushAccountId: device.pushAccountId === null ? null : BigInt(device.pushAccountId),
      createdAt: device.at,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toDevice(row);
}

export type DeviceChanges = Partial<Omit<Device, 'id' | 'userId' | 'pushAccountId'>>;

export async function updateDevice(
  tx: Db,
  id: number,
  { relayDeviceId, pushKeyId, ...changes }: DeviceChanges,
): Promise<Device> {
  const row = await tx
    .updateTable('devices')
    .set({
      ...changes,
      ...(relayDeviceId !== undefined && {
        relayDeviceId: relayDeviceId === null ? null : BigInt(relayDeviceId),
      }),
      ...(pushKeyId !== undefined && { pushKeyId: pushKeyId === null ? null : BigInt(pushKeyId) }),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toDevice(row);
}

export async function deleteDevice(tx: Db, id: number): Promise<void> {
  await tx.deleteFrom('devices').where('id', '=', id).execute();
}

/** Returns the ids and accounts of the deleted devices. */
export async function deleteDevicesOf(tx: Db, userId: number): Promise<Device[]> {
  const rows = await tx.deleteFrom('devices').where('userId', '=', userId).returningAll().execute();
  return rows.map(toDevice);
}

export interface PushToken {
  readonly kind: TokenKind;
  readonly token: string;
  readonly appId: string | null;
}

export async function insertToken(
  tx: Db,
  userId: number,
  digest: Buffer,
  { kind, token, appId }: PushToken,
  at: Date,
): Promise<void> {
  await tx
    .insertInto('pushTokens')
    .values({ userId, kind, digest, token, appId, createdAt: at })
    .onConflict((conflict) => conflict.columns(['userId', 'kind', 'digest']).doUpdateSet({ appId }))
    .execute();
}

/** False when it did not exist. */
export async function deleteToken(
  tx: Db,
  userId: number,
  kind: TokenKind,
  digest: Buffer,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('pushTokens')
    .where('userId', '=', userId)
    .where('kind', '=', kind)
    .where('digest', '=', digest)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

export async function listTokens(db: Db, userId: number): Promise<PushToken[]> {
  const rows = await db
    .selectFrom('pushTokens')
    .select(['kind', 'token', 'appId'])
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .execute();
  return rows.map((row) => ({ ...row, kind: row.kind as TokenKind }));
}

export async function deleteTokensOf(tx: Db, userId: number): Promise<void> {
  await tx.deleteFrom('pushTokens').where('userId', '=', userId).execute();
}
