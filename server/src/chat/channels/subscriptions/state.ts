// Channels and subscriptions in a client's initial state, and how events change that state.
import type { Static } from 'typebox';
import type { User } from '../../../accounts/user.ts';
import type { Db } from '../../../platform/db/pool.ts';
import type { RegisterPart, StateQuery } from '../../register-part.ts';
import {
  ownSubscriptionFields,
  SUBSCRIPTION_EVENTS,
  SubscribersAdded,
  withoutNulls,
  type SubscriptionEvent,
  type SubscriptionRow,
} from './events.ts';
import { readOwnSubscriptions, readSubscribers } from './access.ts';
import { listVisibleChannels } from '../../conversations/channel/access.ts';
import {
  CHANNEL_EVENTS,
  channelRow,
  type ChannelCreated,
  type ChannelDeleted,
  type ChannelRow,
  type ChannelUpdated,
} from '../../conversations/channel/events.ts';
import { countSubscribersByChannel } from '../../conversations/subscribers/access.ts';

export interface ChannelOptions {
  /** Partial: for large channels, only some of the subscribers. */
  includeSubscribers: 'true' | 'false' | 'partial';
  includeArchived: boolean;
  /** Whether the client knows null, which means the user's general setting. */
  allowsNullNotifications: boolean;
}

/** A channel without a subscription of the user; has its subscribers if the client asked for them. */
type PeeredRow = ChannelRow & Pick<SubscriptionRow, 'subscribers' | 'partial_subscribers'>;

export interface ChannelsState {
  readonly user_id: number;
  readonly streams: readonly ChannelRow[];
  readonly subscriptions: readonly SubscriptionRow[];
  readonly unsubscribed: readonly SubscriptionRow[];
  readonly never_subscribed: readonly PeeredRow[];
}

type ChannelLists = Omit<ChannelsState, 'user_id'>;

export async function readChannels(
  db: Db,
  viewer: User,
  options: ChannelOptions,
): Promise<ChannelLists> {
  const { includeSubscribers, includeArchived, allowsNullNotifications } = options;
  const counts = await countSubscribersByChannel(db);
  const subscribersOf = await readSubscribers(db, includeSubscribers, counts);
  const own = await readOwnSubscriptions(db, viewer.id);
  const visible = (await listVisibleChannels(db, viewer)).filter(
    (channel) => includeArchived || !channel.isArchived,
  );
  const streams: ChannelRow[] = [];
  const subscriptions: SubscriptionRow[] = [];
  const unsubscribed: SubscriptionRow[] = [];
  const never: PeeredRow[] = [];
  for (const view of visible) {
    const row = channelRow(view, view.permissions, counts.get(view.id) ?? 0);
    streams.push(row);
    const peered = { ...row, ...subscribersOf(view.id) };
    const subscription = own.get(view.id);
    if (subscription === undefined) never.push(peered);
    else {
      const fields = ownSubscriptionFields(subscription);
      const shown = allowsNullNotifications ? fields : withoutNulls(fields, viewer);
      (subscription.isActive ? subscriptions : unsubscribed).push({ ...peered, ...shown });
    }
  }
  return sortedByName({ streams, subscriptions, unsubscribed, never_subscribed: never });
}

/** Sorts by name, ignoring case and independent of the locale. */
function sortedByName(lists: ChannelLists): ChannelLists {
  const key = ({ name }: ChannelRow) => name.toLowerCase();
  const sort = <R extends ChannelRow>(rows: readonly R[]): R[] =>
    [...rows].sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
  return {
    streams: sort(lists.streams),
    subscriptions: sort(lists.subscriptions),
    unsubscribed: sort(lists.unsubscribed),
    never_subscribed: sort(lists.never_subscribed),
  };
}

/** Makes the same change in every list that has the channel. */
function mapRows(
  lists: ChannelLists,
  ids: readonly number[],
  change: <R extends PeeredRow>(row: R) => R,
): ChannelLists {
  const map = <R extends PeeredRow>(rows: readonly R[]): R[] =>
    rows.map((row) => (ids.includes(row.stream_id) ? change(row) : row));
  return {
    streams: map(lists.streams),
    subscriptions: map(lists.subscriptions),
    unsubscribed: map(lists.unsubscribed),
    never_subscribed: map(lists.never_subscribed),
  };
}

function without(lists: ChannelLists, ids: readonly number[]): ChannelLists {
  const keep = <R extends ChannelRow>(rows: readonly R[]): R[] =>
    rows.filter((row) => !ids.includes(row.stream_id));
  return {
    streams: keep(lists.streams),
    subscriptions: keep(lists.subscriptions),
    unsubscribed: keep(lists.unsubscribed),
    never_subscribed: keep(lists.never_subscribed),
  };
}

