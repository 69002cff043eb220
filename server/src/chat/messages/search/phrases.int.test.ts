// Quoted phrases: the index of seams never leaves out a text that has the phrase, and keeps a search from reading the
// texts that only have its words.
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { fetchIds, send, useMessageWorld } from '../../../testing/chat/world.ts';
import { JOIN_TITLE } from '../../conversations/topics/names.ts';
import { partsOfSearch } from './query.ts';

const world = useMessageWorld();

const found = (phrase: string) =>
  fetchIds(world.ada, { operator: 'search', operand: `"${phrase}"` });

/** Short words, so that one is often a part of another, and what may stand between them. */
const piece = fc.constantFrom(
  ...'a b ab abc bab ABBA É ß Σ ς و من می كي کی ۱ 1 12 _ a_b ۀ ه'.split(' '),
  ' ',
  '  ',
  '-',
  '**',
  '\n',
  '. ',
  '\u200C',
  '\u0640',
  '\u064B',
  "'",
  '🎉',
);
const text = fc.array(piece, { maxLength: 12 });

it('a text that has a phrase has all of its sure seams', async () => {
  const pairs = fc.sample(
    fc
      .tuple(text, text, fc.nat(12), fc.integer({ min: 1, max: 6 }), fc.boolean())
      .map(([content, topic, from, n, isCut]) => ({
        content: content.join(''),
        topic: topic.join(''),
        // Cut out of the text wherever that is, or made up.
        asked: isCut
          ? Array.from(content.join(''))
              .slice(from, from + 2 * n)
              .join('')
          : topic.slice(0, n).join(''),
      })),
    2000,
  );
  const { rows } = await sql<{ content: string; topic: string; asked: string }>`
    SELECT content, topic, asked FROM jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb)
             AS p (content text, topic text, asked text)
     WHERE has_phrase(content, topic, asked)
           IS DISTINCT FROM (strpos(same_spelling(lower(content)), same_spelling(lower(asked))) > 0
                             OR strpos(same_spelling(lower(topic)), same_spelling(lower(asked))) > 0)
        OR (has_phrase(content, topic, asked)
            AND NOT seams_of(content || ' ' || topic) @> sure_seams_of(asked))`.execute(
    world.server.ctx.db,
  );
  expect(rows).toEqual([]);
});

it('a phrase is found wherever it stands, also as parts of words, in the topic and in other spellings', async () => {
  const { ada, publicId } = world;
  const inText = await send(ada, publicId, 'x', 'A release note, and **one more** thing');
  const longer = await send(ada, publicId, 'x', 'Prerelease notes of a release');
  const inTopic = await send(ada, publicId, 'the release note', 'x');
  const persian = await send(ada, publicId, 'x', 'كتاب من و تو');
  await send(ada, publicId, 'x', 'note: no release');
  expect(await found('release note')).toEqual([inText, longer, inTopic]);
  expect(await found('**one more** thing')).toEqual([inText]);
  expect(await found('a release')).toEqual([inText, longer]);
  expect(await found('کتاب من و')).toEqual([persian]);
  expect(await found('و تو')).toEqual([persian]);
  expect(await found('release no')).toEqual([]);
});

it('a phrase of frequent words that nobody wrote reads no message', async () => {
  const { server, ada, publicId } = world;
  const { db } = server.ctx;
  await sql`
    INSERT INTO messages (id, conversation_id, home_id, seq, place_seq, sender_id, topic, content, rendered,
                          client, sent_at, content_words)
    SELECT nextval('message_ids'), conversation_id, conversation_id, 1000 + n, 1000 + n, ${ada.id}, 'x',
           'people have time and time has people', 'x', 'test', now(),
           words_of('people have time and time has people')
      FROM channels, generate_series(1, 3000) AS n WHERE id = ${publicId}`.execute(db);
  await server.owner.query('VACUUM ANALYZE messages');
  await server.ctx.inTransaction(async (tx) => {
    // As in a table of millions.
    await sql`SET LOCAL enable_seqscan = off`.execute(tx);
    await sql`SET LOCAL enable_indexscan = off`.execute(tx);
    const look = async (asked: string) => {
      const [ofIndex] = await partsOfSearch(tx, [asked]);
      const { rows } = await sql<{ 'QUERY PLAN': string }>`
        EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF, SUMMARY OFF)
        SELECT m.id FROM messages m ${JOIN_TITLE} WHERE ${ofIndex?.condition} ORDER BY m.id DESC LIMIT 100`.execute(
        tx,
      );
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    };
    const never = await look('"time people"');
    expect(never).toContain('seams');
    expect(never).not.toContain('Heap Blocks');
    expect(pagesOf(never)).toBeLessThan(40);
    // One word has no seam, and is not looked up as one.
    expect(await look('"time"')).not.toContain('seams_of');
    expect(await look('"a time"')).not.toContain('seams_of');
  });
});

const pagesOf = (plan: string): number => Number(/shared hit=(\d+)/.exec(plan)?.[1] ?? Infinity);
