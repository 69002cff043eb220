// The polls that wait at this node, until their queue has an event or a heartbeat is due.
import type { Metrics } from '../observe/metrics.ts';
import type { Clock } from '../std/clock.ts';
import type { LiveQueue } from './queue.ts';

const HEARTBEAT_JITTER_MS = 10_000;

export interface WaitingOptions {
  readonly heartbeatMs: number;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

export class WaitingPolls {
  readonly #options: WaitingOptions;
  #count = 0;

  constructor(options: WaitingOptions) {
    this.#options = options;
  }

  /** `finished`: the queue has an event, was released, or its client has gone. `silence`: a heartbeat is due. */
  wait(queue: LiveQueue, signal: AbortSignal): Promise<'finished' | 'silence'> {
    const { heartbeatMs, clock } = this.#options;
    return new Promise((resolve) => {
      const silenceMs = heartbeatMs + Math.random() * Math.min(HEARTBEAT_JITTER_MS, heartbeatMs);
      const end = (outcome: 'finished' | 'silence') => {
        clearTimeout(timer);
        signal.removeEventListener('abort', finish);
        queue.stopWaiting(finish);
        queue.polledMs = clock.now();
        this.#add(-1);
        resolve(outcome);
      };
      const finish = () => end('finished');
      const timer = setTimeout(end, silenceMs, 'silence');
      this.#add(1);
      queue.wait(finish);
      signal.addEventListener('abort', finish, { once: true });
    });
  }

  #add(change: number): void {
    this.#count += change;
    this.#options.metrics.pollsWaiting(this.#count);
  }
}
