// Reminders in a client's initial state, and how events change that state.
import type { RegisterPart } from '../../register-part.ts';
import { REMINDER_EVENTS, type Reminder, type ReminderEvent } from './events.ts';
import { listReminders } from './store.ts';

export { listReminders };

/** Ordered by time. */
function applyReminderEvent(reminders: readonly Reminder[], event: ReminderEvent): Reminder[] {
  if (event.op === 'remove') {
    return reminders.filter(({ reminder_id }) => reminder_id !== event.reminder_id);
  }
  return [...reminders, ...event.reminders].sort(
    (a, b) =>
      a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp ||
      a.reminder_id - b.reminder_id,
  );
}

export const remindersPart = {
  load: {
    reminders: async ({ db, user }) => ({ reminders: await listReminders(db, user.id) }),
  },
  events: REMINDER_EVENTS,
  applyInTests: {
    reminders: (state: { readonly reminders: readonly Reminder[] }, event: ReminderEvent) => ({
      reminders: applyReminderEvent(state.reminders, event),
    }),
  },
} satisfies RegisterPart;
