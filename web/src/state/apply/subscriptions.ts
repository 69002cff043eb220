// Who is in which channel, and the person's own settings for their channels.
import type {
  SubscriptionAddEvent,
  SubscriptionAddManyEvent,
  SubscriptionPeerAddEvent,
  SubscriptionPeerRemoveEvent,
  SubscriptionRemoveEvent,
  SubscriptionUpdateEvent,
} from '@rialto/sdk';
import { channelFrom, subscriptionFrom } from '../convert.ts';
import type { Subscription } from '../entities.ts';
import { putChannel } from '../load.ts';
import { changed, UNCHANGED, type Changed, type Slice, type State } from '../state.ts';
import { joinUnread, removeUnreadOfChannel } from '../unreads.ts';

type SubscriptionEvent =
  | SubscriptionAddEvent
  | SubscriptionAddManyEvent
  | SubscriptionPeerAddEvent
  | SubscriptionPeerRemoveEvent
  | SubscriptionRemoveEvent
  | SubscriptionUpdateEvent;

export function applySubscription(state: State, event: SubscriptionEvent): Changed {
  switch (event.op) {
    case 'add':
      for (const row of event.subscriptions) {
        putChannel(state, row, channelFrom(row, subscriptionFrom(row, true)));
        joinUnread(state, row.stream_id);
      }
      return changed(
        'channels',
        'subscribers',
        'partialSubscribers',
        'unreads',
        'unreadIndex',
        'mentions',
      );
    case 'remove':
      return leave(
        state,
        event.subscriptions.map(({ stream_id }) => stream_id),
      );
    case 'update':
      return changeOwn(state, event);
    case 'peer_add':
    case 'peer_remove':
      for (const id of event.stream_ids) changePeers(state, id, event.op, event.user_ids);
      return changed('channels', 'subscribers');
    default:
      // The form in which servers tell each other; clients get `add`.
      return UNCHANGED;
  }
}

function leave(state: State, ids: readonly number[]): Changed {
  const slices = new Set<Slice>(['channels', 'subscribers']);
  for (const id of ids) {
    changePeers(state, id, 'peer_remove', [state.own.userId]);
    const channel = state.channels.get(id);
    if (channel?.subscription !== undefined) {
      const subscription = { ...channel.subscription, isActive: false };
      state.channels.set(id, { ...channel, subscription });
    }
    if (removeUnreadOfChannel(state, id)) slices.add('unreads').add('unreadIndex').add('mentions');
  }
  return slices;
}

/** The members of a subscription by their names in the API. */
const MEMBERS: Readonly<Record<string, keyof Subscription>> = {
  color: 'color',
  is_muted: 'isMuted',
  pin_to_top: 'isPinned',
  desktop_notifications: 'desktopNotifications',
  audible_notifications: 'audibleNotifications',
  push_notifications: 'pushNotifications',
  email_notifications: 'emailNotifications',
  wildcard_mentions_notify: 'wildcardMentionsNotify',
};

function changeOwn(state: State, { stream_id, property, value }: SubscriptionUpdateEvent): Changed {
  const channel = state.channels.get(stream_id);
  const member = MEMBERS[property];
  if (channel?.subscription?.isActive !== true || member === undefined) return UNCHANGED;
  const subscription = { ...channel.subscription, [member]: value };
  state.channels.set(stream_id, { ...channel, subscription });
  return changed('channels');
}

/** Where only some subscribers are known, the count alone can follow. */
function changePeers(
  state: State,
  channelId: number,
  op: 'peer_add' | 'peer_remove',
  userIds: readonly number[],
): void {
  const channel = state.channels.get(channelId);
  if (channel === undefined) return;
  const isPartial = state.partialSubscribers.has(channelId);
  const subscribers = new Set(state.subscribers.get(channelId));
  for (const id of userIds) {
    if (op === 'peer_remove') subscribers.delete(id);
    else if (!isPartial) subscribers.add(id);
  }
  state.subscribers.set(channelId, subscribers);
  const counted = channel.subscriberCount + (op === 'peer_add' ? 1 : -1) * userIds.length;
  const subscriberCount = isPartial ? counted : subscribers.size;
  state.channels.set(channelId, { ...channel, subscriberCount });
}
