// Reads subscriptions for other features.
import type { Db } from '../../../platform/db/pool.ts';
import { listAllSubscribers, listOwn } from '../../conversations/subscribers/store.ts';

/** The person's settings for each channel, including channels they left. */
export const readOwnSubscriptions = listOwn;

/** With this many subscribers or more, a client that accepts partial lists gets only some of them. */
const PARTIAL_FROM = 1000;
const PARTIAL_COUNT = 250;

export interface SubscriberFields {
  subscribers?: number[];
  partial_subscribers?: number[];
}

/** The subscribers of each channel, in the form that the client asked for. */
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
