// A conversation without a network: what an earlier visit left is shown, and the server replaces it.
import { afterEach, expect, it, vi } from 'vitest';
import { createCore } from '../../state/core.ts';
import { messageFrom } from '../../state/convert-message.ts';
import { exampleMessage, OWN_ID } from '../../state/example.ts';
import { emptyState } from '../../state/state.ts';
import type { Store } from '../../state/store.ts';
import type { WireMessage } from '../../state/wire.ts';
import { channelNarrow, topicNarrow } from '../narrow/narrow.ts';
import type { Narrow } from '../narrow/terms.ts';
import { Feed } from './feed.ts';

afterEach(() => {
  vi.useRealTimers();
});

function open(narrow: Narrow = topicNarrow(1, 'plan')) {
  const core = createCore(OWN_ID);
  const kept = [
    exampleMessage({ id: 12 }),
    exampleMessage({ id: 11, subject: 'PLAN' }),
    exampleMessage({ id: 13, subject: 'another' }),
  ].map((row) => messageFrom(row, OWN_ID));
  core.replace({
    ...emptyState(OWN_ID),
    messages: new Map(kept.map((message) => [message.id, message])),
    unverified: new Set(kept.map(({ id }) => id)),
  });
  let kind = 'reconnecting';
  let answer: (() => Promise<readonly WireMessage[]>) | undefined;
  const asked: unknown[] = [];
  const store = {
    client: {
      chat: {
        async getMessages(params: unknown) {
          asked.push(params);
          const messages = (await answer?.()) ?? (await new Promise<never>(() => undefined));
          return { messages, anchor: 99, found_oldest: true, found_newest: true };
        },
      },
    },
    get state() {
      return core.state;
    },
    get connection() {
      return { kind };
    },
    subscribe: core.subscribe,
    onBatch: core.onBatch,
    addMessages: core.addMessages,
  };
  const feed = new Feed(store as unknown as Store, narrow);
  return {
    feed,
    core,
    asked,
    link(next: string) {
      kind = next;
      core.notify();
    },
    answer(ids: readonly number[] | Error) {
      answer = async () => {
        if (ids instanceof Error) throw ids;
        return ids.map((id) => exampleMessage({ id }));
      };
    },
  };
}

it('is shown from the disk as soon as there is no network, without waiting for the answer', async () => {
  const { feed, link, asked } = open();
  const opening = feed.open('first_unread');
  expect(feed.view()).toMatchObject({ loading: 'open', isKept: false });
  link('offline');
  await opening;
  expect(feed.view()).toMatchObject({ isKept: true, loading: undefined, error: undefined });
  expect(feed.view().span?.ids).toEqual([11, 12]);
  // Nothing more is asked for while nobody could answer.
  await feed.loadOlder();
  await feed.loadNewer();
  expect(asked).toHaveLength(1);
});

it('is replaced by what the server says, once it answers', async () => {
  const { feed, core, link, answer } = open();
  link('offline');
  await feed.open('first_unread');
  answer([12, 14]);
  link('live');
  core.replace(emptyState(OWN_ID));
  await vi.waitFor(() => expect(feed.view().isKept).toBe(false));
  expect(feed.view().span?.ids).toEqual([12, 14]);
});

it('without anything on the disk says that it failed, and opens by itself later', async () => {
  const { feed, core, link, answer } = open(topicNarrow(1, 'unknown'));
  link('offline');
  await feed.open('first_unread');
  expect(feed.view()).toMatchObject({ span: undefined, isKept: false });
  expect(feed.view().error).toBeInstanceOf(Error);
  answer([14]);
  link('live');
  core.replace(emptyState(OWN_ID));
  await vi.waitFor(() => expect(feed.view().span?.ids).toEqual([14]));
});

it('a view of several conversations is not made up from parts of them', async () => {
  const { feed, link } = open(channelNarrow(1));
  link('offline');
  await feed.open('first_unread');
  expect(feed.view().span).toBeUndefined();
});

it('a refusal of the server is shown as one, unless something is there to read', async () => {
  const { feed, answer } = open(topicNarrow(1, 'unknown'));
  answer(new Error('Invalid narrow'));
  await feed.open('first_unread');
  expect(feed.view().error).toMatchObject({ message: 'Invalid narrow' });
});
