// Reminders in a client's initial state, and how that state follows from it with the events.
import type { Reminder, ReminderEvent } from './events.ts';

export { listReminders } from './store.ts';

/** In the order of their times. */
export function applyReminderEvent(
  reminders: readonly Reminder[],
  event: ReminderEvent,
): Reminder[] {
  if (event.op === 'remove') {
    return reminders.filter(({ reminder_id }) => reminder_id !== event.reminder_id);
  }
  return [...reminders, ...event.reminders].sort(
    (a, b) =>
      a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp ||
      a.reminder_id - b.reminder_id,
  );
}
