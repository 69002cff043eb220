// The shapes of reminders and their events.
import { Type, type Static } from 'typebox';

export const Reminder = Type.Object(
  {
    reminder_id: Type.Integer(),
    type: Type.Literal('private'),
    to: Type.Array(Type.Integer(), { description: 'Whoever is reminded.' }),
    content: Type.String(),
    rendered_content: Type.String(),
    scheduled_delivery_timestamp: Type.Integer({ description: 'Unix seconds' }),
    failed: Type.Boolean(),
    reminder_target_message_id: Type.Integer(),
  },
  { additionalProperties: false },
);
export type Reminder = Static<typeof Reminder>;

const ReminderAdded = Type.Object(
  { type: Type.Literal('reminders'), op: Type.Literal('add'), reminders: Type.Array(Reminder) },
  { additionalProperties: false },
);
const ReminderRemoved = Type.Object(
  { type: Type.Literal('reminders'), op: Type.Literal('remove'), reminder_id: Type.Integer() },
  { additionalProperties: false },
);

export const REMINDER_EVENTS = [ReminderAdded, ReminderRemoved];
export type ReminderEvent = Static<typeof ReminderAdded> | Static<typeof ReminderRemoved>;

export const reminderAdded = (reminder: Reminder) =>
  ({ type: 'reminders', op: 'add', reminders: [reminder] }) as const;
export const reminderRemoved = (id: number) =>
  ({ type: 'reminders', op: 'remove', reminder_id: id }) as const;
