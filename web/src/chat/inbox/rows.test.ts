import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Conversation } from '../../state/entities.ts';
import { keyOf } from '../../state/keys.ts';
import { channel, inTopic, OWN_ID, withPeople } from '../testing/state.ts';
import type { Inbox } from './derive.ts';
import { keepFocus, layoutRows, pressKey, type RowKey } from './rows.ts';

const waiting = (conversation: Conversation, count: number, isMentioned = false) => ({
  key: keyOf(conversation, OWN_ID),
  conversation,
  count,
  isMentioned,
  isFollowed: false,
  lastId: 1,
});

const topic = (channelId: number, name: string, count: number, isMentioned = false) => ({
  ...waiting(inTopic(channelId, name), count, isMentioned),
  topic: name,
});

const INBOX: Inbox = {
  directs: [waiting(withPeople(8), 2, true)],
  sections: [
    {
      key: 'folder:7',
      name: 'Desk',
      channels: [
        {
          channel: channel(1, 'otc-desk'),
          topics: [topic(1, 'rfq', 5, true), topic(1, 'settle', 1)],
        },
        { channel: channel(2, 'btcusdt'), topics: [topic(2, 'wall', 1)] },
      ],
    },
  ],
  count: 9,
  leftOut: 0,
};

const ALL = { closed: new Set<string>(), namesOf: () => 'Sara Karimi' };
const keysOf = (view: Parameters<typeof layoutRows>[1]) =>
  layoutRows(INBOX, view).map(({ key }) => key);

describe('rows', () => {
  it('show everything when nothing is closed', () => {
    expect(keysOf(ALL)).toEqual([
      'directs',
      'd8',
      'folder:7',
      'channel:1',
      'c1:rfq',
      'c1:settle',
      'channel:2',
      'c2:wall',
    ]);
  });

  it('keep the count and the mention of what they hide', () => {
    const rows = layoutRows(INBOX, { ...ALL, closed: new Set(['folder:7']) });
    expect(rows.at(-1)).toMatchObject({
      key: 'folder:7',
      count: 7,
      isMentioned: true,
      isOpen: false,
    });
  });

  it('show what a filter found, closed or not, and count only that', () => {
    const view = { ...ALL, closed: new Set(['folder:7', 'channel:1']) };
    const rows = layoutRows(INBOX, { ...view, fits: (text) => text.includes('rfq') });
    expect(rows.map(({ key, count }) => [key, count])).toEqual([
      ['folder:7', 5],
      ['channel:1', 5],
      ['c1:rfq', 5],
    ]);
  });

  it('show all topics of a channel whose name fits', () => {
    expect(keysOf({ ...ALL, fits: (text) => text === 'otc-desk' })).toContain('c1:settle');
  });

  it('find people by name', () => {
    expect(keysOf({ ...ALL, fits: (text) => text.includes('Karimi') })).toEqual(['directs', 'd8']);
  });
});

describe('keys', () => {
  const rows = layoutRows(INBOX, ALL);

  it('close an open row outward, then go to its parent', () => {
    expect(pressKey(rows, 'channel:1', 'outward')).toEqual({ act: 'close', key: 'channel:1' });
    expect(pressKey(rows, 'c1:settle', 'outward')).toEqual({
      act: 'focus',
      key: 'channel:1',
    });
    expect(pressKey(rows, 'd8', 'outward')).toEqual({ act: 'focus', key: 'directs' });
  });

  it('open a closed row inward, then go to its first child', () => {
    const closed = layoutRows(INBOX, { ...ALL, closed: new Set(['channel:1']) });
    expect(pressKey(closed, 'channel:1', 'inward')).toEqual({ act: 'open', key: 'channel:1' });
    expect(pressKey(rows, 'channel:1', 'inward')).toEqual({ act: 'focus', key: 'c1:rfq' });
    expect(pressKey(rows, 'c1:rfq', 'inward')).toBeUndefined();
  });

  it('begin at an end when nothing has the focus', () => {
    expect(pressKey(rows, undefined, 'down')).toEqual({ act: 'focus', key: 'directs' });
    expect(pressKey(rows, undefined, 'up')).toEqual({ act: 'focus', key: 'c2:wall' });
    expect(pressKey([], undefined, 'down')).toBeUndefined();
  });

  it('always lead to a row that is there', () => {
    const pressed = fc.constantFrom<RowKey>('up', 'down', 'home', 'end', 'inward', 'outward');
    const closed = fc.subarray(['directs', 'folder:7', 'channel:1', 'channel:2']);
    fc.assert(
      fc.property(closed, fc.array(pressed), (keys, presses) => {
        const shut = new Set(keys);
        let focus: string | undefined;
        for (const press of presses) {
          const now = layoutRows(INBOX, { ...ALL, closed: shut });
          const result = pressKey(now, focus, press);
          if (result === undefined) continue;
          expect(now.map(({ key }) => key)).toContain(result.key);
          if (result.act === 'focus') focus = result.key;
          if (result.act === 'close') shut.add(result.key);
          if (result.act === 'open') shut.delete(result.key);
        }
      }),
    );
  });
});

describe('focus', () => {
  const rows = layoutRows(INBOX, ALL);
  const without = (...gone: string[]) => rows.filter(({ key }) => !gone.includes(key));

  it('stays on a row that stays', () => {
    expect(keepFocus(rows, without('directs'), 'c1:rfq')).toBe('c1:rfq');
  });

  it('goes on to the next row when its own was read', () => {
    expect(keepFocus(rows, without('c1:rfq'), 'c1:rfq')).toBe('c1:settle');
  });

  it('goes to the last row when there is no next, and nowhere in an empty inbox', () => {
    expect(keepFocus(rows, without('c2:wall'), 'c2:wall')).toBe('channel:2');
    expect(keepFocus(rows, [], 'c2:wall')).toBeUndefined();
  });
});
