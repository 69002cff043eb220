import { expect, it } from 'vitest';
import { periodOf } from './period.ts';

const NOW = 1_800_000_000_000;
const start = (...day: [number, number, number]) => new Date(...day).getTime() / 1000;

it('is some time before now', () => {
  expect(periodOf('any', NOW, '', '')).toEqual({});
  expect(periodOf('day', NOW, '2026-01-01', '')).toEqual({ since: 1_800_000_000 - 86_400 });
});

it('has the first and the last day whole', () => {
  expect(periodOf('days', NOW, '2026-11-16', '2026-11-16')).toEqual({
    since: start(2026, 10, 16),
    until: start(2026, 10, 17),
  });
  expect(periodOf('days', NOW, '2026-12-31', '')).toEqual({ since: start(2026, 11, 31) });
  expect(periodOf('days', NOW, '', 'nonsense')).toEqual({});
});

it('is none the wrong way round', () => {
  expect(periodOf('days', NOW, '2026-11-17', '2026-11-16')).toBeUndefined();
});
