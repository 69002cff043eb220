// The older event about muted topics, which has all of them. Its list is not in the log: every change of one topic would write
// the whole list there, for clients that hardly anybody has. A queue holds a place for the list, which is filled from the
// table when the queue is answered. The list is then as new as the answer, perhaps newer than the event.
import type { Db } from '../../../platform/db/pool.ts';
import type { LoggedEvent } from '../../../platform/events/event.ts';
import type { EventWithdrawal } from '../../../platform/realtime/directory.ts';
import type { QueueDescription } from '../../../platform/realtime/queue.ts';
import { readMutedTopics } from './state.ts';

/** No text within JSON can have this: its quotes would be escaped. */
const PLACE = '"muted_topics":"as of now"';
const EVENT = [`{"type":"muted_topics",${PLACE}}`];

/** The older event is for clients that ask for it and not for the newer one. */
export const shapeMutedTopics = (
  _event: LoggedEvent,
  { eventTypes }: QueueDescription,
): readonly string[] =>
  eventTypes?.has('muted_topics') === true && !eventTypes.has('user_topic') ? EVENT : [];

/** Of several such events in a queue the last one tells everything, so the queue has one list however often it changes. */
export const withdrawnByMutedTopics = (event: LoggedEvent): EventWithdrawal | undefined =>
  event.type === 'muted_topics' ? (earlier) => earlier.type === 'muted_topics' : undefined;

/** `events` is what a queue of this person is answered with, as JSON. */
export const withMutedTopics = (
  db: Db,
  userId: number,
  events: string,
): string | Promise<string> => (events.includes(PLACE) ? fill(db, userId, events) : events);

async function fill(db: Db, userId: number, events: string): Promise<string> {
  const list = JSON.stringify(await readMutedTopics(db, userId));
  return events.replaceAll(PLACE, () => `"muted_topics":${list}`);
}
