import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VISIBILITY, type Visibility } from '../../state/entities.ts';
import { topicKey } from '../../state/keys.ts';
import { channel, folder, inTopic, stateOf, withPeople, type Given } from '../testing/state.ts';
import { deriveInbox, INBOX_LIMIT, type Inbox } from './derive.ts';

const CHANNELS = [
  channel(1, 'otc-desk', { folderId: 7 }),
  channel(2, 'btcusdt', { folderId: 7 }),
  channel(3, 'general'),
  channel(4, 'noise', {}, { isMuted: true }),
  channel(5, 'alerts', { folderId: 7 }, { isPinned: true }),
  channel(6, 'left', {}, { isActive: false }),
];

const inboxOf = (given: Given, visibilities: readonly [number, string, Visibility][] = []) => {
  const state = stateOf({ channels: CHANNELS, folders: [folder(7, 'Desk')], ...given });
  for (const [channelId, topic, visibility] of visibilities) {
    const userTopic = { channelId, topic, visibility, updatedAt: 0 };
    state.userTopics.set(topicKey(channelId, topic), userTopic);
  }
  return deriveInbox(state);
};

const rowsOf = ({ directs, sections }: Inbox) => [
  ...directs,
  ...sections.flatMap(({ channels }) => channels.flatMap(({ topics }) => topics)),
];

describe('the order of the inbox', () => {
  it('puts direct messages first, then pinned channels, folders, and the rest', () => {
    const inbox = inboxOf({
      unread: [
        [inTopic(3, 'lunch'), [10]],
        [inTopic(1, 'rfq'), [11]],
        [inTopic(2, 'wall'), [12]],
        [inTopic(5, 'cpu'), [13]],
        [withPeople(8), [9]],
      ],
    });
    expect(inbox.directs.map(({ conversation }) => conversation)).toEqual([withPeople(8)]);
    expect(
      inbox.sections.map(({ key, channels }) => [key, channels.map((row) => row.channel.name)]),
    ).toEqual([
      ['pinned', ['alerts']],
      ['folder:7', ['btcusdt', 'otc-desk']],
      ['other', ['general']],
    ]);
    expect(inbox.sections[1]?.name).toBe('Desk');
  });

  it('puts the newest topic of a channel first', () => {
    const inbox = inboxOf({
      unread: [
        [inTopic(3, 'a'), [1]],
        [inTopic(3, 'c'), [3]],
        [inTopic(3, 'b'), [2]],
      ],
    });
    expect(rowsOf(inbox).map(({ lastId }) => lastId)).toEqual([3, 2, 1]);
  });

  it('puts a channel whose folder is gone among the others', () => {
    const inbox = inboxOf({ folders: [], unread: [[inTopic(1, 'rfq'), [1]]] });
    expect(inbox.sections.map(({ key }) => key)).toEqual(['other']);
  });

  it('marks the conversation in which somebody mentions the reader', () => {
    const unread: Given['unread'] = [
      [inTopic(3, 'a'), [1, 2]],
      [inTopic(3, 'b'), [3]],
    ];
    const rows = rowsOf(inboxOf({ unread, mentions: [2] }));
    expect(rows.map(({ isMentioned }) => isMentioned)).toEqual([false, true]);
  });
});

describe('what is muted', () => {
  const { inherit, muted, unmuted, followed } = VISIBILITY;
  const cases: readonly [string, number, Visibility, boolean][] = [
    ['a topic of a muted channel is hidden', 4, inherit, false],
    ['an unmuted topic of a muted channel is shown', 4, unmuted, true],
    ['a followed topic of a muted channel is shown', 4, followed, true],
    ['a muted topic is hidden', 3, muted, false],
    ['a topic of a channel that was left is hidden', 6, followed, false],
    ['a topic of a channel that nobody knows is hidden', 99, followed, false],
  ];
  it.each(cases)('%s', (_, channelId, visibility, isShown) => {
    const inbox = inboxOf({ unread: [[inTopic(channelId, 't'), [1]]] }, [
      [channelId, 't', visibility],
    ]);
    expect(rowsOf(inbox)).toHaveLength(isShown ? 1 : 0);
    expect(inbox.count).toBe(isShown ? 1 : 0);
  });

  it('hides a direct conversation with muted people only', () => {
    const inbox = inboxOf({
      unread: [
        [withPeople(8), [1]],
        [withPeople(8, 9), [2]],
        [withPeople(), [3]],
      ],
      mutedUsers: [8],
    });
    expect(inbox.directs.map(({ conversation }) => conversation)).toEqual([
      withPeople(),
      withPeople(8, 9),
    ]);
  });
});

describe('counts', () => {
  const drawn = fc.uniqueArray(
    fc.record({
      channelId: fc.integer({ min: 1, max: 7 }),
      topic: fc.constantFrom('a', 'b', 'c', 'd'),
      ids: fc.array(fc.integer({ min: 1, max: 1000 }), { maxLength: 5 }),
      isDirect: fc.boolean(),
    }),
    { selector: (one) => `${one.isDirect} ${one.channelId} ${one.topic}`, maxLength: 40 },
  );

  it('are those of exactly the rows that are shown, each conversation once', () => {
    fc.assert(
      fc.property(drawn, (all) => {
        const unread = all.map(({ channelId, topic, ids, isDirect }) => {
          const place = isDirect
            ? withPeople(channelId + 10, topic.charCodeAt(0))
            : inTopic(channelId, topic);
          return [place, ids] as const;
        });
        const inbox = inboxOf({ unread });
        const rows = rowsOf(inbox);
        expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(inbox.count);
        expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
        const expected = all.filter(
          ({ ids, isDirect, channelId }) =>
            ids.length > 0 && (isDirect || [1, 2, 3, 5].includes(channelId)),
        );
        expect(rows).toHaveLength(expected.length);
      }),
    );
  });

  it('stop at a limit, which keeps the newest', () => {
    const unread = Array.from({ length: INBOX_LIMIT + 20 }, (_, n) => {
      return [inTopic(3, `t${n}`), [n + 1]] as const;
    });
    const inbox = inboxOf({ unread });
    expect(inbox.leftOut).toBe(20);
    expect(inbox.count).toBe(INBOX_LIMIT);
    expect(rowsOf(inbox).at(-1)?.lastId).toBe(21);
  });
});
