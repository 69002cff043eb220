import { describe, expect, it } from 'vitest';
import { monthsBefore, readRange, settled } from './period.ts';

const NOW = new Date(2026, 10, 16, 10, 2).getTime();

describe('a range of days', () => {
  it('has both of its days', () => {
    expect(readRange('2026-11-01', '2026-11-02', 'gregorian', NOW)).toEqual({
      fromMs: new Date(2026, 10, 1).getTime(),
      toMs: new Date(2026, 10, 3).getTime(),
    });
  });

  it('ends now where its last day has not ended', () => {
    expect(readRange('۱۴۰۵/۰۸/۰۱', '۱۴۰۵/۰۸/۳۰', 'persian', NOW)).toEqual({
      fromMs: new Date(2026, 9, 23).getTime(),
      toMs: NOW,
    });
  });

  it.each([
    ['2026-02-30', '2026-03-01', 'first'],
    ['2026-02-01', '', 'last'],
    ['2026-02-02', '2026-02-01', 'order'],
    ['2026-12-01', '2026-12-02', 'future'],
    ['2025-01-01', '2026-01-02', 'long'],
  ])('%s to %s is refused: %s', (first, last, problem) => {
    expect(readRange(first, last, 'gregorian', NOW)).toEqual({ problem });
  });

  it('may be a whole leap year', () => {
    expect(readRange('2024-01-01', '2024-12-31', 'gregorian', NOW)).not.toHaveProperty('problem');
  });
});

it('months are those of the calendar, the last one until now', () => {
  const [month] = monthsBefore(NOW, 'persian');
  expect(month && settled(month, NOW)).toEqual({
    fromMs: new Date(2026, 9, 23).getTime(),
    toMs: NOW,
  });
});
