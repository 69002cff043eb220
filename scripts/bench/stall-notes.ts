// Splits what the engine recorded into phases.
import { quantile, round } from './stats.ts';

/** Times and durations in milliseconds since 1970. */
export interface EngineNotes {
  /** When each commit began, and when it was done. */
  readonly begun: readonly number[];
  readonly committed: readonly number[];
  /** The processor time that the matching thread had used when each commit was done. */
  readonly spent: readonly number[];
  /** When the event loop was blocked, and for how long. */
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
  /** Between two batches on disk: the longest wait of a trader, besides his own batch. */
  readonly p99: number;
  readonly longest: number;
  /**
   * The most processor time that the matching thread used between two batches: what the engine
   * itself adds to a gap.
   */
  readonly work: number;
  /**
   * Of these: the longest commit, the longest blocked event loop, the longest garbage collection.
   */
  readonly commit: number;
  readonly away: number;
  readonly collection: number;
}

export function gapsOf(notes: EngineNotes, { fromMs, untilMs }: Phase): Gaps {
  const isInside = (ms: number) => ms >= fromMs && ms < untilMs;
  const commits = notes.committed.filter(isInside);
  const gaps = commits.map((ms, index) => ms - (commits[index - 1] ?? fromMs)).concat([0]);
  // A gap that reaches beyond the end of its phase must still count.
  const last = commits.at(-1) ?? fromMs;
  const next = notes.committed.find((ms) => ms >= untilMs);
  if (next !== undefined) gaps.push(Math.min(next, untilMs) - last);
  gaps.sort((a, b) => a - b);
  // Commits run one after another, so the n-th that began is the n-th that ended.
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
