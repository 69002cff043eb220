// Full-text search as a condition on messages. PostgreSQL matches words and their spellings (migration 0015); quoted
// phrases must also occur literally, and are looked up by the places where their words meet (migration 0154). Texts
// without words are looked up by their pairs of signs (migration 0099).
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import { wordsIn } from './highlight.ts';

const QUOTED = /"([^"]+)"/g;

const phrasesOf = (text: string): string[] =>
  [...text.matchAll(QUOTED)].map(([, phrase = '']) => phrase.trim()).filter((one) => one !== '');

/** The words are between brackets as well: a search is no HTML. */
const plainly = (text: string): string => text.replaceAll(/["<>]/g, ' ');

/** A text without words, such as :), is searched for literally. */
const isWordless = (text: string): boolean => wordsIn(plainly(text)).length === 0;

/** The number of texts that are searched for literally. */
export const countLiteral = (text: string): number =>
  phrasesOf(text).length + (isWordless(text) ? 1 : 0);

/** Whether all words are in the text or the topic, and every quoted phrase occurs literally. */
export function isFound(text: string): RawBuilder<boolean> {
  const words = plainly(text);
  const signs = text.replaceAll('"', ' ').trim();
  const literally = (phrase: string) => sql<boolean>`has_phrase(m.content, m.topic, ${phrase})`;
  // A phrase without seams, such as a single word, has nothing to look up: the planner then leaves that half out.
  const withSeams = (phrase: string) => sql<boolean>`(${literally(phrase)}
    AND (sure_seams_of(${phrase}) = '{}'
         OR seams_of(m.content || ' ' || m.topic) COLLATE "C" @> sure_seams_of(${phrase})))`;
  const parts = [
    isWordless(text)
      ? sql<boolean>`(sign_pairs(m.content || ' ' || m.topic) @> sign_pairs(${signs})
          AND ${literally(signs)})`
      : sql<boolean>`(m.content_words || words_of(m.topic)) @@ query_of(${words})`,
    ...phrasesOf(text).map(withSeams),
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
  const known = await readStems(db, new Set([...words, ...texts]));
  const looked = new Set(texts.flatMap((text) => known.get(text) ?? []));
  return new Set([...words].filter((word) => known.get(word)?.some((stem) => looked.has(stem))));
}

/**
 * Stems of words that were shown lately, the oldest entry first. People write the same words again and again, and a
 * thousand words of a page take the database longer than the search. The stems of a word never change while a process
 * runs, because its database is never migrated under it.
 */
const stems = new Map<string, readonly string[]>();
const STEMS_MAX = 50_000;
/** Longer ones are seldom the same. */
const CHARACTERS_MAX = 40;

async function readStems(
  db: Db,
  texts: ReadonlySet<string>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const all = new Map<string, readonly string[]>();
  const unknown: string[] = [];
  for (const text of texts) {
    const known = stems.get(text);
    if (known === undefined) unknown.push(text);
    else all.set(text, known);
  }
  if (unknown.length === 0) return all;
  const { rows } = await sql<{ text: string; found: string[] }>`
    SELECT text, tsvector_to_array(words_of(text)) AS found
      FROM unnest(${unknown}::text[]) AS text`.execute(db);
  for (const { text, found } of rows) {
    all.set(text, found);
    if (text.length <= CHARACTERS_MAX) stems.set(text, found);
  }
  for (const oldest of stems.keys()) {
    if (stems.size <= STEMS_MAX) break;
    stems.delete(oldest);
  }
  return all;
}
