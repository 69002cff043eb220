// Every minute: saves which queues of this node are in use, and drops those that were deleted at another node or
// whose clients stopped polling.
import type pg from 'pg';
import type { Log } from '../observe/log.ts';
import type { Clock } from '../std/clock.ts';
import type { HeldQueues } from './held-queues.ts';
import { touchQueues } from './store.ts';

const TOUCH_EVERY_MS = 60_000;
/** A queue that was polled within this time is saved as in use. */
const SEEN_MS = TOUCH_EVERY_MS * 1.5;

export interface TouchingOptions {
  readonly queues: HeldQueues;
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly log: Log;
}

export function startTouching(options: TouchingOptions): { stop(): void } {
  const { log } = options;
  const timer = setInterval(() => {
    touch(options).catch((error: unknown) =>
      log.warn({ err: error }, 'Queue times could not be saved.'),
    );
  }, TOUCH_EVERY_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

export async function touch({ queues, pool, clock }: Omit<TouchingOptions, 'log'>): Promise<void> {
  const nowMs = clock.now();
  const seen: string[] = [];
  for (const queue of queues.all()) {
    if (queue.isWaiting) queue.polledMs = nowMs;
    if (nowMs - queue.polledMs < SEEN_MS) seen.push(queue.description.id);
    else if (nowMs - queue.polledMs > queue.description.idleSeconds * 1000) queues.drop(queue);
  }
  const alive = await touchQueues(pool, seen);
  for (const id of seen) {
    const queue = queues.get(id);
    if (queue !== undefined && !alive.has(id)) queues.drop(queue);
  }
}
