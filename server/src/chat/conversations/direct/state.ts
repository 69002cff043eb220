// Direct conversations in a client's initial state.
import type { Db } from '../../../platform/db/pool.ts';
import { listRecentDirect } from './store.ts';

const RECENT_MAX = 1000;

export interface RecentDirect {
  /** Everybody else; nobody for notes to oneself. */
  readonly user_ids: readonly number[];
  readonly max_message_id: number;
}

export async function readRecentDirect(db: Db, userId: number): Promise<RecentDirect[]> {
  const recent = await listRecentDirect(db, userId, RECENT_MAX);
  return recent.map(({ people, maxMessageId }) => ({
    user_ids: people.filter((id) => id !== userId),
    max_message_id: maxMessageId,
  }));
}
