import type { LedgerEntry } from '@rialto/sdk';
import { describe, expect, it } from 'vitest';
import { daysOf, pathOf, rangeOf, seriesOf, thin } from './series.ts';

const DAY = 86_400_000;
const entry = (time: number, before: string, after: string, amount: string): LedgerEntry => ({
  entryId: String(time),
  coin: 'btc',
  kind: 'trade',
  direction: Number(after) > Number(before) ? 'in' : 'out',
  amount,
  balanceBefore: before,
  balanceAfter: after,
  referenceType: 'trade',
  referenceId: '1',
  fee: '0',
  time: String(time),
});
const ENTRIES = [
  entry(2 * DAY + 10, '1.5', '1.25', '0.25'),
  entry(DAY + 20, '2', '1.5', '0.5'),
  entry(DAY + 10, '1', '2', '1'),
];
const POINTS = seriesOf(ENTRIES, { fromMs: 0, toMs: 4 * DAY, totalNow: '1.25' });

describe('the series', () => {
  it('begins with what there was before the oldest entry', () => {
    expect(POINTS.map(({ total }) => total)).toEqual(['1', '2', '1.5', '1.25', '1.25']);
    expect(seriesOf([], { fromMs: 0, toMs: 9, totalNow: '7' })).toEqual([
      { atMs: 0, total: '7' },
      { atMs: 9, total: '7' },
    ]);
  });

  it('is drawn in steps between its lowest and its highest', () => {
    const range = rangeOf(POINTS);
    expect(range).toEqual({ low: '1', high: '2' });
    expect(pathOf(POINTS, range, { width: 400, height: 100 })).toBe(
      'M0.0 100.0H100.0V0.0H100.0V50.0H200.0V75.0H400.0V75.0',
    );
    const flat = seriesOf([], { fromMs: 0, toMs: 9, totalNow: '7' });
    expect(pathOf(flat, rangeOf(flat), { width: 400, height: 100 })).toBe('M0.0 50.0H400.0V50.0');
  });

  it('keeps its ends when it is thinned', () => {
    const many = Array.from({ length: 1000 }, (_value, at) => ({ atMs: at, total: String(at) }));
    const few = thin(many, 100);
    expect(few.length).toBeLessThanOrEqual(102);
    expect(few[0]).toEqual(many[0]);
    expect(few.at(-1)).toEqual(many.at(-1));
  });
});

it('a day has its last total, and all of its changes', () => {
  expect(daysOf(ENTRIES, 'UTC').map(({ total, change }) => [total, change])).toEqual([
    ['1.25', '-0.25'],
    ['1.5', '0.5'],
  ]);
});
