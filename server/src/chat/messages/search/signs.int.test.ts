// Searches for what the parser of PostgreSQL takes for no word: signs, and words between angle brackets.
import { beforeAll, expect, it } from 'vitest';
import { fetchIds, ok, send, useMessageWorld } from '../../../testing/chat/world.ts';

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
