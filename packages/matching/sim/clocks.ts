// Simulates a venue with timers on a machine whose clock is changed by hand: venue time must still
// run at an even pace.

import type { Command } from '../src/command.ts';
import { Violation } from './violation.ts';
import type { Core } from './violation.ts';
import type { Random } from './random.ts';

const READINGS = 200;
const STEP_MS = 10_000;
const HOUR_MS = 3_600_000;
const START_MS = 1_760_000_000_000;
const TIMER_MS = 60_000;

/** Draws readings of both clocks, and compares a dead-man timer with the monotonic one. */
export function checkClocks(core: Core, r: Random): void {
  const journalMs = START_MS + r.between(-HOUR_MS, HOUR_MS);
  const time = new core.VenueTime(START_MS, 0, journalMs);
  const beganMs = Math.max(START_MS, journalMs);
  const state = core.createState();
  let monotonicMs = 0;
  let setByMs = 0;
  let lastMs = beganMs;
  /** By the monotonic clock. */
  let armedMs = -1;

  const apply = (command: Command): number => {
    try {
      return core.apply(state, command).steps.filter(({ cause }) => cause === 'dead_man').length;
    } catch (error) {
      throw new Violation(`the core threw: ${error instanceof Error ? error.message : 'so'}`, -1);
    }
  };

  apply({ type: 'open_account', time: Math.floor(lastMs), account: 1, parent: 1 });
  for (let i = 0; i < READINGS; i++) {
    monotonicMs += r.between(0, STEP_MS);
    if (r.chance(0.1)) setByMs = r.between(-HOUR_MS, HOUR_MS);
    const nowMs = time.advance(START_MS + monotonicMs + setByMs, monotonicMs);
    if (nowMs < lastMs) throw new Violation('time went back with the clock', -1);
    lastMs = nowMs;
    const errorMs = Math.abs(nowMs - beganMs - monotonicMs);
    const slackMs = monotonicMs * core.CLOCK_SLEW + 1;
    if (errorMs > slackMs) throw new Violation(`time is ${errorMs} ms from an even pace`, -1);
    const fired = apply({ type: 'tick', time: Math.floor(nowMs) });
    const waitedMs = monotonicMs - armedMs;
    if (armedMs >= 0 && Math.abs(waitedMs - TIMER_MS) > slackMs) {
      const isDue = waitedMs > TIMER_MS;
      if (fired !== (isDue ? 1 : 0)) throw new Violation('a timer fired early or not at all', -1);
    }
    if (fired > 0 || armedMs < 0) {
      armedMs = monotonicMs;
      const timeoutMs = TIMER_MS;
      apply({ type: 'cancel_all_after', time: Math.floor(nowMs), account: 1, timeoutMs });
    }
  }
}
