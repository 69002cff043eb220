// Reads and writes the addresses of outgoing-webhook bots, and the queue of calls to them.
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import type { Interface, ServiceRow, Services } from './service.ts';

/** The services of these bots, or of all; a bot without one is missing. */
export async function listServices(db: Db, botIds?: readonly number[]): Promise<Services> {
  const all = db.selectFrom('botServices').select(['userId', 'baseUrl', 'interface', 'token']);
  const rows = await (
    botIds === undefined ? all : all.where('userId', '=', sql<number>`ANY (${[...botIds]}::int[])`)
  ).execute();
  return new Map(
    rows.map((row) => [
      row.userId,
      { base_url: row.baseUrl, interface: row.interface, token: row.token },
    ]),
  );
}

/** Locks the row, so that changes happen one after the other. */
export async function lockService(tx: Tx, botId: number): Promise<ServiceRow | undefined> {
  const row = await tx
    .selectFrom('botServices')
    .select(['baseUrl', 'interface', 'token'])
    .where('userId', '=', botId)
    .forUpdate()
    .executeTakeFirst();
  return row && { base_url: row.baseUrl, interface: row.interface, token: row.token };
}

export async function writeService(tx: Tx, botId: number, service: ServiceRow): Promise<void> {
  const values = {
    baseUrl: service.base_url,
    interface: service.interface,
    token: service.token,
  };
  await tx
    .insertInto('botServices')
    .values({ userId: botId, ...values })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(values))
    .execute();
}

export type TriggerKind = 'mention' | 'direct_message';

/** How many calls of one bot may wait. It could not answer more of them while anybody still waits. */
export const CALLS_WAITING_MAX = 100;

/**
 * Queues a call to each of these bots that has an address. Only people call bots, so that two bots never keep each
 * other going; and a bot whose queue is full is not called.
 */
export async function insertCalls(
  tx: Tx,
  messageId: number,
  senderId: number,
  botIds: readonly number[],
  trigger: TriggerKind,
): Promise<void> {
  await sql`
    INSERT INTO bot_calls (bot_id, message_id, trigger)
    SELECT s.user_id, ${messageId}, ${trigger}
      FROM bot_services s JOIN users u ON u.id = s.user_id AND u.is_active
     WHERE s.user_id = ANY (${[...botIds]}::int[]) AND s.user_id <> ${senderId}
       AND EXISTS (SELECT FROM users WHERE id = ${senderId} AND bot_type IS NULL)
       AND (SELECT count(*) FROM (SELECT FROM bot_calls c WHERE c.bot_id = s.user_id
                                   LIMIT ${CALLS_WAITING_MAX}) AS waiting) < ${CALLS_WAITING_MAX}
     ORDER BY s.user_id
    ON CONFLICT DO NOTHING`.execute(tx);
}

export interface ServiceCall {
  readonly id: number;
  readonly botId: number;
  readonly messageId: number;
  readonly trigger: TriggerKind;
  /** The current one included. */
  readonly attempts: number;
  readonly isLate: boolean;
  readonly baseUrl: string;
  readonly interface: Interface;
  readonly token: string;
}

/**
 * Takes the next due call of a bot that is not being called now, so a slow bot delays only itself. The caller has
 * `leaseSeconds` to finish; then the call is due again.
 */
export async function takeCall(
  db: Db,
  leaseSeconds: number,
  lateSeconds: number,
): Promise<ServiceCall | undefined> {
  const { rows } = await sql<Omit<ServiceCall, 'messageId'> & { messageId: bigint }>`
    UPDATE bot_calls c
       SET attempts = attempts + 1,
           running_until = now() + ${leaseSeconds} * interval '1 second',
           next_try_at = now() + ${leaseSeconds} * interval '1 second'
      FROM bot_services s
     WHERE s.user_id = c.bot_id AND c.id = (
       SELECT d.id FROM bot_calls d
        WHERE d.next_try_at <= now()
          AND NOT EXISTS (SELECT FROM bot_calls r
                           WHERE r.bot_id = d.bot_id AND r.running_until > now())
        ORDER BY d.next_try_at, d.id LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING c.id, c.bot_id, c.message_id, c.trigger, c.attempts, s.base_url, s.interface, s.token,
              c.created_at < now() - ${lateSeconds} * interval '1 second' AS is_late`.execute(db);
  const row = rows[0];
  return row && { ...row, messageId: Number(row.messageId) };
}

export async function endCall(db: Db, id: number): Promise<void> {
  await db.deleteFrom('botCalls').where('id', '=', id).execute();
}

export async function postponeCall(db: Db, id: number, seconds: number): Promise<void> {
  await sql`
    UPDATE bot_calls SET running_until = NULL,
           next_try_at = now() + ${seconds} * interval '1 second'
     WHERE id = ${id}`.execute(db);
}

/** Whether the owner of the bot should be told now. True is returned to one caller only, who then tells. */
export async function claimTelling(tx: Tx, botId: number, everySeconds: number): Promise<boolean> {
  const { rows } = await sql`
    UPDATE bot_services SET told_at = now()
     WHERE user_id = ${botId}
       AND (told_at IS NULL OR told_at < now() - ${everySeconds} * interval '1 second')
    RETURNING user_id`.execute(tx);
  return rows.length > 0;
}
