import type { Tx } from '../../../platform/db/transaction.ts';
import { channelUpdated } from '../../conversations/channel/events.ts';
import type { ChannelForReader } from './channels-for-reader.ts';
import { renewFirstMessage } from './store.ts';

/** Tells whoever knows the channel when another message is its first one now. */
export async function announceFirstMessage(
  tx: Tx,
  { channelId, name }: Pick<ChannelForReader, 'channelId' | 'name'>,
): Promise<void> {
  const { isChanged, firstMessageId } = await renewFirstMessage(tx, channelId);
  if (!isChanged) return;
  tx.emit(channelUpdated({ id: channelId, name }, 'first_message_id', firstMessageId), {
    channel: channelId,
    who: 'aware',
  });
}
