// Mutes and unmutes people.
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import { badRequest } from '../../http/errors.ts';
import { accessPerson } from '../../rights/sight/access.ts';
import { awaitSendsTo, markReadFrom } from '../read-state/bulk.ts';
import { mutedUsersChanged } from './events.ts';
import { deleteMute, insertMute, listMuted } from './store.ts';

/** Limited, because clients get the whole list at once. */
const MUTED_MAX = 1000;

/** Marks the muted person's unread messages as read. Their later messages arrive as read. */
export async function muteUser(ctx: Context, actor: User, userId: number): Promise<void> {
  if (userId === actor.id) throw badRequest('Cannot mute self');
  await ctx.inTransaction(async (tx) => {
    const muted = await accessPerson(ctx, tx, actor, userId);
    const isNew = await insertMute(tx, actor.id, muted.id, new Date(ctx.clock.now()));
    if (!isNew) throw badRequest('User already muted');
    const all = await listMuted(tx, actor.id);
    if (all.length > MUTED_MAX) {
      throw badRequest(`You cannot mute more than ${MUTED_MAX} people.`);
    }
    tx.emit(mutedUsersChanged(all), { users: [actor.id] });
  });
  // A message that was being sent at the same time may have missed the mute, so wait for it before marking.
  await awaitSendsTo(ctx, actor.id);
  await markReadFrom(ctx, actor.id, userId);
}

export function unmuteUser(ctx: Context, actor: User, userId: number): Promise<void> {
  if (userId === actor.id) throw badRequest('Cannot mute self');
  return ctx.inTransaction(async (tx) => {
    const muted = await accessPerson(ctx, tx, actor, userId);
    if (!(await deleteMute(tx, actor.id, muted.id))) throw badRequest('User is not muted');
    tx.emit(mutedUsersChanged(await listMuted(tx, actor.id)), { users: [actor.id] });
  });
}
