// The event about a channel's first message.
import type { Tx } from '../../../platform/db/transaction.ts';
import { channelUpdated } from '../../conversations/channel/events.ts';
import type { ChannelForReader } from './channels-for-reader.ts';
import { renewFirstMessage } from './store.ts';

/** Sends the new first message of a channel to everybody who knows the channel, if it changed. */
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
