// Who receives the events about a message.
import type { Db } from '../../../platform/db/pool.ts';
import type { Audience } from '../../../platform/events/event.ts';
import type { MessageRow } from './rows.ts';
import { listCalled, listFlagHolders } from './store.ts';

/** Flag holders who are not subscribed get the event too, at most so many; others see the change when they fetch. */
export const HOLDERS_MAX = 1000;

/**
 * For a direct message, everybody in the conversation. In a channel: its subscribers, everybody with a flag on the
 * message, and the bots that were called to it; with protected history, only those who received it.
 */
export async function audienceOf(
  db: Db,
  message: Pick<MessageRow, 'id' | 'channelId' | 'people' | 'placeSeq'>,
): Promise<Audience> {
  const people = (message.people ?? []).map(({ id }) => id);
  if (message.channelId === null) return audienceFrom({ ...message, people }, [], []);
  const called = (await listCalled(db, [message.id])).map(({ userId }) => userId);
  const holders = await listFlagHolders(db, message.id, HOLDERS_MAX);
  return audienceFrom({ ...message, people }, called, holders);
}

/** The same, from the bots that were called to the message and the people with flags on it. */
export const audienceFrom = (
  {
    channelId,
    people,
    placeSeq,
  }: Pick<MessageRow, 'channelId' | 'placeSeq'> & { readonly people: readonly number[] },
  called: readonly number[],
  holders: readonly number[],
): Audience =>
  channelId === null
    ? { users: people }
    : {
        channel: channelId,
        who: 'subscribers',
        heard: { channel: channelId, seq: placeSeq },
        also: holders,
        ...(called.length > 0 && { called }),
      };
