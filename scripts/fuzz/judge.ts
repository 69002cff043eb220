// Whether an answer shows a fault of the server, whatever it was sent.
import type { Kind } from './plan.ts';
import type { Answer } from './wire.ts';

/**
 * Every request is answered, in time, and never by an error of the server's own. Two may go without an answer: a poll,
 * which waits for something to happen, and what is no proper request, whose connection may simply be closed.
 */
export function isBroken(kind: Kind | 'raw', { status, trouble }: Answer, path: string): boolean {
  if (status >= 500) return !isBusy({ status });
  if (trouble === 'waiting') return !path.includes('/events');
  return trouble !== undefined && (kind === 'valid' || kind === 'mutated');
}

/** The answers of a server that is well and has too much to do: both say what to do next. */
export const isBusy = ({ status }: Pick<Answer, 'status'>): boolean =>
  status === 503 || status === 504;
