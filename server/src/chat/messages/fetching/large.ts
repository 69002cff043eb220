// Large answers are made one after the other, and not all the time. Each is bounded, and made in steps between which
// others get their turn; but a send takes many steps too, and with large answers between all of them it would wait for
// each. Whoever reads much waits a little, and whoever speaks does not.
import { createTurns } from '../../../platform/std/turns.ts';

/** Below this, an answer is made in a moment. */
const LARGE_BYTES = 128 * 1024;
/** Far more than come within a second, as each caller has a budget of calls. */
const WAITING_MAX = 500;
/** So many times as long as an answer took, none is made. */
const REST = 8;
const REST_MS_MAX = 400;

const turns = createTurns({
  atOnce: 1,
  waitingMax: WAITING_MAX,
  restAfter: (spentMs) => Math.min(REST * spentMs, REST_MS_MAX),
});

/** Runs `work`, which makes about so many bytes of an answer. */
export const makeLarge = <T>(bytes: number, work: () => Promise<T>): Promise<T> =>
  bytes < LARGE_BYTES ? work() : turns.take(work);
