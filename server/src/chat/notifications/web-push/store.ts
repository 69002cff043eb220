// The rows of browsers that get notifications.
import type { Db } from '../../../platform/db/pool.ts';

export interface WebPushSubscription {
  readonly id: number;
  readonly endpoint: string;
  readonly keysSealed: Buffer;
}

export async function insertSubscription(
  tx: Db,
  userId: number,
  row: { digest: Buffer; endpoint: string; keysSealed: Buffer; createdAt: Date },
): Promise<void> {
  const { keysSealed } = row;
  await tx
    .insertInto('webPushSubscriptions')
    .values({ userId, ...row })
    .onConflict((conflict) => conflict.columns(['userId', 'digest']).doUpdateSet({ keysSealed }))
    .execute();
}

/** A browser belongs to one person: the next person who signs in there takes it over. */
export async function deleteSubscriptionsOfOthers(
  tx: Db,
  userId: number,
  digest: Buffer,
): Promise<void> {
  await tx
    .deleteFrom('webPushSubscriptions')
    .where('digest', '=', digest)
    .where('userId', '!=', userId)
    .execute();
}

export async function listSubscriptions(db: Db, userId: number): Promise<WebPushSubscription[]> {
  return db
    .selectFrom('webPushSubscriptions')
    .select(['id', 'endpoint', 'keysSealed'])
    .where('userId', '=', userId)
    .orderBy('id')
    .execute();
}

/** False when it did not exist. */
export async function deleteSubscription(tx: Db, userId: number, digest: Buffer): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('webPushSubscriptions')
    .where('userId', '=', userId)
    .where('digest', '=', digest)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

export async function deleteSubscriptionById(db: Db, id: number): Promise<void> {
  await db.deleteFrom('webPushSubscriptions').where('id', '=', id).execute();
}

export async function deleteSubscriptionsOf(tx: Db, userId: number): Promise<void> {
  await tx.deleteFrom('webPushSubscriptions').where('userId', '=', userId).execute();
}
