// Drafts in the browser: written at once, brought to the server after two seconds, merged with other devices.
import type { Chat, QueueEvent } from '@rialto/sdk';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCore } from './core.ts';
import { createDrafts } from './drafts.ts';
import { OWN_ID } from './example.ts';
import { topicOf } from './keys.ts';

/** As much of a Storage as is used. */
class Memory {
  readonly rows = new Map<string, string>();

  get length(): number {
    return this.rows.size;
  }

  key(index: number): string | null {
    return [...this.rows.keys()][index] ?? null;
  }

  getItem(key: string): string | null {
    return this.rows.get(key) ?? null;
  }

  setItem(key: string, value: string): void {
    this.rows.set(key, value);
  }

  removeItem(key: string): void {
    this.rows.delete(key);
  }
}

const PLACE = topicOf(1, 'plan');

function open(storage = new Memory()) {
  const core = createCore(OWN_ID);
  const asked: string[] = [];
  let lastId = 6;
  let isCut = false;
  const chat = {
    createDrafts: async ({ drafts }: { drafts: readonly { content: string }[] }) => {
      if (isCut) throw new Error('There is no network.');
      asked.push(`create ${drafts[0]?.content}`);
      return { ids: [(lastId += 1)] };
    },
    editDraft: async ({ draft_id, draft }: { draft_id: number; draft: { content: string } }) => {
      asked.push(`edit ${draft_id} ${draft.content}`);
    },
    deleteDraft: async ({ draft_id }: { draft_id: number }) => {
      asked.push(`delete ${draft_id}`);
    },
  };
  const drafts = createDrafts({
    chat: chat as unknown as Chat,
    core,
    storage: storage as unknown as Storage,
    userId: OWN_ID,
  });
  core.onBatch(drafts.follow);
  const hear = (id: number, content: string): void => {
    const draft = { id, type: 'stream', to: [1], topic: 'plan', content, timestamp: 5 };
    const event = { id: 1, type: 'drafts', op: 'update', draft };
    core.applyEvents([event as unknown as QueueEvent]);
  };
  return { drafts, asked, storage, hear, core, cut: (now: boolean) => (isCut = now) };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a draft', () => {
  it('[10] is in the browser at once, and still there when the tab was killed', () => {
    const { drafts, storage } = open();
    const saved = drafts.save({ destination: PLACE, content: 'hel' });
    drafts.save({ id: saved?.id, destination: PLACE, content: 'hello' });
    const again = open(storage).drafts;
    expect(again.latestFor(topicOf(1, 'PLAN'))).toMatchObject({ content: 'hello' });
    expect(again.list()).toHaveLength(1);
  });

  it('goes to the server two seconds after the last key, and is edited there afterwards', async () => {
    const { drafts, asked, hear } = open();
    const saved = drafts.save({ destination: PLACE, content: 'one' });
    await vi.advanceTimersByTimeAsync(1900);
    drafts.save({ id: saved?.id, destination: PLACE, content: 'one two' });
    await vi.advanceTimersByTimeAsync(1900);
    expect(asked).toEqual([]);
    await vi.advanceTimersByTimeAsync(200);
    expect(asked).toEqual(['create one two']);
    hear(7, 'one two');
    drafts.save({ id: saved?.id, destination: PLACE, content: 'one two three' });
    await vi.advanceTimersByTimeAsync(2100);
    expect(asked.at(-1)).toBe('edit 7 one two three');
    expect(drafts.list()).toHaveLength(1);
  });

  it('that was written without a network goes to the server once, when it is back', async () => {
    const { drafts, asked, cut } = open();
    cut(true);
    drafts.save({ destination: PLACE, content: 'on the train' });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toEqual([]);
    cut(false);
    drafts.poke();
    drafts.poke();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toEqual(['create on the train']);
    drafts.poke();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toHaveLength(1);
  });

  it('[12] stands beside that of another device when both were changed', async () => {
    const { drafts, asked, hear } = open();
    const saved = drafts.save({ destination: PLACE, content: 'mine' });
    await vi.advanceTimersByTimeAsync(2100);
    hear(7, 'mine');
    drafts.save({ id: saved?.id, destination: PLACE, content: 'mine, longer' });
    hear(7, 'theirs');
    expect(
      drafts
        .list()
        .map(({ content }) => content)
        .sort(),
    ).toEqual(['mine, longer', 'theirs']);
    await vi.advanceTimersByTimeAsync(2100);
    expect(asked.at(-1)).toBe('create mine, longer');
  });

  it('goes away here and there when it was sent, or emptied', async () => {
    const { drafts, asked, storage } = open();
    const saved = drafts.save({ destination: PLACE, content: 'mine' });
    await vi.advanceTimersByTimeAsync(2100);
    drafts.save({ id: saved?.id, destination: PLACE, content: ' ' });
    expect(drafts.list()).toEqual([]);
    expect(storage.length).toBe(0);
    expect(asked.at(-1)).toBe('delete 7');
  });

  it('stays in the browser alone when the person wants it so', async () => {
    const { drafts, asked, core } = open();
    const property = 'enable_drafts_synchronization';
    const event = { id: 1, type: 'user_settings', op: 'update', property, value: false };
    core.applyEvents([event as unknown as QueueEvent]);
    drafts.save({ destination: PLACE, content: 'mine' });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(asked).toEqual([]);
    expect(drafts.list()).toHaveLength(1);
  });
});
