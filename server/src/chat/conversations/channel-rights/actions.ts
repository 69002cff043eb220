// Logs, for the nodes, the facts that decide who may see a channel and who may read it.
import type { Tx } from '../../../platform/db/transaction.ts';
import { channelRightsSet } from './events.ts';
import { listChannelRights } from './store.ts';

/**
 * Call this after every change of a channel's privacy, archiving or one of the three permissions that let people in,
 * in the same transaction. `rightsOf` are the people whom it affects.
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
