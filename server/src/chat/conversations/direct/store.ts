// Reads and opens the conversations of direct messages.
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';

/** The conversation of exactly these people, who must be ascending and include everybody. */
export async function findConversation(
  db: Db,
  people: readonly number[],
): Promise<number | undefined> {
  const row = await db
    .selectFrom('conversations')
    .select('id')
    .where('kind', '=', 'direct')
    .where('people', '=', sql<number[]>`${[...people]}::int[]`)
    .executeTakeFirst();
  return row?.id;
}

/** Opens it with its counter; undefined when somebody else has just done so. */
export async function insertConversation(
  tx: Db,
  people: readonly number[],
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    WITH opened AS (
      INSERT INTO conversations (kind, people) VALUES ('direct', ${[...people]}::int[])
      ON CONFLICT (people) WHERE kind = 'direct' DO NOTHING RETURNING id
    ), counted AS (
      INSERT INTO conversation_counters (conversation_id) SELECT id FROM opened
    )
    SELECT id FROM opened`.execute(tx);
  return rows[0]?.id;
}

export interface RecentConversation {
  readonly people: readonly number[];
  readonly maxMessageId: number;
}

/** The newest message of each of the person's direct conversations, newest first, at most `limit`. */
export async function listRecentDirect(
  db: Db,
  userId: number,
  limit: number,
): Promise<RecentConversation[]> {
  const { rows } = await sql<{ people: number[]; maxMessageId: bigint }>`
    SELECT d.people, newest.id AS max_message_id
      FROM conversations d
      CROSS JOIN LATERAL (SELECT m.id FROM messages m WHERE m.conversation_id = d.id
                           ORDER BY m.id DESC LIMIT 1) AS newest
     WHERE d.kind = 'direct' AND d.people @> ARRAY[${userId}]::int[]
     ORDER BY newest.id DESC LIMIT ${limit}`.execute(db);
  return rows.map((row) => ({ people: row.people, maxMessageId: Number(row.maxMessageId) }));
}
