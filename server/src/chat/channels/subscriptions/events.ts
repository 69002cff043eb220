// Events about subscriptions, and their shapes.
import { Type, type Static } from 'typebox';
import type { User } from '../../../accounts/user.ts';
import { CHANNEL_FIELDS, type ChannelRow } from '../../conversations/channel/events.ts';
import type { Subscription } from '../../conversations/subscribers/subscription.ts';

const setting = () => Type.Union([Type.Boolean(), Type.Null()]);

const OWN_FIELDS = {
  color: Type.String(),
  is_muted: Type.Boolean(),
  in_home_view: Type.Boolean({ description: 'Older form of is_muted, the other way round.' }),
  pin_to_top: Type.Boolean(),
  desktop_notifications: setting(),
  audible_notifications: setting(),
  push_notifications: setting(),
  email_notifications: setting(),
  wildcard_mentions_notify: setting(),
};

/** One person's settings for a channel. */
const OwnFields = Type.Object(OWN_FIELDS, { additionalProperties: false });
export type OwnFields = Static<typeof OwnFields>;

const ids = () => Type.Array(Type.Integer());

export const SubscriptionRow = Type.Object(
  {
    ...CHANNEL_FIELDS,
    ...OWN_FIELDS,
    subscribers: Type.Optional(ids()),
    partial_subscribers: Type.Optional(ids()),
  },
  { additionalProperties: false },
);
export type SubscriptionRow = Static<typeof SubscriptionRow>;

export const ownSubscriptionFields = (row: Subscription): OwnFields => ({
  color: row.color,
  is_muted: row.isMuted,
  in_home_view: !row.isMuted,
  pin_to_top: row.pinToTop,
  desktop_notifications: row.desktopNotifications,
  audible_notifications: row.audibleNotifications,
  push_notifications: row.pushNotifications,
  email_notifications: row.emailNotifications,
  wildcard_mentions_notify: row.wildcardMentionsNotify,
});

/** For clients that do not know null, which means the person's general setting. */
export function withoutNulls(fields: OwnFields, { settings }: Pick<User, 'settings'>): OwnFields {
  const general = (value: boolean | null, name: string, byDefault: boolean): boolean =>
    value ?? ((settings[name] ?? byDefault) as boolean);
  return {
    ...fields,
    desktop_notifications: general(
      fields.desktop_notifications,
      'enable_stream_desktop_notifications',
      false,
    ),
    audible_notifications: general(
      fields.audible_notifications,
      'enable_stream_audible_notifications',
      false,
    ),
    push_notifications: general(
      fields.push_notifications,
      'enable_stream_push_notifications',
      false,
    ),
    email_notifications: general(
      fields.email_notifications,
      'enable_stream_email_notifications',
      false,
    ),
    wildcard_mentions_notify: general(
      fields.wildcard_mentions_notify,
      'wildcard_mentions_notify',
      true,
    ),
  };
}

export const SubscriptionsAdded = Type.Object(
  {
    type: Type.Literal('subscription'),
    op: Type.Literal('add'),
    subscriptions: Type.Array(SubscriptionRow),
  },
  { additionalProperties: false },
);

/**
 * In the log, one event stands for all people who were subscribed at once. It has the channel once, because that part
 * is long and the same for all, and the settings of each person.
 */
export const SubscribersAdded = Type.Object(
  {
    type: Type.Literal('subscription'),
    op: Type.Literal('add_many'),
    channel: Type.Object({
      ...CHANNEL_FIELDS,
      subscribers: Type.Optional(ids()),
      partial_subscribers: Type.Optional(ids()),
    }),
    own: Type.Record(Type.String(), OwnFields),
  },
  { additionalProperties: false },
);
export type SubscribersAdded = Static<typeof SubscribersAdded>;

/** With more subscribers than this, events leave the list out, because every new subscriber would get it. */
export const LISTED_MAX = 10_000;

/** If the list would be too long, it names only the new subscribers. */
export const subscribersAdded = (
  row: ChannelRow,
  subscriberIds: readonly number[] | undefined,
  own: ReadonlyMap<number, OwnFields>,
): SubscribersAdded => ({
  type: 'subscription',
  op: 'add_many',
  channel: {
    ...row,
    ...(subscriberIds === undefined
      ? { partial_subscribers: [...own.keys()].slice(0, LISTED_MAX) }
      : { subscribers: [...subscriberIds] }),
  },
  own: Object.fromEntries(own),
});

export const SubscriptionsRemoved = Type.Object(
  {
    type: Type.Literal('subscription'),
    op: Type.Literal('remove'),
    subscriptions: Type.Array(Type.Object({ name: Type.String(), stream_id: Type.Integer() })),
  },
  { additionalProperties: false },
);
export const subscriptionRemoved = (channel: { readonly id: number; readonly name: string }) =>
  ({
    type: 'subscription',
    op: 'remove',
    subscriptions: [{ name: channel.name, stream_id: channel.id }],
  }) as const;

export const SubscriptionUpdated = Type.Object(
  {
    type: Type.Literal('subscription'),
    op: Type.Literal('update'),
    stream_id: Type.Integer(),
    property: Type.String(),
    value: Type.Union([Type.Boolean(), Type.String()]),
  },
  { additionalProperties: false },
);
export const subscriptionUpdated = (channelId: number, property: string, value: boolean | string) =>
  ({ type: 'subscription', op: 'update', stream_id: channelId, property, value }) as const;

const peers = <const Op extends string>(op: Op) =>
  Type.Object(
    {
      type: Type.Literal('subscription'),
      op: Type.Literal(op),
      stream_ids: ids(),
      user_ids: ids(),
    },
    { additionalProperties: false },
  );
export const PeersAdded = peers('peer_add');
export const PeersRemoved = peers('peer_remove');

export const peersChanged = (
  op: 'peer_add' | 'peer_remove',
  channelId: number,
  userIds: readonly number[],
) => ({ type: 'subscription', op, stream_ids: [channelId], user_ids: [...userIds] }) as const;

export const SUBSCRIPTION_EVENTS = [
  SubscriptionsAdded,
  SubscriptionsRemoved,
  SubscriptionUpdated,
  PeersAdded,
  PeersRemoved,
];

export type SubscriptionEvent =
  | Static<typeof SubscriptionsAdded>
  | Static<typeof SubscriptionsRemoved>
  | Static<typeof SubscriptionUpdated>
  | Static<typeof PeersAdded>
  | Static<typeof PeersRemoved>;
