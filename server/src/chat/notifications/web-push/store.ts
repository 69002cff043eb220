// The rows of browsers that get notifications.
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';

export interface WebPushSubscription {
  readonly id: number;
  readonly endpoint: string;
  readonly keysSealed: Buffer;
  readonly device: string;
  readonly createdAt: Date;
}

export async function insertSubscription(
  tx: Db,
  userId: number,
  row: {
    digest: Buffer;
    endpoint: string;
    keysSealed: Buffer;
    device: string;
    sessionId: bigint | null;
    createdAt: Date;
  },
): Promise<void> {
  const { keysSealed, device, sessionId } = row;
  await tx
    .insertInto('webPushSubscriptions')
    .values({ userId, ...row })
    .onConflict((conflict) =>
      conflict.columns(['userId', 'digest']).doUpdateSet({ keysSealed, device, sessionId }),
    )
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

/** A session that was ended, here or elsewhere, ends the notifications of its browser at once; upkeep deletes both. */
const IS_SIGNED_IN = sql<boolean>`NOT EXISTS (
  SELECT FROM sessions s WHERE s.id = web_push_subscriptions.session_id AND s.ended_at IS NOT NULL)`;

export async function listSubscriptions(db: Db, userId: number): Promise<WebPushSubscription[]> {
  return db
    .selectFrom('webPushSubscriptions')
    .select(['id', 'endpoint', 'keysSealed', 'device', 'createdAt'])
    .where('userId', '=', userId)
    .where(IS_SIGNED_IN)
    .orderBy('id')
    .execute();
}

export async function findSubscription(
  db: Db,
  userId: number,
  digest: Buffer,
): Promise<WebPushSubscription | undefined> {
  return db
    .selectFrom('webPushSubscriptions')
    .select(['id', 'endpoint', 'keysSealed', 'device', 'createdAt'])
    .where('userId', '=', userId)
    .where('digest', '=', digest)
    .where(IS_SIGNED_IN)
    .executeTakeFirst();
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
