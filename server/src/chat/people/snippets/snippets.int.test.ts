// Saved snippets over HTTP.
import { expect, it } from 'vitest';
import { verifyEvents } from '../../../testing/verify-events.ts';
import type { FormInput } from '../../../testing/chat/client.ts';
import { ok, useMessageWorld, refused } from '../../../testing/chat/world.ts';

const world = useMessageWorld();

const save = (params: FormInput, { client } = world.ada) => client.post('/saved_snippets', params);
const list = async ({ client } = world.ada) =>
  ok(await client.get('/saved_snippets'))['saved_snippets'];

it('are saved, changed and deleted, and only the person’s own clients are told', async () => {
  const { server, ada, bob } = world;
  let id = 0;
  const [own, other] = await verifyEvents(server, [ada, bob], async () => {
    id = Number(ok(await save({ title: ' Greeting ', content: 'Hello!' }))['saved_snippet_id']);
  });
  const snippet = { id, title: 'Greeting', content: 'Hello!', date_created: expect.any(Number) };
  expect(own).toMatchObject([{ type: 'saved_snippets', op: 'add', saved_snippet: snippet }]);
  expect(other).toEqual([]);
  expect(await list()).toEqual([snippet]);
  expect(await list(bob)).toEqual([]);
  const edit = (params: FormInput, { client } = ada) =>
    client.patch(`/saved_snippets/${id}`, params);
  const [changed] = await verifyEvents(server, [ada], () => edit({ content: 'Hi!' }));
  expect(changed).toMatchObject([{ op: 'update', saved_snippet: { ...snippet, content: 'Hi!' } }]);
  ok(await edit({ title: 'Short' }));
  expect(await list()).toMatchObject([{ id, title: 'Short', content: 'Hi!' }]);
  expect(refused(await edit({})).msg).toBe('No new data is supplied');
  for (const answer of [
    await edit({ title: 'mine' }, bob),
    await bob.client.delete(`/saved_snippets/${id}`),
    await ada.client.delete('/saved_snippets/99999999999'),
  ]) {
    expect([answer.status, answer.body['msg']]).toEqual([404, 'Saved snippet does not exist.']);
  }
  const [gone] = await verifyEvents(server, [ada], () =>
    ada.client.delete(`/saved_snippets/${id}`),
  );
  expect(gone).toMatchObject([{ op: 'remove', saved_snippet_id: id }]);
  expect(await list()).toEqual([]);
});

it.each<[FormInput, string]>([
  [{ content: 'x' }, "Missing 'title' argument"],
  [{ title: 'x' }, "Missing 'content' argument"],
  [{ title: ' ', content: 'x' }, 'title cannot be blank'],
  [{ title: 'x', content: ' ' }, 'content cannot be blank'],
  [{ title: 'x'.repeat(61), content: 'x' }, 'title is too long (limit: 60 characters)'],
  [{ title: 'x', content: 'x'.repeat(10_001) }, 'content is too long (limit: 10000 characters)'],
])('%j is refused', async (params, message) => {
  expect(refused(await save(params)).msg).toBe(message);
});
