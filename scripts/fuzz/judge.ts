// Decides whether an answer shows a fault of the server, whatever the request was.
import type { Kind } from './plan.ts';
import type { Answer } from './wire.ts';

/**
 * Every request must be answered, in time, and never with a server error. Two kinds may go without
 * an answer: a poll, which waits for events, and a malformed request, whose connection may simply
 * be closed.
 */
export function isBroken(kind: Kind | 'raw', { status, trouble }: Answer, path: string): boolean {
  if (status >= 500) return !isBusy({ status });
  if (trouble === 'waiting') return !path.includes('/events');
  return trouble !== undefined && (kind === 'valid' || kind === 'mutated');
}

/** Answers of a healthy but overloaded server: both say what to do next. */
export const isBusy = ({ status }: Pick<Answer, 'status'>): boolean =>
  status === 503 || status === 504;
