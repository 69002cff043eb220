// An expired order may still be live, because a command fires a bounded number of timers. It never
// trades.

import * as record from '../record.ts';
import type { State } from '../state.ts';

// Local, because an imported constant is read and checked at every use (decision 0114).
const { CELLS, EXPIRE } = record;

/** Can there be such orders at all? Asked once per command, since there hardly ever are any. */
export const hasExpired = (s: State, time: number): boolean => s.rules >= 2 && s.gtd.isDue(time);

export function isExpired(s: State, slot: number, time: number): boolean {
  const expires = s.pool.f64[slot * CELLS + EXPIRE]!;
  return expires !== 0 && expires <= time;
}
