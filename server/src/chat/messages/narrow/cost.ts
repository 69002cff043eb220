// Estimates what a narrow costs from its form alone, before anything is looked up.
import { HISTORY_MESSAGES, type Cost } from '../../http/limits.ts';

/** A search reads texts, even within a small narrow; a long page reads many messages. */
export function costOfNarrow(
  narrow: readonly unknown[] | null | undefined,
  messages: number,
): Cost | undefined {
  if (narrow?.some(isSearch) === true) return 'search';
  return messages > HISTORY_MESSAGES ? 'history' : undefined;
}

/** A term is an object, or a pair as older clients send it. */
function isSearch(term: unknown): boolean {
  if (Array.isArray(term)) return term[0] === 'search';
  return typeof term === 'object' && term !== null && 'operator' in term
    ? term.operator === 'search'
    : false;
}
