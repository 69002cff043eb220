// What the engine noted, cut into phases.
import { quantile, round } from './stats.ts';

/** Moments and stretches in milliseconds since 1970. */
export interface EngineNotes {
  /** When each commit began, and when it was done. */
  readonly begun: readonly number[];
  readonly committed: readonly number[];
  /** How much of the processor the matching thread had used when each commit was done. */
  readonly spent: readonly number[];
  /** From when on the thread did not come back to its event loop, and for how long. */
  readonly away: readonly (readonly [number, number])[];
  /** Garbage collections. */
  readonly collections: readonly (readonly [number, number])[];
}

export interface Phase {
  readonly name: string;
  readonly fromMs: number;
  readonly untilMs: number;
}

export interface Gaps {
  readonly batches: number;
  /** Between two batches on disk: what a trader waits at worst, besides his own batch. */
  readonly p99: number;
  readonly longest: number;
  /** The most that the matching thread worked between two batches: what the engine itself adds to a gap. */
  readonly work: number;
  /** Among these: the longest commit, the thread's longest absence, the longest garbage collection. */
  readonly commit: number;
  readonly away: number;
  readonly collection: number;
}

export function gapsOf(notes: EngineNotes, { fromMs, untilMs }: Phase): Gaps {
  const isInside = (ms: number) => ms >= fromMs && ms < untilMs;
  const commits = notes.committed.filter(isInside);
  const gaps = commits.map((ms, index) => ms - (commits[index - 1] ?? fromMs)).concat([0]);
  // A phase that ends in the middle of a gap must not hide it.
  const last = commits.at(-1) ?? fromMs;
  const next = notes.committed.find((ms) => ms >= untilMs);
  if (next !== undefined) gaps.push(Math.min(next, untilMs) - last);
  gaps.sort((a, b) => a - b);
  // Commits are one after another, so the n-th that began is the n-th that was done.
  const durations = notes.committed.flatMap((ms, index) =>
    isInside(ms) ? [ms - (notes.begun[index] ?? ms)] : [],
  );
  const work = notes.committed.flatMap((ms, index) =>
    isInside(ms) && index > 0 ? [(notes.spent[index] ?? 0) - (notes.spent[index - 1] ?? 0)] : [],
  );
  const longest = (stretches: readonly (readonly [number, number])[]) =>
    Math.max(0, ...stretches.flatMap(([atMs, ms]) => (isInside(atMs) ? [ms] : [])));
  return {
    batches: commits.length,
    p99: round(quantile(gaps, 0.99), 1),
    longest: round(gaps.at(-1) ?? 0, 1),
    work: round(Math.max(0, ...work), 1),
    commit: round(Math.max(0, ...durations), 1),
    away: round(longest(notes.away), 1),
    collection: round(longest(notes.collections), 1),
  };
}
