import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deriveRows, type RowMessage } from './rows.ts';

const dayOf = (timestamp: number) => String(Math.floor(timestamp / 86_400));

function message(id: number, extra: Partial<RowMessage> = {}): RowMessage {
  return { key: String(id), id, senderId: 1, timestamp: 1_000 + id, place: 'a', ...extra };
}

const messages = fc
  .array(
    fc.record({
      step: fc.nat({ max: 50_000 }),
      senderId: fc.integer({ min: 1, max: 2 }),
      place: fc.constantFrom('a', 'b'),
      alone: fc.boolean(),
    }),
    { maxLength: 40 },
  )
  .map((drafts) => {
    let timestamp = 0;
    return drafts.map(({ step, ...rest }, index) =>
      message(index + 1, { ...rest, timestamp: (timestamp += step) }),
    );
  });

describe('rows of a conversation', () => {
  it('group messages of one sender within ten minutes of each other', () => {
    const rows = deriveRows({
      messages: [
        message(1, { timestamp: 0 }),
        message(2, { timestamp: 600 }),
        message(3, { timestamp: 1_201 }),
        message(4, { timestamp: 1_202, senderId: 2 }),
      ],
      oldest: true,
      dayOf,
    });
    expect(rows.map(({ startsSender }) => startsSender)).toEqual([true, false, true, true]);
  });

  it('begin a day, a topic and the unread line once each', () => {
    const rows = deriveRows({
      messages: [
        message(1),
        message(2, { place: 'b' }),
        message(3, { place: 'b', timestamp: 90_000 }),
        message(4, { place: 'b', timestamp: 90_001 }),
      ],
      oldest: true,
      unreadLine: { firstId: 4, count: 1 },
      dayOf,
    });
    expect(rows).toMatchObject([
      { day: 1_001, startsPlace: true, unread: undefined, startsSender: true },
      { day: undefined, startsPlace: true, unread: undefined, startsSender: true },
      { day: 90_000, startsPlace: false, unread: undefined, startsSender: true },
      { day: undefined, startsPlace: false, unread: 1, startsSender: true },
    ]);
  });

  it('draw the unread line above the next message when the first unread one is gone', () => {
    const rows = deriveRows({
      messages: [message(1), message(5)],
      oldest: true,
      unreadLine: { firstId: 3, count: 2 },
      dayOf,
    });
    expect(rows.map(({ unread }) => unread)).toEqual([undefined, 2]);
  });

  it('stay as they are when older messages are loaded above them', () => {
    fc.assert(
      fc.property(messages, fc.nat({ max: 40 }), (all, cut) => {
        const late = deriveRows({ messages: all.slice(cut), oldest: cut === 0, dayOf });
        const whole = deriveRows({ messages: all, oldest: true, dayOf }, late);
        expect(whole.slice(whole.length - late.length)).toEqual(late);
        for (const row of late) expect(whole).toContain(row);
      }),
    );
  });

  it('are the same objects when nothing changed', () => {
    fc.assert(
      fc.property(messages, (all) => {
        const first = deriveRows({ messages: all, oldest: true, dayOf });
        expect(deriveRows({ messages: [...all], oldest: true, dayOf }, first)).toBe(first);
      }),
    );
  });
});
