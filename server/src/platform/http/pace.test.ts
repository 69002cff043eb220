import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createPace } from './pace.ts';

it('lets a burst through at once, and then keeps the pace', () => {
  const pace = createPace({ perSecond: 10, burst: 3 });
  const waits = Array.from({ length: 6 }, () => pace.reserve('one', 1000, 10_000));
  expect(waits).toEqual([0, 0, 0, 100, 200, 300]);
  expect(pace.reserve('another', 1000)).toBe(0);
});

it('takes nothing when the wait would be too long', () => {
  const pace = createPace({ perSecond: 10, burst: 1 });
  expect(pace.reserve('one', 0)).toBe(0);
  for (let count = 0; count < 100; count += 1) expect(pace.reserve('one', 50)).toBeUndefined();
  expect(pace.reserve('one', 100)).toBe(0);
});

it('never lets more through than the burst and the pace, whatever the pattern of calls', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 300 }), (gaps) => {
      const pace = createPace({ perSecond: 20, burst: 5 });
      let nowMs = 5000;
      let admitted = 0;
      for (const gap of gaps) {
        nowMs += gap;
        if (pace.reserve('one', nowMs) === 0) admitted += 1;
      }
      expect(admitted).toBeLessThanOrEqual(5 + ((nowMs - 5000) * 20) / 1000 + 1);
    }),
  );
});

it('costs the same from a million addresses, and forgets those that came first', () => {
  const pace = createPace({ perSecond: 0.001, burst: 1 });
  expect(pace.reserve('first', 0)).toBe(0);
  for (let count = 0; count < 150_000; count += 1) pace.reserve(`caller ${count}`, 1);
  expect(pace.reserve('first', 2)).toBe(0);
  expect(pace.reserve('caller 149999', 2)).toBeUndefined();
});
