// Full-text search as a condition on messages. PostgreSQL matches words and their spellings (migration 0015); quoted
// phrases must also occur literally, and are looked up by the places where their words meet (migration 0154). Texts
// without words are looked up by their pairs of signs (migration 0099).
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import { listRests, selectTopicsWith } from '../../conversations/topics/searched.ts';
import { NAME } from '../../conversations/topics/names.ts';
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

const signsOf = (text: string): string => text.replaceAll('"', ' ').trim();

const hasSigns = (signs: string): RawBuilder<boolean> =>
  sql<boolean>`sign_pairs(m.content || ' ' || m.topic) @> sign_pairs(${signs})`;

/** What the index finds. It has topics under the names that they had first (decision 0106). */
const indexed = (text: string): RawBuilder<boolean> =>
  isWordless(text)
    ? hasSigns(signsOf(text))
    : sql<boolean>`(m.content_words || words_of(m.topic)) @@ query_of(${plainly(text)})`;

/** The message is of a renamed topic, and it and the topic's name have all words. */
const isInRenamed = (text: string): RawBuilder<boolean> =>
  isWordless(text)
    ? sql<boolean>`title.key IS NOT NULL`
    : sql<boolean>`(m.content_words || title.words) @@ query_of(${plainly(text)})`;

const literally = (text: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.join(
    [
      sql<boolean>`true`,
      ...[...(isWordless(text) ? [signsOf(text)] : []), ...phrasesOf(text)].map(
        (phrase) => sql<boolean>`has_phrase(m.content, ${NAME}, ${phrase})`,
      ),
    ],
    sql` AND `,
  )})`;

/**
 * What the index of seams finds of quoted phrases. A phrase without seams, such as a single word, has nothing to look up:
 * the planner then leaves that half out. A phrase in a name that a topic got later is found by that name.
 */
const withSeams = (text: string): RawBuilder<boolean>[] =>
  phrasesOf(text).map(
    (phrase) => sql<boolean>`(sure_seams_of(${phrase}) = '{}'
      OR seams_of(m.content || ' ' || m.topic) COLLATE "C" @> sure_seams_of(${phrase}))`,
  );

const all = (parts: readonly RawBuilder<boolean>[]): RawBuilder<boolean> =>
  sql<boolean>`(${sql.join(parts, sql` AND `)})`;

/** Whether all words are in the text or the topic, and every quoted phrase occurs literally. */
export const isFound = (text: string): RawBuilder<boolean> =>
  sql<boolean>`(CASE WHEN title.key IS NULL THEN ${indexed(text)} ELSE ${isInRenamed(text)} END
    AND ${literally(text)})`;

/** One part of what a search finds. Every message that is found is in one of the parts. */
export interface SearchPart {
  readonly condition: RawBuilder<boolean>;
  /** The renamed topics that this part is about, as rows of `conversation_id` and `key`. */
  readonly topics?: RawBuilder<unknown>;
  /** A condition that has an index, beside the topics. */
  readonly indexed?: RawBuilder<boolean>;
  /**
   * A condition to make a list of ids by, first of all. The planner does not know how rare signs are, so it would read
   * all messages from the newest on.
   */
  readonly listed?: RawBuilder<boolean>;
}

/** Different rests that have a part each. Beyond them, the messages of all topics with any of the words are read. */
const RESTS_MAX = 8;

/** The parts of a search for all of these texts: first what the index finds. */
export async function partsOfSearch(db: Db, texts: readonly string[]): Promise<SearchPart[]> {
  const searched = {
    words: texts
      .filter((text) => !isWordless(text))
      .map(plainly)
      .join(' '),
    signs: texts.filter(isWordless).map(signsOf),
  };
  const literal = texts.map(literally);
  const rests = await listRests(db, searched, RESTS_MAX + 1);
  const inRenamed = all([...texts.map(isInRenamed), ...literal]);
  return [
    {
      condition: all([
        ...texts.map(indexed),
        ...texts.flatMap(withSeams),
        sql<boolean>`(title.key IS NULL OR ${all(texts.map(isInRenamed))})`,
        ...literal,
      ]),
      ...(searched.signs.length > 0 && { listed: all(searched.signs.map(hasSigns)) }),
    },
    ...(rests.length > RESTS_MAX ? [undefined] : rests).map((rest) => {
      const ofRest =
        rest === undefined
          ? []
          : [
              ...(rest.words.length === 0
                ? []
                : [
                    sql<boolean>`(m.content_words || words_of(m.topic)) @@ ${asQuery(rest.words)}::tsquery`,
                  ]),
              ...rest.signs.map(hasSigns),
            ];
      return {
        condition: inRenamed,
        topics: selectTopicsWith(searched, rest),
        ...(ofRest.length > 0 && { indexed: all(ofRest) }),
      };
    }),
  ];
}

/** Words as the index has them, as a query for all of them. */
const asQuery = (words: readonly string[]): string =>
  words.map((word) => `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`).join(' & ');

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
