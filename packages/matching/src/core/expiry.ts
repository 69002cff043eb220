// An expired order may still be live, because a command fires a bounded number of timers. It never
// trades.

import { CELLS, EXPIRE } from '../record.ts';
import type { State } from '../state.ts';

/** Can there be such orders at all? Asked once per command, since there hardly ever are any. */
export const hasExpired = (s: State, time: number): boolean => s.rules >= 2 && s.gtd.isDue(time);

export function isExpired(s: State, slot: number, time: number): boolean {
  const expires = s.pool.f64[slot * CELLS + EXPIRE]!;
  return expires !== 0 && expires <= time;
}
