// Renamed topics in searches. The index of words has the names that topics had first, so messages of topics whose present
// name has words of a search are looked up beside those that the index finds (decision 0106).
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';

/** What a search asks for: words, and texts without words. */
export interface Searched {
  readonly words: string;
  readonly signs: readonly string[];
}

/** What is left of a search for messages of a topic whose name has the rest of it. */
export interface Rest {
  /** As the index has them. */
  readonly words: readonly string[];
  readonly signs: readonly string[];
}

/** Whether the name of a topic `t` has this text. */
const hasSigns = (signs: RawBuilder<unknown>) => sql`(sign_pairs(t.name) @> sign_pairs(${signs})
  AND strpos(same_spelling(lower(t.name)), same_spelling(lower(${signs}))) > 0)`;

const lexemesOf = (words: string) => sql`tsvector_to_array(
  to_tsvector('public.chat', translate(same_spelling(${words}), '<>' || chr(8204), '   ')))`;

const hasAny = ({ words, signs }: Searched): RawBuilder<boolean> =>
  sql<boolean>`(t.words @@ replace(query_of(${words})::text, ' & ', ' | ')::tsquery
    ${sql.join([sql``, ...signs.map((one) => hasSigns(sql`${one}::text`))], sql` OR `)})`;

/** The different rests that names of renamed topics leave of a search, at most `limit`. */
export async function listRests(db: Db, searched: Searched, limit: number): Promise<Rest[]> {
  const { words, signs } = searched;
  const { rows } = await sql<Rest>`
    SELECT DISTINCT
           ARRAY (SELECT w FROM unnest(${lexemesOf(words)}) AS w WHERE w <> ALL (tsvector_to_array(t.words))
                   ORDER BY w) AS words,
           ARRAY (SELECT s FROM unnest(${[...signs]}::text[]) AS s WHERE NOT ${hasSigns(sql`s`)} ORDER BY s) AS signs
      FROM topics t WHERE ${hasAny(searched)}
     LIMIT ${limit}`.execute(db);
  return rows;
}

/** The topics, as `conversation_id` and `key`, whose names have all of a search but this rest; or any of it. */
export function selectTopicsWith(searched: Searched, rest: Rest | undefined): RawBuilder<unknown> {
  if (rest === undefined) {
    return sql`SELECT t.conversation_id, t.key FROM topics t WHERE ${hasAny(searched)}`;
  }
  const signs = searched.signs.filter((one) => !rest.signs.includes(one));
  return sql`SELECT t.conversation_id, t.key FROM topics t
    WHERE ${hasAny(searched)} AND t.words @@ ${queryOf(sql`ARRAY (
        SELECT w FROM unnest(${lexemesOf(searched.words)}) AS w WHERE w <> ALL (${[...rest.words]}::text[]))`)} IS NOT FALSE
      AND ${sql.join([sql`true`, ...signs.map((one) => hasSigns(sql`${one}::text`))], sql` AND `)}`;
}

/** A query for all of these words, which are as the index has them; null without one. */
export const queryOf = (words: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  SELECT string_agg('''' || replace(replace(w, '\\', '\\\\'), '''', '''''') || '''', ' & ')::tsquery
    FROM unnest(${words}) AS w)`;
