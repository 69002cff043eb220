// Which channels are listed, and what a channel's privacy is in the words of the API.
import { fold } from '../../i18n/fold.ts';
import type { Channel, ChannelPermission } from '../../state/entities.ts';

export const WHICH = ['all', 'subscribed', 'open', 'archived'] as const;
export type Which = (typeof WHICH)[number];

/** Names that begin with what was typed come first, then names that have it, then descriptions. */
export function listChannels(
  channels: readonly Channel[],
  which: Which,
  typed: string,
): readonly Channel[] {
  const wanted = fold(typed);
  const rank = ({ name, description }: Channel): number => {
    const folded = fold(name);
    if (folded.startsWith(wanted)) return 0;
    if (folded.includes(wanted)) return 1;
    return fold(description).includes(wanted) ? 2 : 3;
  };
  const kept = channels.filter((channel) => isIn(channel, which));
  if (wanted === '') return kept;
  return kept
    .map((channel) => ({ channel, rank: rank(channel) }))
    .filter((one) => one.rank < 3)
    .sort((a, b) => a.rank - b.rank)
    .map(({ channel }) => channel);
}

function isIn({ isArchived, subscription }: Channel, which: Which): boolean {
  if (which === 'archived' || isArchived) return which === 'archived' && isArchived;
  const isSubscribed = subscription?.isActive === true;
  return which === 'all' || isSubscribed === (which === 'subscribed');
}

export const PRIVACIES = ['public', 'webPublic', 'private', 'hidden'] as const;
export type Privacy = (typeof PRIVACIES)[number];

export function privacyOf(
  channel: Pick<Channel, 'isPrivate' | 'isWebPublic' | 'isHistoryPublic'>,
): Privacy {
  if (channel.isWebPublic) return 'webPublic';
  if (!channel.isPrivate) return 'public';
  return channel.isHistoryPublic ? 'private' : 'hidden';
}

/** In the order of how often people look for them. */
export const PERMISSIONS: readonly ChannelPermission[] = [
  'can_send_message_group',
  'can_create_topic_group',
  'can_subscribe_group',
  'can_add_subscribers_group',
  'can_remove_subscribers_group',
  'can_resolve_topics_group',
  'can_move_messages_within_channel_group',
  'can_move_messages_out_of_channel_group',
  'can_delete_own_message_group',
  'can_delete_any_message_group',
  'can_administer_channel_group',
];
