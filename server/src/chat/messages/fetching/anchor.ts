// Where in a conversation a reading starts.
import { badRequest } from '../../http/errors.ts';

/** Larger than any message id; clients send it, and read it as "there is nothing newer". */
export const BEYOND_ALL = 10_000_000_000_000_000;

export type Anchor =
  | { readonly kind: 'id'; readonly id: number }
  | { readonly kind: 'first unread' }
  | { readonly kind: 'date'; readonly date: Date };

/** An id, or one of the words; the older parameter for the first unread message wins over both. */
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

/** Without its anchor a page would have a hole in the middle. */
export function checkAnchorEnd(includesAnchor: boolean, before: number, after: number): void {
  if (!includesAnchor && before > 0 && after > 0) {
    throw badRequest('The anchor can only be excluded at an end of the range');
  }
}
