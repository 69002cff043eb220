// Who receives the events about a message.
import type { Db } from '../../../platform/db/pool.ts';
import type { Audience } from '../../../platform/events/event.ts';
import type { MessageRow } from './rows.ts';
import { listCalled, listFlagHolders } from './store.ts';

/** Flag holders who are not subscribed get the event too, at most so many; others see the change when they fetch. */
const HOLDERS_MAX = 1000;

/**
 * For a direct message, everybody in the conversation. In a channel: its subscribers, everybody with a flag on the
 * message, and the bots that were called to it; with protected history, only those who received it.
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
