// Adds and removes reminders, and delivers them when they are due.
import { listUsersById } from '../../../accounts/users/access.ts';
import type { User } from '../../../accounts/user.ts';
import type { Context, OriginContext } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { isToCome } from '../../../platform/due/clock.ts';
import type { DueList } from '../../../platform/due/runner.ts';
import { badRequest, notFound } from '../../http/errors.ts';
import { invalidMessage } from '../message/errors.ts';
import { readVoice, tellPerson } from '../notices/actions.ts';
import { checkOwnRoom } from '../../rights/allowances/room.ts';
import { reminderAdded, reminderRemoved } from './events.ts';
import {
  countReminders,
  deleteReminder,
  giveUp,
  insertReminder,
  readDue,
  REMINDERS,
} from './store.ts';
import { findTarget, writeReminder } from './text.ts';

/** Limited, because clients get all of them at once. */
const REMINDERS_PER_USER_MAX = 1000;

export interface ReminderInput {
  readonly messageId: number;
  /** Unix seconds. */
  readonly deliverAt: number;
  readonly note: string;
}

/** Returns the id of the reminder. */
export async function addReminder(
  ctx: OriginContext,
  actor: User,
  { messageId, deliverAt, note }: ReminderInput,
): Promise<number> {
  const at = new Date(deliverAt * 1000);
  if (!(await isToCome(ctx.db, at))) {
    throw badRequest('Scheduled delivery time must be in the future.');
  }
  const message = await findTarget(ctx.db, actor, messageId);
  if (message === undefined) throw invalidMessage();
  const voice = await readVoice(ctx.db);
  const { content, rendered } = await writeReminder(ctx.db, ctx, voice, actor, message, note);
  return ctx.inTransaction(async (tx) => {
    if ((await countReminders(tx, actor.id, REMINDERS_PER_USER_MAX)) >= REMINDERS_PER_USER_MAX) {
      throw badRequest(`You cannot have more than ${REMINDERS_PER_USER_MAX} reminders.`);
    }
    const reminder = await insertReminder(tx, {
      userId: actor.id,
      messageId,
      note,
      content,
      rendered: rendered.html,
      deliverAt: at,
    });
    await checkOwnRoom(tx, REMINDERS, actor.id);
    tx.emit(reminderAdded(reminder), { users: [actor.id] });
    return reminder.reminder_id;
  });
}

export function removeReminder(ctx: Context, actor: User, id: number): Promise<void> {
  return ctx.inTransaction(async (tx) => {
    if (!(await deleteReminder(tx, actor.id, id))) throw notFound('Reminder does not exist');
    tx.emit(reminderRemoved(id), { users: [actor.id] });
  });
}

export const dueReminders = (ctx: OriginContext): DueList => ({
  table: 'reminders',
  act: (tx, id) => remind(tx, ctx, id),
});

/**
 * Delivers the reminder as a message of the notification bot, however late. It quotes the message in its present
 * version, and only if the person may still read it.
 */
async function remind(tx: Tx, ctx: OriginContext, id: number): Promise<void> {
  const { userId, messageId, note, deliverAt } = await readDue(tx, id);
  const [owner] = await listUsersById(tx, [userId]);
  if (owner === undefined || !owner.isActive) {
    await giveUp(tx, id);
    return;
  }
  const voice = await readVoice(tx);
  const message = await findTarget(tx, owner, messageId);
  const text = await writeReminder(tx, ctx, voice, owner, message, note);
  const clock = { now: () => Math.max(ctx.clock.now(), deliverAt.getTime()) };
  await tellPerson(tx, { clock }, voice.bot, userId, text);
  await deleteReminder(tx, userId, id);
  tx.emit(reminderRemoved(id), { users: [userId] });
}
