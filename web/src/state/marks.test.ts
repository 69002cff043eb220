// What was seen is told once a second, and only what is unread.
import type { Chat } from '@rialto/sdk';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OWN_ID } from './example.ts';
import { topicOf } from './keys.ts';
import { createMarks } from './marks.ts';
import { emptyState } from './state.ts';
import { addUnread } from './unreads.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function open(isFailing = false) {
  const state = emptyState(OWN_ID);
  addUnread(state, [1, 2, 3, 4], topicOf(1, 'plan'));
  const told: (readonly number[])[] = [];
  const chat = {
    updateMessageFlags: async ({ messages }: { messages: readonly number[] }) => {
      told.push(messages);
      if (isFailing) throw new Error('cut');
    },
  };
  return { state, told, marks: createMarks(chat as unknown as Chat, { state }) };
}

describe('read marks', () => {
  it('go out together after a second, without what is not unread', async () => {
    const { told, marks } = open();
    marks.seen([1, 99]);
    marks.seen([2, 1]);
    expect(told).toEqual([]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(told).toEqual([[1, 2]]);
    await vi.advanceTimersByTimeAsync(5000);
    expect(told).toHaveLength(1);
  });

  it('go out at once when the page ends', () => {
    const { told, marks } = open();
    marks.seen([3]);
    marks.flush();
    expect(told).toEqual([[3]]);
  });

  it('are tried a few times and no more', async () => {
    const { told, marks } = open(true);
    marks.seen([4]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(told).toHaveLength(5);
  });
});
