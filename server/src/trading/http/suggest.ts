import { findNearest } from '../../platform/std/nearest.ts';

/** What a refusal adds for a misspelt symbol: a sentence, and `details.nearest`. */
export function suggest(
  symbol: string,
  known: Iterable<string>,
): { said: string; detail: Record<string, string> } {
  const nearest = findNearest(symbol, known);
  if (nearest === undefined) return { said: '', detail: {} };
  return { said: ` Did you mean '${nearest}'?`, detail: { nearest } };
}
