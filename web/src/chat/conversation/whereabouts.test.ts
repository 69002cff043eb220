import type { Chat } from '@rialto/sdk';
import { expect, it } from 'vitest';
import { findTopic, sampleOf } from './whereabouts.ts';

const AT = { channelId: 1, topic: 'lunch' };

/** A server where each message is in a topic, or is not there any more. */
function server(places: Readonly<Record<number, readonly [number, string]>>) {
  const asked: unknown[] = [];
  const getMessages = (params: {
    readonly message_ids?: readonly number[];
    readonly narrow?: readonly { readonly operator: string; readonly operand: unknown }[];
  }) => {
    asked.push(params);
    const [, topic] = params.narrow ?? [];
    const messages = Object.entries(places)
      .filter(
        ([id, [, name]]) => params.message_ids?.includes(Number(id)) ?? name === topic?.operand,
      )
      .map(([id, [channelId, subject]]) => ({ id: Number(id), stream_id: channelId, subject }));
    return Promise.resolve({ messages });
  };
  return { asked, chat: { getMessages } as unknown as Pick<Chat, 'getMessages'> };
}

it('asks for the first, the middle and the last message', () => {
  expect(sampleOf([])).toEqual([]);
  expect(sampleOf([7])).toEqual([7]);
  expect(sampleOf([1, 2, 3, 4, 5])).toEqual([1, 3, 5]);
});

it('a topic that stayed is here, whatever the case of its name', async () => {
  const { chat } = server({ 1: [1, 'Lunch'], 2: [1, 'lunch'] });
  expect(await findTopic(chat, AT, [1, 2])).toBe('here');
});

it('a topic that was moved as a whole is where its messages are', async () => {
  const { chat } = server({ 1: [2, 'dinner'], 2: [2, 'dinner'], 9: [1, 'lunch'] });
  expect(await findTopic(chat, AT, [1, 2])).toEqual({ channelId: 2, topic: 'dinner' });
});

it('a topic that was marked as resolved is followed', async () => {
  const { chat } = server({ 1: [1, '✔ lunch'] });
  expect(await findTopic(chat, AT, [1])).toEqual({ channelId: 1, topic: '✔ lunch' });
});

it('a topic that lost only its later messages is here', async () => {
  const { chat } = server({ 1: [1, 'lunch'], 2: [1, 'dinner'], 3: [1, 'dinner'] });
  expect(await findTopic(chat, AT, [1, 2, 3])).toBe('here');
});

it('a topic whose messages went to several places is here', async () => {
  const { chat } = server({ 1: [1, 'breakfast'], 2: [1, 'dinner'] });
  expect(await findTopic(chat, AT, [1, 2])).toBe('here');
});

it('a topic without any message that can be read is gone', async () => {
  const { chat } = server({ 9: [1, 'other'] });
  expect(await findTopic(chat, AT, [1, 2])).toBe('gone');
});

it('a topic whose known messages were deleted is here if it has others', async () => {
  const { chat } = server({ 9: [1, 'lunch'] });
  expect(await findTopic(chat, AT, [1, 2])).toBe('here');
});

it('a topic of which nothing was known is not asked about', async () => {
  const { chat, asked } = server({});
  expect(await findTopic(chat, AT, [])).toBe('here');
  expect(asked).toEqual([]);
});
