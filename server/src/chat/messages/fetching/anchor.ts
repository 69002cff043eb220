// The anchor of a page of messages: parses it from the request's parameters.
import { badRequest } from '../../http/errors.ts';

/** Larger than any message id. Clients send it to mean "the newest", and understand it in answers. */
export const BEYOND_ALL = 10_000_000_000_000_000;

export type Anchor =
  | { readonly kind: 'id'; readonly id: number }
  | { readonly kind: 'first unread' }
  | { readonly kind: 'date'; readonly date: Date };

/** An id or one of the words. The older parameter use_first_unread_anchor wins over both. */
export function parseAnchor(
  text: string | undefined,
  usesFirstUnread: boolean,
  date: string | undefined,
): Anchor {
  if (usesFirstUnread) return { kind: 'first unread' };
  switch (text) {
    case undefined:
      throw badRequest("Missing 'anchor' argument.");
    case 'newest':
      return { kind: 'id', id: BEYOND_ALL };
    case 'oldest':
      return { kind: 'id', id: 0 };
    case 'first_unread':
      return { kind: 'first unread' };
    case 'date':
      return { kind: 'date', date: parseDate(date) };
    default:
      return { kind: 'id', id: parseId(text) };
  }
}

function parseId(text: string): number {
  if (!/^-?\d{1,30}$/.test(text)) throw badRequest('Invalid anchor');
  return Math.min(Math.max(Number(text), 0), BEYOND_ALL);
}

function parseDate(text: string | undefined): Date {
  if (text === undefined) throw badRequest("Missing 'anchor_date' argument");
  const ms = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(ms)) throw badRequest('anchor_date is not a date');
  return new Date(ms);
}

/** The anchor may be left out only at an end of the page; in the middle it would leave a hole. */
export function checkAnchorEnd(includesAnchor: boolean, before: number, after: number): void {
  if (!includesAnchor && before > 0 && after > 0) {
    throw badRequest('The anchor can only be excluded at an end of the range');
  }
}
