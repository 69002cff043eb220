// An order whose time is over may still be live: a command fires only so many timers. It never trades.

import { CELLS, EXPIRE } from '../record.ts';
import type { State } from '../state.ts';

/** May there be such orders at all? Asked once for a command, since there hardly ever are. */
export const hasExpired = (s: State, time: number): boolean => s.rules >= 2 && s.gtd.isDue(time);

export function isExpired(s: State, slot: number, time: number): boolean {
  const expires = s.pool.f64[slot * CELLS + EXPIRE]!;
  return expires !== 0 && expires <= time;
}
