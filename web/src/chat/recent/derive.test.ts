import { expect, it } from 'vitest';
import type { RecentConversation } from '../../state/select.ts';
import { inTopic, withPeople } from '../testing/state.ts';
import { filterRecent, type RecentFilters } from './derive.ts';

const recent = (
  conversation: RecentConversation['conversation'],
  more: Partial<RecentConversation> = {},
): RecentConversation => ({
  key: conversation.kind === 'topic' ? conversation.topic : 'direct',
  conversation,
  maxId: 1,
  senderIds: [],
  unread: 0,
  isMuted: false,
  ...more,
});

const ALL = [
  recent(withPeople(8), { unread: 3 }),
  recent(inTopic(1, 'loud'), { isMuted: true, unread: 9 }),
  recent(inTopic(1, 'mine')),
];
const NONE: RecentFilters = { unread: false, participated: false, direct: false, muted: false };
const keys = (filters: Partial<RecentFilters>) =>
  filterRecent(ALL, { ...NONE, ...filters }, new Set(['mine'])).map(({ key }) => key);

it('leaves out what is muted until asked', () => {
  expect(keys({})).toEqual(['direct', 'mine']);
  expect(keys({ muted: true })).toEqual(['direct', 'loud', 'mine']);
});

it('keeps what fits all chips that are pressed', () => {
  expect(keys({ unread: true })).toEqual(['direct']);
  expect(keys({ unread: true, muted: true })).toEqual(['direct', 'loud']);
  expect(keys({ participated: true })).toEqual(['mine']);
  expect(keys({ direct: true, participated: true })).toEqual([]);
});
