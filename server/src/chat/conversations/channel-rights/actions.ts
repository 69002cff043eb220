// Writes into the log, for the nodes, which settings decide who may know of a channel and who may read it.
import type { Tx } from '../../../platform/db/transaction.ts';
import { channelRightsSet } from './events.ts';
import { listChannelRights } from './store.ts';

/**
 * Call it in every transaction that changes a channel's privacy, archiving or one of the three permissions that let
 * people in, after the change. `rightsOf` are the affected people.
 */
export async function announceRights(
  tx: Tx,
  channelId: number,
  rightsOf: readonly number[],
): Promise<void> {
  const rights = (await listChannelRights(tx, channelId)).get(channelId);
  if (rights === undefined) throw new Error(`Channel ${channelId} does not exist.`);
  tx.emit(channelRightsSet(channelId, rights), { users: [] }, { rightsOf });
}
