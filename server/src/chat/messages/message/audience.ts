// Who is told of what happens to a message.
import type { Db } from '../../../platform/db/pool.ts';
import type { Audience } from '../../../platform/events/event.ts';
import type { MessageRow } from './rows.ts';
import { listCalled, listFlagHolders } from './store.ts';

/** Holders of flags who are not subscribed and are told as well; more of them learn it when they look. */
const HOLDERS_MAX = 1000;

/**
 * Everybody in a direct conversation; in a channel its subscribers and whoever has put a flag on the
 * message, and where the past is protected only those who were there when it came; and bots that were called to it.
 */
export async function audienceOf(
  db: Db,
  message: Pick<MessageRow, 'id' | 'channelId' | 'people' | 'placeSeq'>,
): Promise<Audience> {
  if (message.channelId === null) {
    return { users: (message.people ?? []).map(({ id }) => id) };
  }
  const called = await listCalled(db, [message.id]);
  return {
    channel: message.channelId,
    who: 'subscribers',
    heard: { channel: message.channelId, seq: message.placeSeq },
    also: await listFlagHolders(db, message.id, HOLDERS_MAX),
    ...(called.length > 0 && { called: called.map(({ userId }) => userId) }),
  };
}
