// Changes the default channels, to which new members are subscribed.
import { noteAct, noteNothing } from '../../../accounts/audit/actions.ts';
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { accessDefaultCandidate } from './access.ts';
import { defaultChannels } from './events.ts';
import { deleteDefaultChannel, insertDefaultChannel, listDefaultChannelIds } from './store.ts';

/** Sends the whole list to everybody except guests. */
export const announceDefaults = (tx: Tx, ids: readonly number[]): void =>
  tx.emit(defaultChannels(ids), { everyone: true, butGuests: true });

export { listDefaultChannelIds };

/** False when it was one already. Emits no events; the caller does. */
export const makeDefault = (tx: Tx, channelId: number): Promise<boolean> =>
  insertDefaultChannel(tx, channelId);

/** For other changes that end a default channel, such as archiving. Tells people if it was one. */
export async function dropDefault(tx: Tx, channelId: number): Promise<void> {
  if (await deleteDefaultChannel(tx, channelId)) {
    announceDefaults(tx, await listDefaultChannelIds(tx));
  }
}

/** Does nothing for a channel that is one already. */
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
