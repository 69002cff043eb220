import fc from 'fast-check';
import { expect, test } from 'vitest';
import { look, SEEN_MS, type Watching } from './seen.ts';

test('A message is seen after 400 ms on the screen, and not before (row 8).', () => {
  const first = look(new Map(), { ids: [1, 2], nowMs: 0 });
  expect(first.seen).toEqual([]);
  const second = look(first.watching, { ids: [2, 3], nowMs: 399 });
  expect(second.seen).toEqual([]);
  expect(look(second.watching, { ids: [2, 3], nowMs: 400 }).seen).toEqual([2]);
});

test('A break begins the time anew, as when the window loses the focus.', () => {
  const first = look(new Map(), { ids: [1], nowMs: 0 });
  const away = look(first.watching, { ids: [], nowMs: 300 });
  const back = look(away.watching, { ids: [1], nowMs: 500 });
  expect(back.seen).toEqual([]);
  expect(look(back.watching, { ids: [1], nowMs: 899 }).seen).toEqual([]);
  expect(look(back.watching, { ids: [1], nowMs: 900 }).seen).toEqual([1]);
});

test('Whatever was seen stood in every look of the last 400 ms.', () => {
  const looks = fc.array(
    fc.record({ wait: fc.nat({ max: 300 }), ids: fc.uniqueArray(fc.nat({ max: 4 })) }),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(looks, (all) => {
      let watching: Watching = new Map();
      let nowMs = 0;
      const times: { nowMs: number; ids: readonly number[] }[] = [];
      for (const { wait, ids } of all) {
        nowMs += wait;
        times.push({ nowMs, ids });
        const answer = look(watching, { ids, nowMs });
        watching = answer.watching;
        for (const id of [0, 1, 2, 3, 4]) {
          const lastBreak = times.findLastIndex((one) => !one.ids.includes(id));
          const since = times[lastBreak + 1]?.nowMs;
          const expected = since !== undefined && nowMs - since >= SEEN_MS;
          expect(answer.seen.includes(id)).toBe(expected);
        }
      }
    }),
  );
});
