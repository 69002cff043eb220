// Full-text search as a condition on messages. PostgreSQL matches words and their spellings (migration 0015); quoted
// phrases must also occur literally.
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import { wordsIn } from './highlight.ts';

const QUOTED = /"([^"]+)"/g;

const phrasesOf = (text: string): string[] =>
  [...text.matchAll(QUOTED)].map(([, phrase = '']) => phrase.trim()).filter((one) => one !== '');

/** A text without words, such as :), is searched for literally. */
const isWordless = (text: string): boolean => wordsIn(text.replaceAll('"', ' ')).length === 0;

/** The number of texts that are searched for literally. */
export const countLiteral = (text: string): number =>
  phrasesOf(text).length + (isWordless(text) ? 1 : 0);

/** Whether all words are in the text or the topic, and every quoted phrase occurs literally. */
export function isFound(text: string): RawBuilder<boolean> {
  const words = text.replaceAll('"', ' ');
  const literally = (phrase: string) => sql<boolean>`(
    strpos(same_spelling(lower(m.content)), same_spelling(lower(${phrase}))) > 0
    OR strpos(same_spelling(lower(m.topic)), same_spelling(lower(${phrase}))) > 0)`;
  const parts = [
    isWordless(text)
      ? literally(words.trim())
      : sql<boolean>`(m.content_words || words_of(m.topic)) @@ query_of(${words})`,
    ...phrasesOf(text).map(literally),
  ];
  return sql<boolean>`(${sql.join(parts, sql` AND `)})`;
}

/** Those of `words` that a search for one of `texts` matches: by the same stem, or by another spelling. */
export async function findMeant(
  db: Db,
  words: ReadonlySet<string>,
  texts: readonly string[],
): Promise<Set<string>> {
  if (words.size === 0 || texts.length === 0) return new Set();
  const { rows } = await sql<{ word: string }>`
    WITH looked AS (
      SELECT coalesce(array_agg(lexeme), '{}') AS lexemes
        FROM unnest(${[...texts]}::text[]) AS given,
             unnest(tsvector_to_array(words_of(given))) AS lexeme
    )
    SELECT word FROM unnest(${[...words]}::text[]) AS word, looked
     WHERE tsvector_to_array(words_of(word)) && looked.lexemes`.execute(db);
  return new Set(rows.map(({ word }) => word));
}
