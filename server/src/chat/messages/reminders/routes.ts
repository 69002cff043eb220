import { Type } from 'typebox';
import { chatRoute } from '../../http/route.ts';
import { LIMITS } from '../../limits.ts';
import { addReminder, removeReminder } from './actions.ts';
import { Reminder } from './events.ts';
import { listReminders } from './state.ts';

/** The end of the year 9999. */
const SECONDS_MAX = 253_402_300_799;

export const getReminders = chatRoute({
  name: 'get-reminders',
  method: 'GET',
  path: '/reminders',
  allow: 'guest',
  grows: 'person',
  summary: 'Your reminders that are still to come, in the order of time.',
  params: Type.Object({}),
  returns: Type.Object({ reminders: Type.Array(Reminder) }),
  handle: async (ctx, actor) => ({ reminders: await listReminders(ctx.db, actor.id) }),
});

export const postReminder = chatRoute({
  name: 'create-message-reminder',
  method: 'POST',
  path: '/reminders',
  allow: 'guest',
  audit: { none: 'own content' },
  summary: 'Has the notification bot remind you of a message later.',
  params: Type.Object({
    message_id: Type.Integer(),
    scheduled_delivery_timestamp: Type.Integer({
      maximum: SECONDS_MAX,
      description: 'Unix seconds, to come.',
    }),
    note: Type.Optional(
      Type.String({ 'x-strip': true, maxLength: LIMITS.max_reminder_note_length }),
    ),
  }),
  returns: Type.Object({ reminder_id: Type.Integer() }),
  handle: async (ctx, actor, { message_id, scheduled_delivery_timestamp, note = '' }) => ({
    reminder_id: await addReminder(ctx, actor, {
      messageId: message_id,
      deliverAt: scheduled_delivery_timestamp,
      note,
    }),
  }),
});

export const deleteReminder = chatRoute({
  name: 'delete-reminder',
  method: 'DELETE',
  path: '/reminders/{reminder_id:int}',
  allow: 'guest',
  audit: { none: 'own content' },
  summary: 'Takes a reminder back.',
  params: Type.Object({}),
  returns: Type.Object({}),
  handle: async (ctx, actor, { reminder_id }) => {
    await removeReminder(ctx, actor, reminder_id);
    return {};
  },
});
