// Rates of fee tiers: as people write them, in percent, and as the engine counts them, in millionths. Pure.
import { decimal } from '@rialto/sdk';

/** A percent has 10,000 millionths, so four decimals are exact. */
const DECIMALS = 4;
/** The engine's own: a rate is at most ten percent. */
export const RATE_MAX = '10';

export type RateProblem = 'missing' | 'decimals' | 'range' | 'rebate';

/** "0.1" percent are 1,000 millionths. */
export const millionthsOf = (percent: string): string => decimal.multiply(percent, '10000');

const decimalsOf = (value: string): number => value.split('.')[1]?.replace(/0+$/u, '').length ?? 0;

export function takerProblem(percent: string): RateProblem | undefined {
  if (percent === '') return 'missing';
  if (decimalsOf(percent) > DECIMALS) return 'decimals';
  return percent.startsWith('-') || decimal.compare(percent, RATE_MAX) > 0 ? 'range' : undefined;
}

/** A rebate never exceeds what the other side pays. */
export function makerProblem(percent: string, taker: string): RateProblem | undefined {
  if (percent === '') return 'missing';
  if (decimalsOf(percent) > DECIMALS) return 'decimals';
  if (decimal.compare(percent, RATE_MAX) > 0) return 'range';
  const least = taker === '' ? '0' : decimal.negate(taker);
  return decimal.compare(percent, least) < 0 ? 'rebate' : undefined;
}
