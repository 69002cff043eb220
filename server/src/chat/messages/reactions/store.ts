// Reads and writes the table of reactions.
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import type { ReactionEmoji } from './events.ts';

/** The name under which somebody already reacted with the same emoji. */
export async function findNameInUse(
  db: Db,
  messageId: number,
  type: string,
  code: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('reactions')
    .select('emojiName')
    .where('messageId', '=', BigInt(messageId))
    .where('reactionType', '=', type)
    .where('emojiCode', '=', code)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row?.emojiName;
}

/** The emoji that the person reacted with under this name. */
export async function findOwnNamed(
  db: Db,
  messageId: number,
  userId: number,
  name: string,
): Promise<{ readonly code: string; readonly type: string } | undefined> {
  return db
    .selectFrom('reactions')
    .select(['emojiCode as code', 'reactionType as type'])
    .where('messageId', '=', BigInt(messageId))
    .where('userId', '=', userId)
    .where('emojiName', '=', name)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

export async function countKinds(db: Db, messageId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(DISTINCT (reaction_type, emoji_code))::int AS count FROM reactions
     WHERE message_id = ${messageId}`.execute(db);
  return rows[0]?.count ?? 0;
}

export async function countReactions(db: Db, messageId: number): Promise<number> {
  const { count } = await db
    .selectFrom('reactions')
    .select((e) => e.fn.countAll<bigint>().as('count'))
    .where('messageId', '=', BigInt(messageId))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** False when the person already has this reaction on the message. */
export async function insertReaction(
  tx: Tx,
  messageId: number,
  userId: number,
  emoji: ReactionEmoji,
): Promise<boolean> {
  const row = await tx
    .insertInto('reactions')
    .values({
      messageId: BigInt(messageId),
      userId,
      reactionType: emoji.reaction_type,
      emojiCode: emoji.emoji_code,
      emojiName: emoji.emoji_name,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the name of the deleted reaction; undefined if there was none. */
export async function deleteReaction(
  tx: Tx,
  messageId: number,
  userId: number,
  type: string,
  code: string,
): Promise<string | undefined> {
  const row = await tx
    .deleteFrom('reactions')
    .where('messageId', '=', BigInt(messageId))
    .where('userId', '=', userId)
    .where('reactionType', '=', type)
    .where('emojiCode', '=', code)
    .returning('emojiName')
    .executeTakeFirst();
  return row?.emojiName;
}
