// Which message a person's own UUID for it became.
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import type { Tx } from '../../../platform/db/transaction.ts';

/** What is known of a UUID: what was sent under it, and the message if its transaction is over. */
export interface SentRow {
  readonly request: Buffer;
  readonly messageId: bigint | null;
  readonly path: string | null;
}

export async function findSent(
  db: Db,
  senderId: number,
  localId: string,
): Promise<SentRow | undefined> {
  return db
    .selectFrom('sentOnce')
    .select(['request', 'messageId', 'path'])
    .where('senderId', '=', senderId)
    .where('localId', '=', localId)
    .executeTakeFirst();
}

/** Notes that the sender now sends under this UUID; returns the row of an earlier request, or the new one. */
export async function claimSent(
  tx: Tx,
  senderId: number,
  localId: string,
  request: Buffer,
): Promise<SentRow> {
  // Waits for a request with the same UUID that is still running, so that only one of them sends.
  const { rows } = await sql<SentRow>`
    INSERT INTO sent_once (sender_id, local_id, request) VALUES (${senderId}, ${localId}, ${request})
    ON CONFLICT (sender_id, local_id) DO UPDATE SET at = sent_once.at
    RETURNING request, message_id, path`.execute(tx);
  const row = rows[0];
  if (row === undefined) throw new Error(`The id ${localId} could not be claimed.`);
  return row;
}

export async function storeSent(
  tx: Tx,
  senderId: number,
  localId: string,
  { id, path }: { readonly id: number; readonly path: string },
): Promise<void> {
  await tx
    .updateTable('sentOnce')
    .set({ messageId: BigInt(id), path })
    .where('senderId', '=', senderId)
    .where('localId', '=', localId)
    .execute();
}

/** Forgets at most `limit` requests that are older than a day. How many went. */
export async function deleteOldSent(db: Db, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM sent_once AS s
     USING (SELECT sender_id, local_id FROM sent_once WHERE at < now() - interval '1 day'
             ORDER BY at LIMIT ${limit}) AS gone
     WHERE s.sender_id = gone.sender_id AND s.local_id = gone.local_id`.execute(db);
  return Number(numAffectedRows);
}
