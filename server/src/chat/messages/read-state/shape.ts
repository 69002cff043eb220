// Gives the empty topic a name in events about unread messages, for clients that do not support it.
import type { LoggedEvent } from '../../../platform/events/event.ts';
import { shared } from '../../../platform/realtime/directory.ts';
import type { QueueDescription } from '../../../platform/realtime/queue.ts';
import { shownTopic } from '../../conversations/topics/shown.ts';
import type { FlagsEvent, UnreadDetails } from './events.ts';

export function shapeFlags(event: LoggedEvent, { filter }: QueueDescription): readonly string[] {
  const { capabilities } = filter as { capabilities?: Record<string, boolean> };
  if (capabilities?.['empty_topic_name'] === true) return [event.payload];
  return [shared(event, 'named', () => withNamedTopics(event.payload))];
}

function withNamedTopics(payload: string): string {
  const flags = JSON.parse(payload) as FlagsEvent;
  if (flags.op === 'add' || flags.message_details === undefined) return payload;
  const details = Object.entries(flags.message_details).map(
    ([id, one]): [string, UnreadDetails] => [
      id,
      one.topic === undefined ? one : { ...one, topic: shownTopic(one.topic, false) },
    ],
  );
  return JSON.stringify({ ...flags, message_details: Object.fromEntries(details) });
}
