// What a narrow costs, told from how it is written, before anything of it is looked at.
import { HISTORY_MESSAGES, type Cost } from '../../http/limits.ts';

/** A search reads texts, whatever else narrows it; a long page reads many messages. */
export function costOfNarrow(
  narrow: readonly unknown[] | null | undefined,
  messages: number,
): Cost | undefined {
  if (narrow?.some(isSearch) === true) return 'search';
  return messages > HISTORY_MESSAGES ? 'history' : undefined;
}

/** In either spelling: an object, or a pair as older clients send it. */
function isSearch(term: unknown): boolean {
  if (Array.isArray(term)) return term[0] === 'search';
  return typeof term === 'object' && term !== null && 'operator' in term
    ? term.operator === 'search'
    : false;
}
