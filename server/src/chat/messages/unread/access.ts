// What somebody has not read, for everybody who asks.
import type { Db } from '../../../platform/db/pool.ts';
import { findFirstUnread, listUnread, listUnreadGroups, type UnreadGroup } from './lists.ts';

/** More unread messages than this are not told, the newest are. */
export const UNREAD_MAX = 50_000;

/** What is unread, by topics and conversations. */
export const groupUnreadMessages = (
  db: Db,
  userId: number,
): Promise<{ readonly groups: UnreadGroup[]; readonly isWhole: boolean }> =>
  listUnreadGroups(db, userId, UNREAD_MAX);

/** Where few are unread they are named; where many are, looking for them finds them soon. */
const FEW = 1000;

/**
 * What can be unread: the ids themselves, or the smallest that one can have. Undefined when nothing is.
 */
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
