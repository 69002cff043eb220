// Gives events about settings for topics the form that each client understands.
import type { LoggedEvent } from '../../../platform/events/event.ts';
import { shared } from '../../../platform/realtime/directory.ts';
import type { QueueDescription } from '../../../platform/realtime/queue.ts';
import type { UserTopicRow } from './events.ts';
import { shownTopic } from './shown.ts';

export function shapeUserTopic(
  event: LoggedEvent,
  { filter }: QueueDescription,
): readonly string[] {
  const { capabilities } = filter as { capabilities?: Record<string, boolean> };
  if (capabilities?.['empty_topic_name'] === true) return [event.payload];
  return [
    shared(event, 'named', () => {
      const row = JSON.parse(event.payload) as UserTopicRow;
      return JSON.stringify({ ...row, topic_name: shownTopic(row.topic_name, false) });
    }),
  ];
}
