// Reads and writes uploaded avatars.
import type { Db } from '../../../platform/db/pool.ts';

export interface Picture {
  readonly contentType: string;
  readonly image: Buffer;
  /** Null for images from before there were two sizes. */
  readonly medium: Buffer | null;
}

export async function findPicture(db: Db, userId: number): Promise<Picture | undefined> {
  return db
    .selectFrom('avatars')
    .select(['contentType', 'image', 'medium'])
    .where('userId', '=', userId)
    .executeTakeFirst();
}

export async function upsertPicture(tx: Db, userId: number, picture: Picture): Promise<void> {
  await tx
    .insertInto('avatars')
    .values({ userId, ...picture })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(picture))
    .execute();
}

export async function deletePicture(tx: Db, userId: number): Promise<void> {
  await tx.deleteFrom('avatars').where('userId', '=', userId).execute();
}
