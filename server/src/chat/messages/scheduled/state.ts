// Scheduled messages in a client's initial state, and how that state follows from it with the events.
import type { ScheduledEvent, ScheduledMessage } from './events.ts';

export { listScheduled } from './store.ts';

/** In the order of their times. */
export function applyScheduledEvent(
  messages: readonly ScheduledMessage[],
  event: ScheduledEvent,
): ScheduledMessage[] {
  switch (event.op) {
    case 'add':
      return inOrder([...messages, ...event.scheduled_messages]);
    case 'update':
      return inOrder(
        messages.map((one) =>
          one.scheduled_message_id === event.scheduled_message.scheduled_message_id
            ? event.scheduled_message
            : one,
        ),
      );
    default:
      return messages.filter((one) => one.scheduled_message_id !== event.scheduled_message_id);
  }
}

const inOrder = (messages: readonly ScheduledMessage[]): ScheduledMessage[] =>
  messages.toSorted(
    (a, b) =>
      a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp ||
      a.scheduled_message_id - b.scheduled_message_id,
  );
