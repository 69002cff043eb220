// A job as its callers know it: its name and the shape of its input. What it does is known only where it runs
// (define.ts).
import type { TSchema } from 'typebox';

export interface JobKind<I> {
  readonly name: string;
  readonly input: TSchema;
  /** Attempts before an operator has to look at it. */
  readonly attemptsMax: number;
  /** Never present; it ties the input's type to the kind. */
  readonly accepts?: (input: I) => void;
}

export interface EnqueueOptions {
  readonly runAt?: Date;
  /** A later job with the same key replaces an earlier one that has not started. */
  readonly key?: string;
}
