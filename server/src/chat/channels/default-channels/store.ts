// The rows of default channels.
import type { Db } from '../../../platform/db/pool.ts';

/** Ascending. */
export async function listDefaultChannelIds(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('defaultChannels')
    .select('channelId')
    .orderBy('channelId')
    .execute();
  return rows.map(({ channelId }) => channelId);
}

/** False when it was one already. */
export async function insertDefaultChannel(tx: Db, channelId: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('defaultChannels')
    .values({ channelId })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export async function deleteDefaultChannel(tx: Db, channelId: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('defaultChannels')
    .where('channelId', '=', channelId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

export async function isDefaultChannel(db: Db, channelId: number): Promise<boolean> {
  const row = await db
    .selectFrom('defaultChannels')
    .select('channelId')
    .where('channelId', '=', channelId)
    .executeTakeFirst();
  return row !== undefined;
}
