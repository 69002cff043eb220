import { expect, it } from 'vitest';
import { markMessages } from './read.ts';

function recorder() {
  const asked: { op: string; count: number }[] = [];
  return {
    asked,
    updateMessageFlags: ({ messages, op }: { messages: readonly number[]; op: string }) => {
      asked.push({ op, count: messages.length });
      return Promise.resolve({ messages, ignored_because_not_subscribed_channels: [] });
    },
  };
}

const IDS = Array.from({ length: 2_500 }, (_, n) => n + 1);

it('marks in parts and tells how far it came', async () => {
  const chat = recorder();
  const seen: number[] = [];
  const marked = await markMessages(chat, IDS, true, { onProgress: (done) => seen.push(done) });
  expect(marked).toEqual(IDS);
  expect(seen).toEqual([1_000, 2_000, 2_500]);
  expect(chat.asked).toEqual([
    { op: 'add', count: 1_000 },
    { op: 'add', count: 1_000 },
    { op: 'add', count: 500 },
  ]);
});

it('can be stopped, and says what was done until then', async () => {
  const chat = recorder();
  const stop = new AbortController();
  const { signal } = stop;
  const marked = await markMessages(chat, IDS, false, { signal, onProgress: () => stop.abort() });
  expect(marked).toEqual(IDS.slice(0, 1_000));
  expect(chat.asked).toEqual([{ op: 'remove', count: 1_000 }]);
});

it('asks nothing for no messages', async () => {
  const chat = recorder();
  expect(await markMessages(chat, [], true)).toEqual([]);
  expect(chat.asked).toEqual([]);
});
