// What new members are subscribed to.
import { noteAct, noteNothing } from '../../../accounts/audit/actions.ts';
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { accessDefaultCandidate } from './access.ts';
import { defaultChannels } from './events.ts';
import { deleteDefaultChannel, insertDefaultChannel, listDefaultChannelIds } from './store.ts';

/** Everybody who is no guest is told the whole list. */
export const announceDefaults = (tx: Tx, ids: readonly number[]): void =>
  tx.emit(defaultChannels(ids), { everyone: true, butGuests: true });

export { listDefaultChannelIds };

/** False when it was one already. The caller announces it. */
export const makeDefault = (tx: Tx, channelId: number): Promise<boolean> =>
  insertDefaultChannel(tx, channelId);

/** Where something else ends a channel's being a default; tells people, if it was one. */
export async function dropDefault(tx: Tx, channelId: number): Promise<void> {
  if (await deleteDefaultChannel(tx, channelId)) {
    announceDefaults(tx, await listDefaultChannelIds(tx));
  }
}

/** For a channel that is one already nothing happens. */
export function addDefaultChannel(ctx: Context, actor: User, channelId: number): Promise<void> {
  return ctx.inTransaction(async (tx) => {
    const { name } = await accessDefaultCandidate(tx, actor, channelId, 'to be added');
    if (!(await makeDefault(tx, channelId))) return noteNothing(tx);
    announceDefaults(tx, await listDefaultChannelIds(tx));
    noteAct(tx, { act: 'default_channel add', subject: name, details: { channelId } });
  });
}

export function removeDefaultChannel(ctx: Context, actor: User, channelId: number): Promise<void> {
  return ctx.inTransaction(async (tx) => {
    const { name } = await accessDefaultCandidate(tx, actor, channelId, 'to be removed');
    if (await deleteDefaultChannel(tx, channelId)) {
      noteAct(tx, { act: 'default_channel remove', subject: name, details: { channelId } });
    } else noteNothing(tx);
    announceDefaults(tx, await listDefaultChannelIds(tx));
  });
}
