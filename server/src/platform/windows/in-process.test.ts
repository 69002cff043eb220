import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createInProcessWindows } from './in-process.ts';
import type { Admission } from './windows.ts';
import { MEASURED } from '../../testing/measured.ts';

it('agrees with a list of all admissions, whatever the pattern of calls', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 12 }),
      fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 200 }),
      (limit, gaps) => {
        let nowMs = 1_000_000;
        const windows = createInProcessWindows({ now: () => nowMs });
        const all: number[] = [];
        for (const gap of gaps) {
          nowMs += gap;
          const inWindow = all.filter((time) => nowMs - time <= 1000).length;
          const decision = windows.admit('caller', { limit, windowMs: 1000 }) as Admission;
          expect(decision.admitted).toBe(inWindow < limit);
          if (decision.admitted) all.push(nowMs);
        }
      },
    ),
  );
});

it('a clock that is set back locks nobody out', () => {
  let nowMs = 5_000_000;
  const windows = createInProcessWindows({ now: () => nowMs });
  const rule = { limit: 1, windowMs: 1000 };
  void windows.admit('caller', rule);
  nowMs -= 3_600_000;
  expect((windows.admit('caller', rule) as Admission).admitted).toBe(true);
});

it('forgets callers that stay away', () => {
  let nowMs = 0;
  const windows = createInProcessWindows({ now: () => nowMs });
  for (let index = 0; index < 1000; index += 1)
    void windows.admit(`caller ${index}`, { limit: 1, windowMs: 1000 });
  nowMs += 60_000;
  expect((windows.admit('caller 1', { limit: 1, windowMs: 1000 }) as Admission).admitted).toBe(
    true,
  );
});

it(
  'costs the same however many addresses there are, and forgets those that came first',
  MEASURED,
  () => {
    const windows = createInProcessWindows({ now: () => 1_000_000 });
    const rule = { limit: 1, windowMs: 60_000 };
    const admit = (from: number, to: number) => {
      const startedMs = performance.now();
      for (let index = from; index < to; index += 1) void windows.admit(`caller ${index}`, rule);
      return performance.now() - startedMs;
    };
    const few = admit(0, 100_000) + admit(100_000, 200_000);
    // Looking at all of them for each new one would take a thousand times as long.
    expect(admit(200_000, 220_000)).toBeLessThan(few * 20);
    expect((windows.admit('caller 0', rule) as Admission).admitted).toBe(true);
    expect((windows.admit('caller 219999', rule) as Admission).admitted).toBe(false);
  },
);
