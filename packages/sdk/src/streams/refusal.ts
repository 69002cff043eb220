// Operations whose refusals are thrown, and which refusals pass by themselves.
import type { RialtoError } from '../errors.ts';
import { refusalOf } from '../trading/read.ts';
import type { Link } from './link.ts';

/** Sends an operation and returns its result; throws a `TradingError` for a refusal, `LostAnswer` for none. */
export async function ask(link: Link, op: string, members: object = {}): Promise<unknown> {
  const answer = await link.request(op, members);
  if (answer.error === undefined) return answer.result;
  throw refusalOf(answer.error, { origin: link.origin });
}

/** A wrong clock, which the refusal has corrected, counts as well: another attempt may be taken. */
export const isTransient = (error: RialtoError): boolean =>
  error.isRetryable || error.code === '3006';
