// What several runs of a benchmark say together: of each number its median, and the smallest and the largest.
import type { Figure } from '../figure.ts';
import { median } from './stats.ts';

/** A header and a row for each figure; a figure stands where it came first. */
export function gatherRuns(runs: readonly (readonly Figure[])[]): string[][] {
  const byName = Map.groupBy(runs.flat(), ({ figure }) => figure);
  const rows = [...byName].map(([name, figures]) => [
    name,
    `${figures.filter(({ met }) => met).length} of ${figures.length}`,
    numbersOf(figures[0])
      .map((key) => `${key} ${toSpread(figures.map((figure) => Number(figure[key])))}`)
      .join(', '),
  ]);
  return [['figure', 'met', 'median (smallest to largest)'], ...rows];
}

const numbersOf = (figure: Figure | undefined): string[] =>
  Object.entries(figure ?? {}).flatMap(([key, value]) =>
    typeof value === 'number' && key !== 'goal' ? [key] : [],
  );

const toSpread = (values: readonly number[]): string =>
  `${median(values)} (${Math.min(...values)} to ${Math.max(...values)})`;
