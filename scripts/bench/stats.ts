// Quantiles, medians and ranges of benchmark samples.

export function quantile(sorted: readonly number[], q: number): number {
  if (sorted.length === 0) return Number.NaN;
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] as number;
}

export function median(values: readonly number[]): number {
  return quantile(
    [...values].sort((a, b) => a - b),
    0.5,
  );
}

/** Smallest and largest, so that a reader can judge the noise. */
export function spread(values: readonly number[]): string {
  return `${round(Math.min(...values))}–${round(Math.max(...values))}`;
}

export const round = (value: number, digits = 0): number => Number(value.toFixed(digits));
