// What an audit after a crash checks, and the findings it may report.
import type { ListCounts } from './audit-lists.ts';
import type { Replayed } from './projections.ts';

/** What was found to be wrong, by broken promise, in words. */
export interface Broken {
  /** Acknowledged, but missing or different from the answer. */
  readonly lost: string[];
  /** One client id, two effects. */
  readonly doubled: string[];
  /** Money, order of the journal, and agreement of every copy of the state. */
  readonly conserved: string[];
  /** Answered as not done, but done; or done without a request. */
  readonly honest: string[];
  /** Orders that a sweep left over, or ended twice. */
  readonly swept: string[];
  readonly projections: string[];
}

export interface History extends Replayed {
  readonly auctions: number;
  readonly lists: ListCounts;
  readonly rows: number;
  readonly epochs: number;
  /** What each row's outcomes are, as a hash of their bytes; the first row is at 1. */
  readonly tapes: string[];
  /** The first answer to every key, as the journal has it. */
  readonly done: ReadonlyMap<string, string>;
  /** The epoch in which each order ended. */
  readonly ends: ReadonlyMap<number, number>;
}
