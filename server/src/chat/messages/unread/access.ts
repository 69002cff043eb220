// For other features: what a person has not read.
import type { Db } from '../../../platform/db/pool.ts';
import { listUnreadGroups, type UnreadGroups } from './groups.ts';
import { findFirstUnread, listUnread } from './lists.ts';

/** Only this many unread messages are listed, the newest ones. */
export const UNREAD_MAX = 50_000;

/** Unread messages grouped by topic and by direct conversation. */
export const groupUnreadMessages = (db: Db, userId: number): Promise<UnreadGroups> =>
  listUnreadGroups(db, userId, UNREAD_MAX);

/** Up to this many, unread messages are listed by id. If there are more, a scan finds some soon. */
const FEW = 1000;

/** Where unread messages can be: their ids, or the smallest possible id. Undefined when nothing is unread. */
export async function boundUnread(
  db: Db,
  userId: number,
  conversationIds?: readonly number[],
): Promise<{ readonly ids: readonly number[] } | { readonly from: number } | undefined> {
  const some = await listUnread(db, userId, FEW + 1, conversationIds);
  if (some.length <= FEW) {
    return some.length === 0 ? undefined : { ids: some.map(({ id }) => id) };
  }
  const from = await findFirstUnread(db, userId, conversationIds);
  return from === undefined ? undefined : { from };
}
