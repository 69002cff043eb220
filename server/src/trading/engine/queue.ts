// Requests that wait for the engine. Bounded in number and in time: a request that would wait
// longer than allowed is refused at once, and nothing of it is done. So the engine spends its time
// on requests that it will answer soon, however many arrive.
import type { Command } from '@rialto/matching';
import type { ReadName } from './door.ts';

/**
 * Movements of money that were queued one after the other. When one of them cannot be decided yet,
 * those behind it wait as well, so that their order stays.
 */
export interface Wave {
  isStopped: boolean;
  /** Not answered yet. */
  open: number;
}

interface Answerable {
  /** Since when it waits, by the monotonic clock. */
  sinceMs?: number;
  answer(line: string): void;
}

/** A command whose shape was checked, and how to answer it. */
export interface CommandIntake extends Answerable {
  readonly kind: 'command';
  readonly command: Command;
  /** As it goes into the journal, on one line. */
  readonly text: string;
  /** Zero: whenever it is taken. */
  readonly deadlineMs: number;
  /** The row of operator_commands that it came from. */
  readonly operatorId?: number;
  /** Of a movement of money. */
  readonly wave?: Wave;
}

export interface ReadIntake extends Answerable {
  readonly kind: 'read';
  readonly name: ReadName;
  readonly query: object;
}

export type Intake = CommandIntake | ReadIntake;

export interface QueueLimits {
  /** Requests that may wait. */
  readonly max: number;
  /** How long a new request may have to wait for its answer, by the recent pace. */
  readonly waitMs: number;
}

/** Requests per millisecond, before anything was measured. */
const FIRST_PACE = 10;
/** The weight of the newest measurement. */
const WEIGHT = 0.2;
/**
 * This many are always admitted: a commit costs about the same whatever it holds, so an engine that
 * got less because it is slow would become slower still.
 */
const ADMITTED_MIN = 4000;

export class IntakeQueue {
  readonly #limits: QueueLimits;
  #items: Intake[] = [];
  /** Taken, and not answered yet. */
  #underWay = 0;
  #perMs = FIRST_PACE;
  #finishedMs = 0;
  /** Shared by all waiters, so that none of them is forgotten. */
  #waiting: PromiseWithResolvers<void> | undefined;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  get length(): number {
    return this.#items.length;
  }

  /** Whether another one would be answered in time. */
  get isOpen(): boolean {
    const { max, waitMs } = this.#limits;
    if (this.#items.length >= max) return false;
    return this.#items.length + this.#underWay < Math.max(ADMITTED_MIN, waitMs * this.#perMs);
  }

  /** False when it would have to wait too long. */
  push(item: Intake): boolean {
    if (!this.isOpen) return false;
    item.sinceMs = performance.now();
    this.#items.push(item);
    this.nudge();
    return true;
  }

  /**
   * For operators' commands: an overload is no reason not to halt a market. Returns false when
   * there is no room at all.
   */
  pushUrgent(item: Intake): boolean {
    if (this.#items.length >= this.#limits.max) return false;
    item.sinceMs = performance.now();
    this.#items.push(item);
    this.nudge();
    return true;
  }

  /** For the engine's own commands: they come first and are never refused. */
  pushFirst(item: Intake): void {
    this.#items.unshift(item);
    this.nudge();
  }

  take(max: number): Intake[] {
    const taken = this.#items.length <= max ? this.#items : this.#items.splice(0, max);
    if (taken === this.#items) this.#items = [];
    this.#underWay += taken.length;
    return taken;
  }

  /** Takes out what must not be done any more. */
  remove(isUnwanted: (item: Intake) => boolean): Intake[] {
    const removed = this.#items.filter(isUnwanted);
    if (removed.length > 0) this.#items = this.#items.filter((item) => !isUnwanted(item));
    return removed;
  }

  /** For requests that were taken and must be done again, or could not be done yet. */
  putBack(items: readonly Intake[]): void {
    if (items.length === 0) return;
    this.#underWay = Math.max(0, this.#underWay - items.length);
    this.#items = [...items, ...this.#items];
    this.nudge();
  }

  /**
   * What was taken at `takenMs` has been answered. `isFull`: more waited than fitted, so the
   * measured pace was the engine's and not that of the arrivals.
   */
  finished(count: number, takenMs: number, isFull: boolean): void {
    const nowMs = performance.now();
    this.#underWay = Math.max(0, this.#underWay - count);
    const perMs = count / Math.max(1, nowMs - Math.max(takenMs, this.#finishedMs));
    this.#finishedMs = nowMs;
    if (isFull || perMs > this.#perMs) this.#perMs += WEIGHT * (perMs - this.#perMs);
  }

  /** The taker will not answer it any more, or has done so. */
  forgetTaken(): void {
    this.#underWay = 0;
  }

  /** Resolves when something waits, or when `nudge` is called. */
  wait(): Promise<void> {
    if (this.#items.length > 0) return Promise.resolve();
    this.#waiting ??= Promise.withResolvers();
    return this.#waiting.promise;
  }

  nudge(): void {
    this.#waiting?.resolve();
    this.#waiting = undefined;
  }
}
