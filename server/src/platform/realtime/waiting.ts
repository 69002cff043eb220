// The polls that wait at this node, until their queue has an event or a heartbeat is due.
//
// A poll costs the process the same whether it takes one event or ten. So while the process answers more polls than it
// has time for, a client that has just had an answer waits a moment for the events that come next. A client that has
// been silent longer than that is answered at once, however busy the process is.
import type { Departure } from '../http/departure.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { Clock } from '../std/clock.ts';
import type { LiveQueue } from './queue.ts';

const HEARTBEAT_JITTER_MS = 10_000;
const JITTER_STEP_MS = 250;

/** Answers with events in a second, and how far apart those of one client are from then on. A core gives about 10,000. */
const PACES = [
  { answers: 6000, apartMs: 200 },
  { answers: 2500, apartMs: 50 },
] as const;
const SECOND_MS = 1000;

export interface WaitingOptions {
  readonly heartbeatMs: number;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly nowMs?: () => number;
}

export class WaitingPolls {
  readonly #options: WaitingOptions;
  readonly #nowMs: () => number;
  #count = 0;
  /** Answers of the second that began then, and of the one before it. */
  #second = { startMs: 0, answers: 0, before: 0 };

  constructor(options: WaitingOptions) {
    this.#options = options;
    this.#nowMs = options.nowMs ?? (() => performance.now());
  }

  /** `finished`: the queue has an event, was released, or its client has gone. `silence`: a heartbeat is due. */
  wait(queue: LiveQueue, signal: Departure): Promise<'finished' | 'silence'> {
    const { heartbeatMs, clock } = this.#options;
    return new Promise((resolve) => {
      const jitterMs = Math.random() * Math.min(HEARTBEAT_JITTER_MS, heartbeatMs);
      // The loop keeps a list of timers for each length, so a few lengths serve all polls.
      const silenceMs = heartbeatMs + Math.floor(jitterMs / JITTER_STEP_MS) * JITTER_STEP_MS;
      let gathering: NodeJS.Timeout | undefined;
      const end = (outcome: 'finished' | 'silence') => {
        clearTimeout(timer);
        clearTimeout(gathering);
        signal.removeEventListener('abort', leave);
        queue.stopWaiting(finish);
        queue.polledMs = clock.now();
        this.#add(-1);
        resolve(outcome);
      };
      const finish = (why: 'event' | 'now') => {
        if (why === 'now') return end('finished');
        if (gathering !== undefined) return;
        const waitMs = this.#waitMs(queue);
        if (waitMs <= 0) end('finished');
        else gathering = setTimeout(end, waitMs, 'finished');
      };
      const leave = () => end('finished');
      const timer = setTimeout(end, silenceMs, 'silence');
      this.#add(1);
      queue.wait(finish);
      signal.addEventListener('abort', leave);
    });
  }

  /** To be called for each answer that has events. */
  answered(queue: LiveQueue): void {
    const nowMs = this.#nowMs();
    queue.answeredMs = nowMs;
    this.#turnTo(nowMs);
    this.#second.answers += 1;
  }

  /** For how long the queue should still gather events; 0 or less: it is answered now. */
  #waitMs(queue: LiveQueue): number {
    const nowMs = this.#nowMs();
    this.#turnTo(nowMs);
    const rate = Math.max(this.#second.answers, this.#second.before);
    const apartMs = PACES.find(({ answers }) => rate > answers)?.apartMs ?? 0;
    return queue.answeredMs + apartMs - nowMs;
  }

  #turnTo(nowMs: number): void {
    const { startMs, answers } = this.#second;
    if (nowMs - startMs < SECOND_MS) return;
    const isNext = nowMs - startMs < 2 * SECOND_MS;
    this.#second = { startMs: nowMs, answers: 0, before: isNext ? answers : 0 };
  }

  #add(change: number): void {
    this.#count += change;
    this.#options.metrics.pollsWaiting(this.#count);
  }
}
