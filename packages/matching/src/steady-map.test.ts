import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SteadyMap } from './steady-map.ts';

test('holds what a built-in map holds, in the same order', () => {
  const steps = fc.array(
    fc.record({ key: fc.nat(9000), add: fc.integer({ min: 0, max: 3 }), oldest: fc.boolean() }),
    { maxLength: 500 },
  );
  fc.assert(
    fc.property(steps, fc.constantFrom(0, 4000, 5000), (list, begun) => {
      const steady = new SteadyMap<number>();
      const plain = new Map<string, number>();
      for (let i = 0; i < begun; i++) {
        steady.set(`k${i}`, i);
        plain.set(`k${i}`, i);
      }
      for (const { key: n, add, oldest } of list) {
        const key = oldest ? ([...plain.keys()][0] ?? `k${n}`) : `k${n}`;
        if (add > 0) {
          steady.set(key, n);
          plain.set(key, n);
        } else expect(steady.delete(key)).toBe(plain.delete(key));
        expect([steady.get(key), steady.has(key)]).toEqual([plain.get(key), plain.has(key)]);
      }
      expect(steady.size).toBe(plain.size);
      expect([...steady]).toEqual([...plain]);
      expect([...steady.values()]).toEqual([...plain.values()]);
    }),
    { numRuns: 20 },
  );
});

test(
  'forgets its oldest entry as quickly when there are many as when there are few',
  // Other work on the machine can only make a round longer.
  { timeout: 120_000, retry: 3 },
  () => {
    /** Milliseconds in which this many new entries replace the oldest. */
    const churn = (size: number): number => {
      const map = new SteadyMap<number>();
      for (let i = 0; i < size; i++) map.set(`deposit-${i}`, i);
      const startedMs = performance.now();
      for (let i = size; i < size + 20_000; i++) {
        map.set(`deposit-${i}`, i);
        const [oldest] = map;
        map.delete(oldest![0]);
      }
      return performance.now() - startedMs;
    };
    churn(1000);
    // A plain map takes a thousand times as long.
    expect(churn(200_000) / churn(1000)).toBeLessThan(30);
  },
);
