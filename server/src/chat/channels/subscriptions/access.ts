// Subscriptions as clients are given them.
import type { Db } from '../../../platform/db/pool.ts';
import { listAllSubscribers, listOwn } from '../../conversations/subscribers/store.ts';

/** What the person has set for each channel, those they left included. */
export const readOwnSubscriptions = listOwn;

/** From this many subscribers on, a client that can do with some of them gets some. */
const PARTIAL_FROM = 1000;
const PARTIAL_COUNT = 250;

export interface SubscriberFields {
  subscribers?: number[];
  partial_subscribers?: number[];
}

/** The subscribers of each channel as the client asked for them. */
export async function readSubscribers(
  db: Db,
  wanted: 'true' | 'false' | 'partial',
  counts: ReadonlyMap<number, number>,
): Promise<(channelId: number) => SubscriberFields> {
  if (wanted === 'false') return () => ({});
  const lists = await listAllSubscribers(db, wanted === 'true' ? 2 ** 31 - 1 : PARTIAL_FROM);
  return (channelId) => {
    const ids = lists.get(channelId) ?? [];
    const isPartial = wanted === 'partial' && (counts.get(channelId) ?? 0) >= PARTIAL_FROM;
    return isPartial ? { partial_subscribers: ids.slice(0, PARTIAL_COUNT) } : { subscribers: ids };
  };
}
