// How the total of a coin went, from the entries of the ledger. Pure. Amounts stay texts; only places on the drawing
// become numbers.
import { decimal, type LedgerEntry } from '@rialto/sdk';
import { dayKeyOf } from '../../i18n/date.ts';

export interface Point {
  readonly atMs: number;
  readonly total: string;
}

/** From the first moment to the last. The entries are the newest first, as the API gives them. */
export function seriesOf(
  entries: readonly LedgerEntry[],
  { fromMs, toMs, totalNow }: { fromMs: number; toMs: number; totalNow: string },
): readonly Point[] {
  const oldest = entries.at(-1);
  const newest = entries[0];
  return [
    { atMs: fromMs, total: oldest?.balanceBefore ?? totalNow },
    ...entries
      .toReversed()
      .map(({ time, balanceAfter }) => ({ atMs: Number(time), total: balanceAfter })),
    { atMs: toMs, total: newest?.balanceAfter ?? totalNow },
  ];
}

/** A line cannot show more than its width: the last of each slice stays, so that the line ends where it ended. */
export function thin(points: readonly Point[], slices: number): readonly Point[] {
  const [first, ...others] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined || points.length <= slices) return points;
  const length = (last.atMs - first.atMs) / slices || 1;
  const kept = new Map<number, Point>();
  for (const point of others) kept.set(Math.floor((point.atMs - first.atMs) / length), point);
  return [first, ...kept.values()];
}

export interface Range {
  readonly low: string;
  readonly high: string;
}

export const rangeOf = (points: readonly Point[]): Range => {
  const totals = points.map(({ total }) => total);
  const [first = '0', ...others] = totals;
  return { low: decimal.min(first, ...others), high: decimal.max(first, ...others) };
};

/** Steps, for between two entries a total stays as it is. The drawing is `width` by `height`, its zero at the top. */
export function pathOf(
  points: readonly Point[],
  { low, high }: Range,
  { width, height }: { readonly width: number; readonly height: number },
): string {
  const first = points[0]?.atMs ?? 0;
  const length = (points.at(-1)?.atMs ?? 0) - first || 1;
  const spread = decimal.subtract(high, low);
  const x = ({ atMs }: Point) => (((atMs - first) / length) * width).toFixed(1);
  const y = ({ total }: Point) => {
    if (decimal.isZero(spread)) return (height / 2).toFixed(1);
    const part = Number(decimal.divide(decimal.subtract(total, low), spread, 6));
    return ((1 - part) * height).toFixed(1);
  };
  return points
    .map((point, index) => (index === 0 ? `M${x(point)} ${y(point)}` : `H${x(point)}V${y(point)}`))
    .join('');
}

export interface Day {
  readonly key: string;
  readonly atMs: number;
  readonly total: string;
  readonly change: string;
}

/** The days on which something changed, the newest first. */
export function daysOf(entries: readonly LedgerEntry[], zone?: string): readonly Day[] {
  const days = new Map<string, Day>();
  for (const { time, direction, amount, balanceAfter } of entries) {
    const atMs = Number(time);
    const key = dayKeyOf(atMs, zone);
    const change = direction === 'in' ? amount : decimal.negate(amount);
    const day = days.get(key);
    days.set(
      key,
      day === undefined
        ? { key, atMs, total: balanceAfter, change }
        : { ...day, change: decimal.add(day.change, change) },
    );
  }
  return [...days.values()];
}
