// Computes differences between versions of a message in the render threads, so that they cannot block the process. One
// at a time, so that reading histories does not delay sending.
import { diffInThread } from './render-pool.ts';

/** Differences that may wait for a thread; beyond this, versions are shown without marks. */
const WAITING_MAX = 50;

let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

/** The new version with the changes marked; unmarked after `untilMs`, or when too many wait. */
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
