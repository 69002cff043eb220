// What an audit after a crash looks at, and what it may find broken.
import type { Replayed } from './projections.ts';

/** What was found to be wrong, by promise, in words. */
export interface Broken {
  /** Acknowledged, and not there or not as it was answered. */
  readonly lost: string[];
  /** One client id, two effects. */
  readonly doubled: string[];
  /** Money, order of the journal, and agreement of every copy of the state. */
  readonly conserved: string[];
  /** Answered as not done, and done; or done without anybody having asked. */
  readonly honest: string[];
  /** Orders that a sweep left, or ended twice. */
  readonly swept: string[];
  readonly projections: string[];
}

export interface History extends Replayed {
  readonly rows: number;
  readonly epochs: number;
  /** What each row's outcomes are, as a hash of their bytes; the first row is at 1. */
  readonly tapes: string[];
  /** What was first answered for every key, as the journal has it. */
  readonly done: ReadonlyMap<string, string>;
  /** The epoch in which each order ended. */
  readonly ends: ReadonlyMap<number, number>;
}
