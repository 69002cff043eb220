import type { Context } from '../../platform/context.ts';
import { MINUTE_MS, DAY_MS } from '../../platform/std/time.ts';
import { remember } from '../remember.ts';
import { listStatistics } from './store.ts';
import type { DayStatistics } from './ticker.ts';

const STATISTICS_AGE_MS = 1000;

export interface Statistics {
  readonly bySymbol: ReadonlyMap<string, DayStatistics>;
  readonly timeMs: number;
  readonly openMs: number;
}

/** The last 24 hours of every market, computed at most once a second however many ask. */
export const rememberStatistics = ({ db, clock }: Pick<Context, 'db' | 'clock'>) =>
  remember(STATISTICS_AGE_MS, async (): Promise<Statistics> => {
    const timeMs = Math.floor(clock.now());
    const openMs = Math.floor((timeMs - DAY_MS) / MINUTE_MS) * MINUTE_MS;
    return { bySymbol: await listStatistics(db, openMs), timeMs, openMs };
  });

/** For a market that the statistics do not know yet. */
export const NO_TRADES: DayStatistics = {
  open: undefined,
  high: undefined,
  low: undefined,
  last: undefined,
  previousClose: undefined,
  volume: 0n,
  total: 0n,
  tradeCount: 0n,
};
