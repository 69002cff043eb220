import { describe, expect, it } from 'vitest';
import { gather } from './gather.ts';

describe('gather', () => {
  it('answers each question, and asks waiting questions together', async () => {
    const calls: number[][] = [];
    const ask = gather(3, async (questions: readonly number[]) => {
      calls.push([...questions]);
      await Promise.resolve();
      return questions.map((question) => question * 10);
    });
    expect(await Promise.all([1, 2, 3, 4, 5].map(ask))).toEqual([10, 20, 30, 40, 50]);
    expect(calls).toEqual([[1], [2, 3, 4], [5]]);
  });

  it('never answers by a call that had begun before', async () => {
    let value = 'old';
    const started = Promise.withResolvers<void>();
    const ask = gather(10, async (questions: readonly string[]) => {
      const seen = value;
      await started.promise;
      return questions.map(() => seen);
    });
    const first = ask('a');
    value = 'new';
    const second = ask('b');
    started.resolve();
    expect(await first).toBe('old');
    expect(await second).toBe('new');
  });

  it('a failed call fails only for the questions in it', async () => {
    let isDown = true;
    const ask = gather(10, async (questions: readonly number[]) => {
      const fails = isDown;
      isDown = false;
      await Promise.resolve();
      if (fails) throw new Error('away');
      return questions;
    });
    const outcomes = await Promise.allSettled([ask(1), ask(2)]);
    expect(outcomes).toMatchObject([{ status: 'rejected' }, { status: 'fulfilled', value: 2 }]);
    expect(await ask(3)).toBe(3);
  });
});
