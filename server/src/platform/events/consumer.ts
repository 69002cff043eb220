// Follows the event log in order, without gaps and without repeats, whatever the bus loses, repeats
// or reorders: a message is only a hint, the position decides.
import type pg from 'pg';
import type { Bus } from '../bus/bus.ts';
import { SUBJECTS } from '../bus/subjects.ts';
import type { Log } from '../observe/log.ts';
import { rarely } from '../observe/rarely.ts';
import { pause } from '../std/wait.ts';
import { decodeBatch } from './batch.ts';
import type { LoggedEvent } from './event.ts';
import { readBounds, readEvents } from './log.ts';

export interface ConsumerOptions {
  pool: pg.Pool;
  bus: Bus;
  log: Log;
  /** The first event handled is the one after this position. */
  after: number;
  pollMs: number;
  handle(event: LoggedEvent): void;
  /** The log no longer reaches back to this consumer's position: it continues from `head`. */
  onLost(head: number): void;
}

export interface Consumer {
  /** Everything up to this position has been handled. */
  position(): number;
  /** The time (performance.now) up to which everything logged was certainly handled. */
  confirmedMs(): number;
  /** Asks how far the log goes and catches up; false when that took longer than `withinMs`. */
  catchUp(withinMs: number): Promise<boolean>;
  /**
   * Waits until everything up to `wanted` was handled; false when that took longer than `withinMs`.
   */
  reach(wanted: number, withinMs: number): Promise<boolean>;
  stop(): Promise<void>;
}

const PAGE = 1000;
/** Between two looks while somebody waits for a position that another read will bring. */
const REACH_PAUSE_MS = 5;
/** An outage is worth a line now and then, not one per try. */
const COMPLAIN_EVERY_MS = 5000;

export function startConsumer(options: ConsumerOptions): Consumer {
  const { pool, bus, log, pollMs, handle, onLost } = options;
  let position = options.after;
  let target = position;
  let heardMs = 0;
  let confirmedMs = -Infinity;
  let filling = false;
  const stopping = new AbortController();
  const complain = rarely(COMPLAIN_EVERY_MS);

  function take(event: LoggedEvent): void {
    position = event.position;
    try {
      handle(event);
    } catch (error) {
      // One failing event must not stop the others.
      log.error({ err: error, position, type: event.type }, 'An event could not be handled.');
    }
  }

  const subscription = bus.subscribe(SUBJECTS.log, (text) => {
    heardMs = performance.now();
    const batch = decodeBatch(text);
    if (batch.head > target) target = batch.head;
    if (!filling) {
      for (const event of batch.events) if (event.position === position + 1) take(event);
    }
    if (position < target) void fill();
  });

  /** Reads what is missing up to `target`, which may grow meanwhile. */
  async function fill(): Promise<void> {
    if (filling) return;
    filling = true;
    try {
      while (position < target && !stopping.signal.aborted) {
        const events = await readEvents(pool, position, target, PAGE);
        const first = events[0];
        if (first === undefined || first.position !== position + 1) {
          const { head, trimmedThrough } = await readBounds(pool);
          if (position < trimmedThrough) {
            position = head;
            target = Math.max(target, head);
            onLost(head);
            continue;
          }
          // The bus was ahead of what this connection can see; the next poll looks again.
          return;
        }
        for (const event of events) take(event);
      }
    } catch (error) {
      complain((keptBack) =>
        log.warn({ err: error, keptBack }, 'The event log cannot be read; it is tried again.'),
      );
    } finally {
      filling = false;
    }
  }

  async function poll(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause(pollMs, stopping.signal);
      if (stopping.signal.aborted) return;
      if (performance.now() - heardMs < pollMs && position >= target) continue;
      await look();
      if (position < target) await fill();
    }
  }

  /** Learns how far the log goes; undefined when the database cannot be asked. */
  async function look(): Promise<number | undefined> {
    const askedMs = performance.now();
    try {
      const { head } = await readBounds(pool);
      if (head > target) target = head;
      if (position >= head) confirmedMs = Math.max(confirmedMs, askedMs);
      return head;
    } catch (error) {
      complain((keptBack) =>
        log.warn({ err: error, keptBack }, 'The event log cannot be read; it is tried again.'),
      );
      return undefined;
    }
  }

  async function catchUp(withinMs: number): Promise<boolean> {
    const askedMs = performance.now();
    const head = await look();
    if (head === undefined || !(await reach(head, withinMs))) return false;
    confirmedMs = Math.max(confirmedMs, askedMs);
    return true;
  }

  async function reach(wanted: number, withinMs: number): Promise<boolean> {
    const untilMs = performance.now() + withinMs;
    if (wanted > target) target = wanted;
    while (position < wanted) {
      if (stopping.signal.aborted || performance.now() > untilMs) return false;
      await fill();
      if (position < wanted) await pause(REACH_PAUSE_MS, stopping.signal);
    }
    return true;
  }

  const polling = poll();
  return {
    position: () => position,
    confirmedMs: () => confirmedMs,
    catchUp,
    reach,
    async stop() {
      stopping.abort();
      subscription.unsubscribe();
      await polling;
    },
  };
}
