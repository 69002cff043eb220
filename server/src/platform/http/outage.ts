// Logs outages: requests refused because a service that we need is down. A busy server refuses thousands a minute,
// and each line would say the same: the first is logged, the others are counted.
import type { Log } from '../observe/log.ts';

/** After this long without such a refusal, the outage is over. */
const QUIET_MS = 10_000;
/** How often a long outage is reported again. */
const EVERY_MS = 60_000;
/** How many causes are counted separately; they come from errors, and could be many. */
const CAUSES_MAX = 5;
const CAUSE_LENGTH_MAX = 200;

export interface FailedAnswer {
  readonly requestId: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly ms: number;
}

export interface OutageLog {
  note(answer: FailedAnswer, failure: unknown): void;
  /** Logs the end of the outage, if there is one, and forgets it. */
  close(): void;
}

interface Outage {
  readonly sinceMs: number;
  readonly causes: Map<string, number>;
  answers: number;
  lastMs: number;
  toldMs: number;
  timer: NodeJS.Timeout;
}

export interface OutageOptions {
  readonly quietMs?: number;
  readonly everyMs?: number;
}

export function createOutageLog(
  log: Log,
  { quietMs = QUIET_MS, everyMs = EVERY_MS }: OutageOptions = {},
): OutageLog {
  let outage: Outage | undefined;

  const summary = ({ answers, causes, sinceMs, lastMs }: Outage) => ({
    answers,
    seconds: Math.round((lastMs - sinceMs) / 1000),
    causes: Object.fromEntries(causes),
  });

  function close(): void {
    if (outage === undefined) return;
    clearTimeout(outage.timer);
    // A single refusal was logged when it happened, and there is nothing more to say.
    if (outage.answers > 1) log.warn(summary(outage), 'The outage is over: no request is refused.');
    outage = undefined;
  }

  function watch(waitMs: number): NodeJS.Timeout {
    return setTimeout(() => {
      if (outage === undefined) return;
      const leftMs = outage.lastMs + quietMs - performance.now();
      if (leftMs > 0) outage.timer = watch(leftMs);
      else close();
    }, waitMs).unref();
  }

  return {
    close,
    note(answer, failure) {
      const nowMs = performance.now();
      const cause = failureText(failure);
      if (outage === undefined) {
        log.error(
          { ...answer, cause },
          'A request was refused because something that it needs is away. More of them are counted.',
        );
        outage = {
          sinceMs: nowMs,
          lastMs: nowMs,
          toldMs: nowMs,
          answers: 1,
          causes: new Map([[cause, 1]]),
          timer: watch(quietMs),
        };
        return;
      }
      outage.answers += 1;
      outage.lastMs = nowMs;
      const known = outage.causes.has(cause) || outage.causes.size < CAUSES_MAX ? cause : 'other';
      outage.causes.set(known, (outage.causes.get(known) ?? 0) + 1);
      if (nowMs - outage.toldMs < everyMs) return;
      outage.toldMs = nowMs;
      log.error({ ...summary(outage), ...answer, cause }, 'Requests are still refused.');
    },
  };
}

/** The error's message, without its stack. */
export function failureText(failure: unknown): string {
  if (failure instanceof AggregateError && failure.message === '') {
    return failureText(failure.errors[0]);
  }
  const text =
    failure instanceof Error
      ? `${failure.name}: ${failure.message}`
      : typeof failure === 'string'
        ? failure
        : 'unknown';
  return text.slice(0, CAUSE_LENGTH_MAX);
}
