import type { Figure } from '../../figure.ts';

export const kB = (bytes: number): string => (bytes / 1000).toFixed(1);

/** A figure that should not exceed its goal. */
export const figure = (
  name: string,
  value: number,
  goal: number,
  extra: Readonly<Record<string, unknown>> = {},
): Figure => ({ figure: `${name} ${value}`, goal, met: value <= goal, value, ...extra });
