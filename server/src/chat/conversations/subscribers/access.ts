// Who is subscribed to a channel, for every feature that asks. Subscribing itself is in channels/subscriptions.
import type { Db } from '../../../platform/db/pool.ts';
import { remembered } from '../../../platform/facts/memory.ts';
import { listSubscribedAmong as loadSubscribed } from './store.ts';

export {
  countSubscribersByChannel,
  countSubscribersUpTo,
  hasMoreSubscribers,
  isSubscribed,
  listMemberships,
  listSubscriberIds,
} from './store.ts';

/** Those of `userIds` who are subscribed; ascending. */
export const listSubscribedAmong = (
  db: Db,
  channelId: number,
  userIds: readonly number[],
): Promise<readonly number[]> =>
  remembered(db, `subscribed ${channelId} ${userIds.join()}`, userIds, () =>
    loadSubscribed(db, channelId, userIds),
  );
