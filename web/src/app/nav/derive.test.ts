import { describe, expect, test } from 'vitest';
import type { Channel, Conversation, Subscription } from '../../state/entities.ts';
import { keyOf } from '../../state/keys.ts';
import { emptyState, type State } from '../../state/state.ts';
import { deriveDirects, deriveSections, type NavWish } from './derive.ts';

const SUBSCRIPTION: Subscription = {
  isActive: true,
  color: '#76ce90',
  isMuted: false,
  isPinned: false,
  desktopNotifications: null,
  audibleNotifications: null,
  pushNotifications: null,
  emailNotifications: null,
  wildcardMentionsNotify: null,
};

const channel = (id: number, name: string, extra: Partial<Channel> = {}): Channel =>
  ({
    id,
    name,
    folderId: null,
    isArchived: false,
    subscription: SUBSCRIPTION,
    ...extra,
  }) as Channel;

function stateWith(channels: readonly Channel[]): State {
  const state = emptyState(1);
  for (const one of channels) state.channels.set(one.id, one);
  return state;
}

function addUnread(state: State, conversation: Conversation, ids: readonly number[]): void {
  const key = keyOf(conversation, 1);
  state.unreads.set(key, { key, conversation, ids });
}

const WISH: NavWish = { filter: '', closedSections: new Set(), openChannels: new Set() };
const topicIn = (channelId: number, topic: string) =>
  ({ kind: 'topic', channelId, topic }) as const;

describe('sections', () => {
  test('pinned, folders in their order, and the rest', () => {
    const state = stateWith([
      channel(1, 'general'),
      channel(2, 'btcusdt', { folderId: 7 }),
      channel(3, 'desk', { subscription: { ...SUBSCRIPTION, isPinned: true } }),
      channel(4, 'left', { subscription: { ...SUBSCRIPTION, isActive: false } }),
      channel(5, 'aside', { folderId: 99 }),
    ]);
    state.folders = [{ id: 7, name: 'Markets', isArchived: false }] as never;
    const sections = deriveSections(state, WISH);
    expect(
      sections.map(({ key, channels }) => [key, channels.map((one) => one.channel.name)]),
    ).toEqual([
      ['pinned', ['desk']],
      ['folder:7', ['btcusdt']],
      ['other', ['aside', 'general']],
    ]);
  });

  test('a closed section still says how much is unread in it', () => {
    const state = stateWith([channel(1, 'general')]);
    addUnread(state, topicIn(1, 'x'), [4, 5]);
    const [section] = deriveSections(state, { ...WISH, closedSections: new Set(['other']) });
    expect(section).toMatchObject({ isOpen: false, count: 2, channels: [] });
  });

  test('an open channel has its unread topics first, without resolved and muted ones', () => {
    const state = stateWith([channel(1, 'general')]);
    state.topics.set(1, [
      { name: 'new', maxId: 9 },
      { name: '✔ done', maxId: 8 },
      { name: 'waiting', maxId: 3 },
    ]);
    addUnread(state, topicIn(1, 'Waiting'), [3]);
    const [section] = deriveSections(state, { ...WISH, openChannels: new Set([1]) });
    expect(section?.channels[0]).toMatchObject({ isOpen: true, count: 1, hasMore: true });
    expect(section?.channels[0]?.topics.map(({ name, count }) => [name, count])).toEqual([
      ['waiting', 1],
      ['new', 0],
    ]);
  });

  test('the topic that is read is shown, also in a closed channel', () => {
    const state = stateWith([channel(1, 'general')]);
    state.topics.set(1, [
      { name: 'a', maxId: 9 },
      { name: '✔ b', maxId: 8 },
    ]);
    const [section] = deriveSections(state, { ...WISH, at: { channelId: 1, topic: '✔ B' } });
    expect(section?.channels[0]?.topics.map(({ name }) => name)).toEqual(['✔ b']);
  });

  test('a filter finds channels and topics, with Persian letters of any keyboard', () => {
    const state = stateWith([channel(1, 'بازار'), channel(2, 'desk')]);
    state.topics.set(2, [
      { name: 'قیمت بازار', maxId: 1 },
      { name: 'other', maxId: 0 },
    ]);
    const found = deriveSections(state, { ...WISH, filter: 'بازار' }).flatMap(
      ({ channels }) => channels,
    );
    expect(found.map((one) => [one.channel.name, one.topics.map(({ name }) => name)])).toEqual([
      ['desk', ['قیمت بازار']],
      ['بازار', []],
    ]);
    expect(deriveSections(state, { ...WISH, filter: 'zzz' })).toEqual([]);
  });
});

test('direct messages: the latest, and all that are unread', () => {
  const state = emptyState(1);
  for (let id = 2; id < 14; id++) {
    const conversation = { kind: 'direct', userIds: [id] } as const;
    const key = keyOf(conversation, 1);
    state.recentDirect.set(key, { key, userIds: [id], maxId: 100 - id });
  }
  addUnread(state, { kind: 'direct', userIds: [13] }, [87]);
  const shown = deriveDirects(state, '');
  expect(shown.map(({ userIds }) => userIds[0])).toEqual([2, 3, 4, 5, 6, 7, 13]);
  expect(shown.at(-1)?.count).toBe(1);
});
