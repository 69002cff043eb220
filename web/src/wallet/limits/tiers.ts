// Which tier an account is in, and what is missing to the next. Pure.
import { decimal, type FeeTier } from '@rialto/sdk';

export interface Standing {
  readonly tiers: readonly FeeTier[];
  /** The first one that asks for more volume than there is; undefined at the top. */
  readonly next: FeeTier | undefined;
  /** Volume that is missing to it. */
  readonly missing: string;
}

export function standingOf(given: readonly FeeTier[], volume: string): Standing {
  const tiers = given.toSorted((a, b) => decimal.compare(a.minVolume30d, b.minVolume30d));
  const next = tiers.find(({ minVolume30d }) => decimal.compare(minVolume30d, volume) > 0);
  return {
    tiers,
    next,
    missing: next === undefined ? '0' : decimal.subtract(next.minVolume30d, volume),
  };
}

/** "0.001" as "0.1": people read rates in hundredths. */
export const percentOf = (rate: string): string => decimal.multiply(rate, '100');