type ChannelEvent =
  Static<typeof ChannelCreated> | Static<typeof ChannelUpdated> | Static<typeof ChannelDeleted>;

function applyChannelEvent(state: ChannelsState, event: ChannelEvent): ChannelLists {
  switch (event.op) {
    case 'create':
      return sortedByName({
        ...listsOf(state),
        streams: [...state.streams, ...event.streams],
        never_subscribed: [
          ...state.never_subscribed,
          ...event.streams.map((row) => ({ ...row, subscribers: [] })),
        ],
      });
    case 'delete':
      return without(state, event.stream_ids);
    default:
      return sortedByName(
        mapRows(state, [event.stream_id], (row) => ({
          ...row,
          [event.property]: event.value,
          ...(event.rendered_description !== undefined && {
            rendered_description: event.rendered_description,
          }),
          ...(event.history_public_to_subscribers !== undefined && {
            history_public_to_subscribers: event.history_public_to_subscribers,
          }),
          ...(event.is_web_public !== undefined && { is_web_public: event.is_web_public }),
        })),
      );
  }
}

const listsOf = ({ streams, subscriptions, unsubscribed, never_subscribed }: ChannelLists) => ({
  streams,
  subscriptions,
  unsubscribed,
  never_subscribed,
});

export function applySubscriptionEvent(
  state: ChannelsState,
  event: SubscriptionEvent,
): ChannelLists {
  switch (event.op) {
    case 'add': {
      const ids = event.subscriptions.map(({ stream_id }) => stream_id);
      const { subscriptions, unsubscribed, never_subscribed } = without(state, ids);
      const counts = new Map(
        event.subscriptions.map((row) => [row.stream_id, row.subscriber_count]),
      );
      return sortedByName({
        streams: state.streams.map((row) => ({
          ...row,
          subscriber_count: counts.get(row.stream_id) ?? row.subscriber_count,
        })),
        subscriptions: [...subscriptions, ...event.subscriptions],
        unsubscribed,
        never_subscribed,
      });
    }
    case 'remove': {
      const ids = event.subscriptions.map(({ stream_id }) => stream_id);
      const lists = mapRows(state, ids, (row) => withPeers(row, 'peer_remove', [state.user_id]));
      const left = lists.subscriptions.filter((row) => ids.includes(row.stream_id));
      return sortedByName({
        ...lists,
        subscriptions: lists.subscriptions.filter((row) => !ids.includes(row.stream_id)),
        unsubscribed: [...lists.unsubscribed, ...left],
      });
    }
    case 'update':
      return {
        ...listsOf(state),
        subscriptions: state.subscriptions.map((row) =>
          row.stream_id === event.stream_id ? { ...row, [event.property]: event.value } : row,
        ),
      };
    default:
      return mapRows(state, event.stream_ids, (row) => withPeers(row, event.op, event.user_ids));
  }
}

/** Without the list of subscribers, only the count can follow. */
function withPeers<R extends PeeredRow>(
  row: R,
  op: 'peer_add' | 'peer_remove',
  userIds: readonly number[],
): R {
  const sign = op === 'peer_add' ? 1 : -1;
  if (row.subscribers === undefined) {
    return { ...row, subscriber_count: row.subscriber_count + sign * userIds.length };
  }
  const others = row.subscribers.filter((id) => !userIds.includes(id));
  const subscribers = op === 'peer_add' ? [...others, ...userIds].sort((a, b) => a - b) : others;
  return { ...row, subscribers, subscriber_count: subscribers.length };
}

/** Of a message event, what matters here; a direct message has no channel. */
interface Sent {
  readonly message: { readonly id: number; readonly stream_id?: number };
}

/** A channel's first message is known from the message itself. */
const followMessage = (state: ChannelsState, { message: { id, stream_id } }: Sent): object =>
  stream_id === undefined
    ? {}
    : mapRows(state, [stream_id], (row) =>
        row.first_message_id === null ? { ...row, first_message_id: id } : row,
      );

/** Every list of channels, for the types of channels and of subscriptions alike. */
export const loadChannels = ({ db, user, options }: StateQuery): Promise<ChannelLists> =>
  readChannels(db, user, options);

export const channelsPart = {
  load: { stream: async ({ once }) => ({ streams: (await once(loadChannels)).streams }) },
  events: CHANNEL_EVENTS,
  applyInTests: { stream: applyChannelEvent },
  followInTests: { message: followMessage },
} satisfies RegisterPart;

export const subscriptionsPart = {
  load: {
    subscription: async ({ once }) => {
      const { streams: _channels, ...subscribed } = await once(loadChannels);
      return subscribed;
    },
  },
  events: SUBSCRIPTION_EVENTS,
  internalEvents: [SubscribersAdded],
  applyInTests: { subscription: applySubscriptionEvent },
} satisfies RegisterPart;
