// Reads and writes the table of alert words.
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { firstTokenOf } from './rules.ts';

/** In the order in which they were added. */
export async function listWords(db: Db, userId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('alertWords')
    .select('word')
    .where('userId', '=', userId)
    .orderBy('id')
    .execute();
  return rows.map(({ word }) => word);
}

/** Returns how many of the words were new. */
export async function insertWords(
  tx: Tx,
  userId: number,
  words: readonly string[],
): Promise<number> {
  if (words.length === 0) return 0;
  const rows = await tx
    .insertInto('alertWords')
    .values(words.map((word) => ({ userId, word, firstToken: firstTokenOf(word) })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute();
  return rows.length;
}

/** Returns how many of the words were there. */
export async function deleteWords(
  tx: Tx,
  userId: number,
  words: readonly string[],
): Promise<number> {
  const { rows } = await sql`
    DELETE FROM alert_words
     WHERE user_id = ${userId}
       AND lower(word) IN (SELECT lower(w) FROM unnest(${[...words]}::text[]) w)
    RETURNING id`.execute(tx);
  return rows.length;
}

export interface WantedWord {
  readonly userId: number;
  readonly word: string;
}

/** Everybody's words that begin with one of these tokens. */
export async function listWordsByToken(db: Db, tokens: readonly string[]): Promise<WantedWord[]> {
  const { rows } = await sql<WantedWord>`
    SELECT user_id, word FROM alert_words
     WHERE first_token = ANY (${[...tokens]}::text[])`.execute(db);
  return rows;
}

/** The tokens that words begin with, each once, at most `limit`. */
export async function listFirstTokens(db: Db, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('alertWords')
    .select('firstToken')
    .distinct()
    .limit(limit)
    .execute();
  return rows.map(({ firstToken }) => firstToken);
}
