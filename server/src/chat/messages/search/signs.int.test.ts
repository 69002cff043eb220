// Searches for what the parser of PostgreSQL takes for no word: signs, and words between angle brackets.
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { fetchIds, ok, send, useMessageWorld } from '../../../testing/chat/world.ts';
import { selectIds } from '../fetching/candidates.ts';
import { partsOfSearch, type SearchPart } from './query.ts';

const world = useMessageWorld();
const sent: Record<string, number> = {};

beforeAll(async () => {
  const { ada, publicId, privateId } = world;
  sent['percent'] = await send(ada, publicId, 'signs', 'grew by 5 %%% since May');
  sent['smile'] = await send(ada, publicId, 'signs', 'well :) then');
  sent['apart'] = await send(ada, publicId, 'signs', 'a % and a % apart');
  sent['topic'] = await send(ada, publicId, 'draft <harbour> plans', 'the topic says it');
  sent['text'] = await send(ada, publicId, 'texts', 'replace <lantern> by a name');
  sent['hidden'] = await send(ada, privateId, 'signs', 'secret %% <lantern>');
});

const found = async (text: string, actor = world.guest) =>
  (await fetchIds(actor, { operator: 'search', operand: text })).map((id) =>
    Object.keys(sent).find((name) => sent[name] === id),
  );

it.each([
  ['%%', ['percent']],
  ['%%%', ['percent']],
  ['"%%"', ['percent']],
  ['%', ['percent', 'apart']],
  [':)', ['smile']],
  [':(', []],
  ['harbour', ['topic']],
  ['<harbour>', ['topic']],
  ['"draft <harbour>"', ['topic']],
  ['lantern', ['text']],
  ['<lanterns>', ['text']],
])('%s is found where the reader may read', async (text, names) => {
  expect(await found(text)).toEqual(names);
});

it('a reader of the private channel finds what is there', async () => {
  expect(await found('%%', world.bob)).toEqual(['percent', 'hidden']);
  expect(await found('lantern', world.bob)).toEqual(['text', 'hidden']);
});

it('marks a word between brackets', async () => {
  const narrow = [{ operator: 'search', operand: 'lantern' }];
  const body = ok(
    await world.guest.client.get('/messages', { anchor: 'newest', num_before: 5, narrow }),
  );
  const [{ match_content: marked } = { match_content: '' }] = body['messages'] as {
    match_content: string;
  }[];
  expect(marked).toContain('&lt;<span class="highlight">lantern</span>&gt;');
});

/** Writes messages of one text, one each for a number, and returns their ids, oldest first. */
async function write(text: string, count: number): Promise<number[]> {
  const { server, ada, publicId } = world;
  const { rows } = await sql<{ id: bigint }>`
    INSERT INTO messages (id, conversation_id, home_id, seq, place_seq, sender_id, topic, content, rendered,
                          client, sent_at, content_words)
    SELECT nextval('message_ids'), conversation_id, conversation_id, last + n, last + n, ${ada.id}, 'x', ${text}, 'x',
           'test', now(), words_of(${text})
      FROM channels, generate_series(1, ${count}) AS n,
           (SELECT coalesce(max(seq), 0) + 1000 AS last FROM messages) AS newest
     WHERE channels.id = ${publicId} RETURNING id`.execute(server.ctx.db);
  return rows.map(({ id }) => Number(id)).toSorted((a, b) => a - b);
}

it('a search for signs that nobody wrote reads no message, whatever the planner believes', async () => {
  const { server, ada } = world;
  await write('people have time', 3000);
  await server.owner.query('VACUUM ANALYZE messages');
  await server.ctx.inTransaction(async (tx) => {
    // As in a table of millions, of which the statistics have no signs: there reading in order seems cheaper.
    await sql`SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off`.execute(tx);
    const [first] = await partsOfSearch(tx, ['^^']);
    const condition = first?.condition ?? sql<boolean>`false`;
    const pagesOf = async (parts: readonly SearchPart[]): Promise<number> => {
      const wanted = { condition, source: undefined, parts, stretch: {}, limit: 100 };
      const { rows } = await sql<{ 'QUERY PLAN': string }>`
        EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF, SUMMARY OFF)
        ${selectIds(tx, ada.id, { ...wanted, order: 'DESC' })}`.execute(tx);
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      return Number(/shared hit=(\d+)/.exec(plan)?.[1] ?? Infinity);
    };
    expect(await pagesOf(first === undefined ? [] : [first])).toBeLessThan(40);
    // Without the list it would read all of them; otherwise this test shows nothing.
    expect(await pagesOf([{ condition }])).toBeGreaterThan(60);
  });
});

it('more messages than a list has are found in order, a page each time', async () => {
  const ids = await write('well !? then', 10_050);
  const narrow = [{ operator: 'search', operand: '!?' }];
  const page = async (params: Record<string, unknown>) => {
    const body = ok(await world.guest.client.get('/messages', { narrow, ...params }));
    return (body['messages'] as { id: number }[]).map(({ id }) => id);
  };
  expect(await page({ anchor: 'newest', num_before: 5 })).toEqual(ids.slice(-5));
  expect(await page({ anchor: 'oldest', num_after: 5 })).toEqual(ids.slice(0, 5));
  expect(await page({ anchor: ids[7000], num_before: 2, num_after: 2 })).toEqual(
    ids.slice(6998, 7003),
  );
});
