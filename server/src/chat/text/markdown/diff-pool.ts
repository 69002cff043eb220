// Differences between versions, made where they cannot stop the process: in the threads that render messages, one
// at a time, so that whoever opens histories does not keep those waiting who write.
import { diffInThread } from './render-pool.ts';

/** Histories whose differences may wait; more of them are shown without. */
const WAITING_MAX = 50;

let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

/** What changed, marked; from `untilMs` on, or when too much waits, the new version as it is. */
export async function diffBounded(before: string, after: string, untilMs: number): Promise<string> {
  if (waiting >= WAITING_MAX || performance.now() >= untilMs) return unmarked(after);
  waiting += 1;
  const turn = last.then(() =>
    performance.now() >= untilMs ? undefined : diffInThread(before, after),
  );
  last = turn;
  try {
    return (await turn) ?? unmarked(after);
  } finally {
    waiting -= 1;
  }
}

const unmarked = (html: string): string => `<div>${html}</div>`;
