import { expect, it, vi } from 'vitest';
import type { Store } from '../../state/store.ts';
import { topicNarrow } from '../narrow/narrow.ts';
import { fetchPrinted, loadedOf, PRINTED_MAX } from './fetch.ts';

function storeOf(answer: { ids: readonly number[]; isAll: boolean }) {
  const getMessages = vi.fn(async (_params: Readonly<Record<string, unknown>>) => ({
    messages: answer.ids.map((id) => ({ id })),
    found_oldest: answer.isAll,
  }));
  const store = {
    client: { chat: { getMessages } },
    addMessages: (messages: readonly { id: number }[]) => messages.map(({ id }) => id),
  };
  return { store: store as unknown as Store, getMessages };
}

it('asks once for the newest thousand, and says if older ones are missing', async () => {
  const { store, getMessages } = storeOf({ ids: [3, 1, 2], isAll: false });
  expect(await fetchPrinted(store, topicNarrow(1, 'plan'))).toEqual({
    ids: [1, 2, 3],
    leftOut: 'older',
  });
  expect(getMessages).toHaveBeenCalledOnce();
  // One more, and the server counts it as history.
  expect(getMessages.mock.calls[0]?.[0]).toMatchObject({ num_before: PRINTED_MAX, num_after: 0 });
  const all = storeOf({ ids: [1], isAll: true });
  expect((await fetchPrinted(all.store, topicNarrow(1, 'plan'))).leftOut).toBeUndefined();
});

it('the command of the browser prints what is loaded, and says that it is not all', () => {
  expect(loadedOf(undefined)).toBeUndefined();
  expect(loadedOf({ ids: [], from: 0, to: Infinity })).toBeUndefined();
  expect(loadedOf({ ids: [1, 2], from: 0, to: Infinity })?.leftOut).toBeUndefined();
  expect(loadedOf({ ids: [1, 2], from: 1, to: Infinity })?.leftOut).toBe('unloaded');
  expect(loadedOf({ ids: [1, 2], from: 0, to: 2 })?.leftOut).toBe('unloaded');
  const many = Array.from({ length: PRINTED_MAX + 5 }, (_, index) => index + 1);
  const cut = loadedOf({ ids: many, from: 0, to: Infinity });
  expect(cut?.ids).toHaveLength(PRINTED_MAX);
  expect(cut?.ids.at(-1)).toBe(PRINTED_MAX + 5);
  expect(cut?.leftOut).toBe('unloaded');
});
