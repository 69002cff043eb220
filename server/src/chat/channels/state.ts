// The channels in a client's initial state.
import type { User } from '../../accounts/user.ts';
import type { Db } from '../../platform/db/pool.ts';
import { channelPermissions } from '../org/permissions.ts';
import { maySeeChannel } from './access.ts';
import {
  listChannels,
  listSubscribers,
  listSubscriptions,
  type Channel,
  type Subscription,
} from './store.ts';

export interface ChannelOptions {
  includeSubscribers: boolean;
  includeArchived: boolean;
  /** Whether the client can read null as "what the user has set in general". */
  allowsNullNotifications: boolean;
}

const EVERYONE_POSTS = 1;

export async function readChannels(db: Db, viewer: User, options: ChannelOptions) {
  const subscribers = await listSubscribers(db);
  const subscriptions = await listSubscriptions(db, viewer.id);
  const own = new Map(subscriptions.map((row) => [row.channelId, row]));
  const visible = (await listChannels(db)).filter(
    (channel) =>
      (options.includeArchived || !channel.isArchived) &&
      maySeeChannel(viewer, channel, own.has(channel.id)),
  );
  const subscribersOf = (channel: Channel) => subscribers.get(channel.id) ?? [];
  const rowOf = (channel: Channel) => channelRow(channel, subscribersOf(channel).length);
  const withSubscribers = (channel: Channel) =>
    options.includeSubscribers ? { subscribers: subscribersOf(channel) } : {};
  return {
    streams: visible.map(rowOf),
    subscriptions: visible.flatMap((channel) => {
      const row = own.get(channel.id);
      if (row === undefined) return [];
      return {
        ...rowOf(channel),
        ...subscriptionFields(row, viewer, options.allowsNullNotifications),
        ...withSubscribers(channel),
      };
    }),
    unsubscribed: [],
    never_subscribed: visible
      .filter((channel) => !own.has(channel.id))
      .map((channel) => ({ ...rowOf(channel), ...withSubscribers(channel) })),
  };
}

function channelRow(channel: Channel, subscriberCount: number) {
  return {
    stream_id: channel.id,
    name: channel.name,
    description: channel.description,
    rendered_description: renderDescription(channel.description),
    date_created: Math.floor(channel.createdAt.getTime() / 1000),
    creator_id: channel.creatorId,
    invite_only: channel.inviteOnly,
    is_web_public: false,
    history_public_to_subscribers: channel.historyPublicToSubscribers,
    first_message_id: null,
    message_retention_days: null,
    is_archived: channel.isArchived,
    is_recently_active: false,
    folder_id: null,
    topics_policy: 'inherit',
    default_push_notifications: false,
    subscriber_count: subscriberCount,
    stream_weekly_traffic: null,
    stream_post_policy: EVERYONE_POSTS,
    is_announcement_only: false,
    ...channelPermissions(channel.creatorId),
  };
}

function subscriptionFields(row: Subscription, viewer: User, allowsNull: boolean) {
  const general = (setting: string, byDefault: boolean) =>
    allowsNull ? null : (viewer.settings[setting] ?? byDefault);
  return {
    color: row.color,
    is_muted: row.isMuted,
    in_home_view: !row.isMuted,
    pin_to_top: row.pinToTop,
    desktop_notifications: general('enable_stream_desktop_notifications', false),
    audible_notifications: general('enable_stream_audible_notifications', false),
    push_notifications: general('enable_stream_push_notifications', false),
    email_notifications: general('enable_stream_email_notifications', false),
    wildcard_mentions_notify: general('wildcard_mentions_notify', true),
  };
}

/** Plain text as HTML, until there is Markdown. */
function renderDescription(text: string): string {
  if (text === '') return '';
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<p>${escaped}</p>`;
}
