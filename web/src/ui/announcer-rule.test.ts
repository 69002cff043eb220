import fc from 'fast-check';
import { expect, test } from 'vitest';
import { due, hear, QUIET, type Gathering } from './announcer-rule.ts';

function listen(times: readonly number[]): { said: string[]; counts: number[]; end: Gathering } {
  let state = QUIET;
  const said: string[] = [];
  const counts: number[] = [];
  for (const [index, at] of times.entries()) {
    const told = due(state, at);
    if (told.count > 0) counts.push(told.count);
    const { after, say } = hear(told.after, { at, text: `m${index}` });
    if (say !== undefined) said.push(say);
    state = after;
  }
  return { said, counts, end: state };
}

test('Three messages in five seconds are read out, of a fourth and later ones the count.', () => {
  expect(listen([0, 1000, 2000]).said).toEqual(['m0', 'm1', 'm2']);
  const busy = listen([0, 10, 20, 30, 40, 50]);
  expect(busy.said).toEqual(['m0', 'm1', 'm2']);
  expect(due(busy.end, 5029).count).toBe(0);
  expect(due(busy.end, 5030).count).toBe(3);
});

test('A calm conversation is read out whole.', () => {
  expect(listen([0, 2000, 4000, 6000, 8000, 10_000]).said).toHaveLength(6);
});

test('Every message is read out or counted, exactly once, and little is kept.', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 4000 }), { maxLength: 60 }), (gaps) => {
      let now = 0;
      const { said, counts, end } = listen(gaps.map((gap) => (now += gap)));
      const last = due(end, Number.MAX_SAFE_INTEGER).count;
      expect(said.length + counts.reduce((sum, count) => sum + count, 0) + last).toBe(gaps.length);
      expect(end.recent.length).toBeLessThanOrEqual(4);
    }),
  );
});
