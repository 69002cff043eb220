// Computes the times of the demo's history from the time at which it starts.
import { MINUTE_MS, HOUR_MS, DAY_MS } from '../../../server/src/platform/std/time.ts';
import type { Line, Start, Thread } from '../data/talk/thread.ts';

/** Nothing is newer than this, so the last messages do not appear while the server starts. */
const YOUNGEST_MS = 2 * MINUTE_MS;

export function startMs(start: Start, endMs: number): number {
  if ('minutesAgo' in start) return endMs - start.minutesAgo * MINUTE_MS;
  const today = Math.floor(endMs / DAY_MS) * DAY_MS;
  return today - start.daysAgo * DAY_MS + start.hour * HOUR_MS;
}

export interface Spoken {
  readonly atMs: number;
  readonly line: Line;
}

/** The lines with their times; the seconds depend on a line's position, the same in every run. */
export function speak(thread: Thread, endMs: number): { lines: Spoken[]; resolvedMs: number } {
  const latestMs = endMs - YOUNGEST_MS;
  let atMs = startMs(thread.start, endMs);
  const lines = thread.lines.map((line, index): Spoken => {
    const [who, minutesAfter, text] = line;
    atMs += minutesAfter * MINUTE_MS;
    const secondsMs = ((who.length * 7 + text.length * 13 + index * 29) % 50) * 1000;
    return { atMs: Math.min(atMs + secondsMs, latestMs + index * 100), line };
  });
  const after = (thread.resolved?.minutesAfter ?? 0) * MINUTE_MS;
  return { lines, resolvedMs: Math.min(atMs + after + MINUTE_MS, latestMs + 10_000) };
}
