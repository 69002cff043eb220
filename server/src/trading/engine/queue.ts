// What waits for the engine. Bounded in number and in time: whoever finds more before him than the engine
// gets done within the wait is told so at once, and has lost nothing. So the engine spends its time on what
// it will answer soon, however much is asked of it.
import type { Command } from '@rialto/matching';
import type { ReadName } from './door.ts';

/**
 * Movements of money that went to the queue one after the other. When one of them cannot be decided yet, those
 * behind it wait as well, so that their order stays.
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
  /** How long a new one may have to wait for its answer, by the pace of late. */
  readonly waitMs: number;
}

/** Requests a millisecond, before anything was measured. */
const FIRST_PACE = 10;
/** How much the newest measurement says about the pace. */
const WEIGHT = 0.2;
/**
 * Whatever the pace, so many are admitted: a commit costs about the same whatever it holds, so an engine that is
 * given less because it is slow would be slower still.
 */
const ADMITTED_MIN = 4000;

export class IntakeQueue {
  readonly #limits: QueueLimits;
  #items: Intake[] = [];
  /** Taken, and not answered yet. */
  #underWay = 0;
  #perMs = FIRST_PACE;
  #finishedMs = 0;
  /** Shared by all who wait, so that none of them is forgotten. */
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

  /** For what operators ask: an overload is no reason not to halt a market. False when there is no room at all. */
  pushUrgent(item: Intake): boolean {
    if (this.#items.length >= this.#limits.max) return false;
    item.sinceMs = performance.now();
    this.#items.push(item);
    this.nudge();
    return true;
  }

  /** For what the engine asks of itself: it comes first and is never refused. */
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

  /** For what was taken and must be done again, or could not be done yet. */
  putBack(items: readonly Intake[]): void {
    if (items.length === 0) return;
    this.#underWay = Math.max(0, this.#underWay - items.length);
    this.#items = [...items, ...this.#items];
    this.nudge();
  }

  /**
   * What was taken at `takenMs` has been answered. `isFull`: more waited than it could hold, so that the pace
   * was the engine's and not that of the arrivals.
   */
  finished(count: number, takenMs: number, isFull: boolean): void {
    const nowMs = performance.now();
    this.#underWay = Math.max(0, this.#underWay - count);
    const perMs = count / Math.max(1, nowMs - Math.max(takenMs, this.#finishedMs));
    this.#finishedMs = nowMs;
    if (isFull || perMs > this.#perMs) this.#perMs += WEIGHT * (perMs - this.#perMs);
  }

  /** Whoever took something will not answer it any more, or has done so. */
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
