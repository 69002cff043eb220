// Finds channels that may become default channels, or stop being ones.
import type { User } from '../../../accounts/user.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { accessChannelForUpdate } from '../../conversations/channel/access.ts';
import type { Channel } from '../../conversations/channel/channel.ts';
import { invalidChannel } from '../../conversations/channel/errors.ts';
import { badRequest } from '../../http/errors.ts';

/** Checks that the channel may become a default channel, or stop being one, and locks it. */
export async function accessDefaultCandidate(
  tx: Tx,
  actor: User,
  channelId: number,
  purpose: 'to be added' | 'to be removed',
): Promise<Channel> {
  const channel = await accessChannelForUpdate(tx, actor, channelId);
  if (purpose === 'to be removed') return channel;
  if (channel.isArchived) throw invalidChannel();
  if (channel.inviteOnly) throw badRequest('Private channels cannot be made default.');
  return channel;
}

export { isDefaultChannel, listDefaultChannelIds } from './store.ts';
