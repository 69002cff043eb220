// Makes large answers one after the other, with a pause after each. A large answer is made in steps, with other work
// between them. But a send takes many steps too, and it would wait for a step of every large answer. The pauses let
// sends through: readers of large pages wait a little, senders do not.
import { createTurns } from '../../../platform/std/turns.ts';

/** Smaller answers are quick, and take no turn. */
export const LARGE_BYTES = 128 * 1024;
/** Far more than arrive within a second, because each caller's requests are limited. */
const WAITING_MAX = 500;
/** The pause is this many times as long as the answer took, up to REST_MS_MAX. */
const REST = 8;
const REST_MS_MAX = 400;

const turns = createTurns({
  atOnce: 1,
  waitingMax: WAITING_MAX,
  restAfter: (spentMs) => Math.min(REST * spentMs, REST_MS_MAX),
});

/** Runs `work`, which makes an answer of about `bytes`. */
export const makeLarge = <T>(bytes: number, work: () => Promise<T>): Promise<T> =>
  bytes < LARGE_BYTES ? work() : turns.take(work);
