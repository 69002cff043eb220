// Gives the empty topic a name in typing signals, for clients that do not support it.
import type { LoggedEvent } from '../../../platform/events/event.ts';
import { shared } from '../../../platform/realtime/directory.ts';
import type { QueueDescription } from '../../../platform/realtime/queue.ts';
import { shownTopic } from '../../conversations/topics/shown.ts';
import type { TypingEditEvent, TypingEvent } from './events.ts';

const knowsEmptyTopics = ({ filter }: QueueDescription): boolean => {
  const { capabilities } = filter as { capabilities?: Record<string, boolean> };
  return capabilities?.['empty_topic_name'] === true;
};

export function shapeTyping(event: LoggedEvent, queue: QueueDescription): readonly string[] {
  if (knowsEmptyTopics(queue)) return [event.payload];
  return [
    shared(event, 'named', () => {
      const typing = JSON.parse(event.payload) as TypingEvent;
      if (typing.topic === undefined) return event.payload;
      return JSON.stringify({ ...typing, topic: shownTopic(typing.topic, false) });
    }),
  ];
}

export function shapeTypingEdit(event: LoggedEvent, queue: QueueDescription): readonly string[] {
  if (knowsEmptyTopics(queue)) return [event.payload];
  return [
    shared(event, 'named', () => {
      const { recipient, ...typing } = JSON.parse(event.payload) as TypingEditEvent;
      if (recipient.type === 'direct') return event.payload;
      const topic = shownTopic(recipient.topic, false);
      return JSON.stringify({ ...typing, recipient: { ...recipient, topic } });
    }),
  ];
}
