// The rows of statuses.
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import type { Tx } from '../../../platform/db/transaction.ts';

export interface StatusRow {
  readonly statusText: string;
  readonly emojiName: string;
  readonly emojiCode: string;
  readonly reactionType: string;
}

export const NO_STATUS: StatusRow = {
  statusText: '',
  emojiName: '',
  emojiCode: '',
  reactionType: '',
};

const COLUMNS = ['statusText', 'emojiName', 'emojiCode', 'reactionType'] as const;

export async function findStatus(db: Db, userId: number): Promise<StatusRow | undefined> {
  return db
    .selectFrom('userStatuses')
    .select(COLUMNS)
    .where('userId', '=', userId)
    .executeTakeFirst();
}

/** An empty status has no row. */
export async function writeStatus(tx: Tx, userId: number, status: StatusRow): Promise<void> {
  if (status.statusText === '' && status.emojiName === '') {
    await tx.deleteFrom('userStatuses').where('userId', '=', userId).execute();
    return;
  }
  await tx
    .insertInto('userStatuses')
    .values({ userId, ...status })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet({ ...status }))
    .execute();
}

export interface ListedStatus extends StatusRow {
  readonly userId: number;
  readonly isAway: boolean;
}

/** Everybody, or everybody of these, who has a status or hides their presence. */
export async function listStatuses(db: Db, userIds?: readonly number[]): Promise<ListedStatus[]> {
  const some = userIds === undefined ? sql`` : sql`AND u.id = ANY (${[...userIds]}::int[])`;
  const { rows } = await sql<ListedStatus>`
    SELECT u.id AS user_id, coalesce(s.status_text, '') AS status_text,
           coalesce(s.emoji_name, '') AS emoji_name, coalesce(s.emoji_code, '') AS emoji_code,
           coalesce(s.reaction_type, '') AS reaction_type,
           coalesce(u.settings -> 'presence_enabled' = 'false', false) AS is_away
      FROM users u LEFT JOIN user_statuses s ON s.user_id = u.id
     WHERE (s.user_id IS NOT NULL OR u.settings -> 'presence_enabled' = 'false') ${some}
     ORDER BY u.id`.execute(db);
  return rows;
}
