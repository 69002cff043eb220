// Scheduled messages in a client's initial state, and how events change that state.
import type { RegisterPart } from '../../register-part.ts';
import { SCHEDULED_EVENTS, type ScheduledMessage, type ScheduledEvent } from './events.ts';
import { listScheduled } from './store.ts';

export { listScheduled };

/** Ordered by time. */
function applyScheduledEvent(
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

export const scheduledPart = {
  load: {
    scheduled_messages: async ({ db, user }) => ({
      scheduled_messages: await listScheduled(db, user.id),
    }),
  },
  events: SCHEDULED_EVENTS,
  applyInTests: {
    scheduled_messages: (
      state: { readonly scheduled_messages: readonly ScheduledMessage[] },
      event: ScheduledEvent,
    ) => ({
      scheduled_messages: applyScheduledEvent(state.scheduled_messages, event),
    }),
  },
} satisfies RegisterPart;
