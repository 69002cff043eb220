import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fromField, isSoonEnough, offerTimes, toField } from './times.ts';

const at = (text: string) => new Date(text).getTime();

it('offers the evening only before it', () => {
  const noon = offerTimes(at('2026-11-16T12:00')).map(({ choice }) => choice);
  expect(noon).toEqual(['inHalfAnHour', 'thisEvening', 'tomorrow', 'nextMonday']);
  const night = offerTimes(at('2026-11-16T17:58')).map(({ choice }) => choice);
  expect(night).not.toContain('thisEvening');
});

it('means the Monday after today, on a Monday too', () => {
  const monday = offerTimes(at('2026-11-16T12:00')).at(-1);
  expect(monday?.atMs).toBe(at('2026-11-23T09:00'));
  const sunday = offerTimes(at('2026-11-15T12:00')).at(-1);
  expect(sunday?.atMs).toBe(at('2026-11-16T09:00'));
});

it('offers only times that are far enough away', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4e12 }), (nowMs) => {
      for (const { atMs } of offerTimes(nowMs)) expect(isSoonEnough(atMs, nowMs)).toBe(true);
    }),
  );
});

it('fills a field and reads it again, to the minute', () => {
  expect(fromField(toField(at('2026-03-21T23:59')))).toBe(at('2026-03-21T23:59'));
  expect(fromField('')).toBeUndefined();
});
