import { accessUser } from '../../../accounts/users/access.ts';
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import { badRequest } from '../../http/errors.ts';
import { awaitSendsTo, markReadFrom } from '../read-state/bulk.ts';
import { mutedUsersChanged } from './events.ts';
import { deleteMute, insertMute, listMuted } from './store.ts';

/** Every client gets all of them at once. */
const MUTED_MAX = 1000;

/** From now on what they write is no news; what is unread of theirs is read. */
export async function muteUser(ctx: Context, actor: User, userId: number): Promise<void> {
  if (userId === actor.id) throw badRequest('Cannot mute self');
  await ctx.inTransaction(async (tx) => {
    const muted = await accessUser(tx, userId);
    const isNew = await insertMute(tx, actor.id, muted.id, new Date(ctx.clock.now()));
    if (!isNew) throw badRequest('User already muted');
    const all = await listMuted(tx, actor.id);
    if (all.length > MUTED_MAX) {
      throw badRequest(`You cannot mute more than ${MUTED_MAX} people.`);
    }
    tx.emit(mutedUsersChanged(all), { users: [actor.id] });
  });
  // What was being sent while the mute was written did not know of it.
  await awaitSendsTo(ctx, actor.id);
  await markReadFrom(ctx, actor.id, userId);
}

export function unmuteUser(ctx: Context, actor: User, userId: number): Promise<void> {
  if (userId === actor.id) throw badRequest('Cannot mute self');
  return ctx.inTransaction(async (tx) => {
    const muted = await accessUser(tx, userId);
    if (!(await deleteMute(tx, actor.id, muted.id))) throw badRequest('User is not muted');
    tx.emit(mutedUsersChanged(await listMuted(tx, actor.id)), { users: [actor.id] });
  });
}
