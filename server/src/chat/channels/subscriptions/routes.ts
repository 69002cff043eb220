// Routes to create channels, to subscribe and unsubscribe, and for the settings of subscriptions.
import { Type, type Static } from 'typebox';
import { accessPerson } from '../../rights/sight/access.ts';
import { accessChannelMetadata } from '../../conversations/channel/access.ts';
import { CHANNEL_PARAMS } from '../../conversations/channel/params.ts';
import { readChannels } from './state.ts';
import { badRequest } from '../../http/errors.ts';
import { chatRoute } from '../../http/route.ts';
import { LIMITS } from '../../limits.ts';
import {
  changeSubscriptions,
  createChannel,
  setProperties,
  subscribe,
  unsubscribe,
} from './actions.ts';
import type { Wish } from './requests.ts';
import { isSubscribed } from '../../conversations/subscribers/access.ts';
import { normalizeColor } from './colors.ts';
import { SubscriptionRow } from './events.ts';
import { listVisibleSubscriptions } from './shared-channels.ts';

const CHANNELS_MAX = 1000;
/** Enough to name everybody in a large organization. */
const PEOPLE_MAX = 100_000;
/** Each address needs a query of its own; ids need one for all. */
const ADDRESSES_MAX = 1000;

const names = () => Type.Array(Type.String({ maxLength: 1000 }), { maxItems: CHANNELS_MAX });
const namesByUser = Type.Record(Type.String(), Type.Array(Type.String()));

const description = Type.String({ maxLength: LIMITS.max_stream_description_length });

const WishParam = Type.Object({
  name: Type.String(),
  color: Type.Optional(Type.String()),
  description: Type.Optional(description),
});
const wishes = () => Type.Array(WishParam, { maxItems: CHANNELS_MAX });

const Principals = Type.Optional(
  Type.Union([
    Type.Array(Type.Integer(), { maxItems: PEOPLE_MAX }),
    Type.Array(Type.String(), { maxItems: ADDRESSES_MAX }),
  ]),
);

/** The colour in the form that clients can read. */
function toWishes(parameter: string, given: readonly Static<typeof WishParam>[]): Wish[] {
  return given.map((wish, index) => {
    if (wish.color === undefined) return wish;
    const color = normalizeColor(wish.color);
    if (color === undefined) {
      throw badRequest(
        `Invalid ${parameter}[${index}]: Value error, add.color is not a valid hex color code`,
      );
    }
    return { ...wish, color };
  });
}

export const postCreateChannel = chatRoute({
  name: 'create-channel',
  method: 'POST',
  path: '/channels/create',
  allow: 'member',
  audit: ['channel create', 'subscription add'],
  summary: 'Makes a channel and subscribes people to it.',
  params: Type.Object({
    name: Type.String({ 'x-strip': true, minLength: 1 }),
    subscribers: Type.Array(Type.Integer(), { maxItems: PEOPLE_MAX }),
    description: Type.Optional(description),
    announce: Type.Optional(Type.Boolean({ default: false })),
    ...CHANNEL_PARAMS,
    send_new_subscription_messages: Type.Optional(Type.Boolean({ default: true })),
  }),
  returns: Type.Object({ id: Type.Integer({ description: 'The id of the new channel.' }) }),
  handle: async (ctx, actor, { name, subscribers, ...request }) => ({
    id: await createChannel(ctx, actor, name, subscribers, request),
  }),
});

export const getSubscriptions = chatRoute({
  name: 'get-subscriptions',
  method: 'GET',
  path: '/users/me/subscriptions',
  allow: 'guest',
  grows: 'organization',
  summary: 'The channels that you are subscribed to.',
  params: Type.Object({
    include_subscribers: Type.Optional(
      Type.Union([Type.Literal('true'), Type.Literal('false'), Type.Literal('partial')]),
    ),
  }),
  returns: Type.Object({ subscriptions: Type.Array(SubscriptionRow) }),
  handle: async (ctx, actor, { include_subscribers = 'false' }) => {
    const { subscriptions } = await readChannels(ctx.db, actor, {
      includeSubscribers: include_subscribers,
      includeArchived: false,
      allowsNullNotifications: true,
    });
    return { subscriptions };
  },
});

export const postSubscriptions = chatRoute({
  name: 'subscribe',
  method: 'POST',
  path: '/users/me/subscriptions',
  allow: 'member',
  audit: ['subscription add', 'channel create'],
  grows: 'organization',
  summary: 'Subscribes yourself or others to channels, making those that do not exist.',
  params: Type.Object({
    subscriptions: wishes(),
    principals: Principals,
    authorization_errors_fatal: Type.Optional(Type.Boolean({ default: true })),
    announce: Type.Optional(Type.Boolean({ default: false })),
    send_new_subscription_messages: Type.Optional(Type.Boolean({ default: true })),
    ...CHANNEL_PARAMS,
  }),
  returns: Type.Object({
    subscribed: namesByUser,
    already_subscribed: namesByUser,
    unauthorized: Type.Optional(Type.Array(Type.String())),
    new_subscription_messages_sent: Type.Optional(Type.Boolean()),
  }),
  handle: async (ctx, actor, params) => {
    const { subscriptions, principals, authorization_errors_fatal = true, ...request } = params;
    const { announce = false, send_new_subscription_messages = true } = request;
    const { unauthorized, areTold, ...lists } = await subscribe(
      ctx,
      actor,
      toWishes('subscriptions', subscriptions),
      principals,
      authorization_errors_fatal,
      request,
      { announce, tellPeople: send_new_subscription_messages },
    );
    return {
      ...lists,
      ...(!authorization_errors_fatal && { unauthorized }),
      ...(send_new_subscription_messages && { new_subscription_messages_sent: areTold }),
    };
  },
});

export const deleteSubscriptions = chatRoute({
  name: 'unsubscribe',
  method: 'DELETE',
  path: '/users/me/subscriptions',
  allow: 'guest',
  audit: ['subscription remove'],
  grows: 'organization',
  summary: 'Ends your own or others’ subscriptions to channels.',
  params: Type.Object({ subscriptions: names(), principals: Principals }),
  returns: Type.Object({
    removed: Type.Array(Type.String()),
    not_removed: Type.Array(Type.String()),
  }),
  handle: async (ctx, actor, { subscriptions, principals }) => ({
    ...(await unsubscribe(ctx, actor, subscriptions, principals)),
  }),
});

export const patchSubscriptions = chatRoute({
  name: 'update-subscriptions',
  method: 'PATCH',
  path: '/users/me/subscriptions',
  allow: 'guest',
  audit: ['channel create'],
  grows: 'organization',
  summary: 'Ends some of your subscriptions and begins others.',
  params: Type.Object({ delete: Type.Optional(names()), add: Type.Optional(wishes()) }),
  returns: Type.Object({
    subscribed: namesByUser,
    already_subscribed: namesByUser,
    removed: Type.Array(Type.String()),
    not_removed: Type.Array(Type.String()),
  }),
  handle: async (ctx, actor, { delete: remove = [], add = [] }) => {
    const result = await changeSubscriptions(ctx, actor, remove, toWishes('add', add));
    const { unauthorized: _unauthorized, areTold: _areTold, ...lists } = result;
    return lists;
  },
});

const PropertyValue = Type.Union([Type.Boolean(), Type.String()]);

export const postSubscriptionProperties = chatRoute({
  name: 'update-subscription-settings',
  method: 'POST',
  path: '/users/me/subscriptions/properties',
  allow: 'guest',
  audit: { none: 'own settings' },
  summary: 'Sets colour, muting, pin and notifications of your subscriptions.',
  params: Type.Object({
    subscription_data: Type.Array(
      Type.Object({
        stream_id: Type.Integer(),
        property: Type.String(),
        value: PropertyValue,
      }),
      { maxItems: CHANNELS_MAX },
    ),
  }),
  returns: Type.Object({}),
  handle: async (ctx, actor, { subscription_data }) => {
    await setProperties(ctx, actor, subscription_data);
    return {};
  },
});

export const patchSubscription = chatRoute({
  name: 'update-subscription-property',
  method: 'PATCH',
  path: '/users/me/subscriptions/{stream_id:int}',
  allow: 'guest',
  audit: { none: 'own settings' },
  summary: 'Sets one property of one subscription.',
  params: Type.Object({
    property: Type.String(),
    value: Type.Union([Type.Boolean(), Type.String()], { 'x-quoted': true }),
  }),
  returns: Type.Object({}),
  handle: async (ctx, actor, { stream_id, property, value }) => {
    await setProperties(ctx, actor, [{ stream_id, property, value }]);
    return {};
  },
});

export const getSubscriptionStatus = chatRoute({
  name: 'get-subscription-status',
  method: 'GET',
  path: '/users/{user_id:int}/subscriptions/{stream_id:int}',
  allow: 'guest',
  summary: 'Whether somebody is subscribed to a channel.',
  params: Type.Object({}),
  returns: Type.Object({ is_subscribed: Type.Boolean() }),
  handle: async (ctx, actor, { user_id, stream_id }) => {
    const user = await accessPerson(ctx, ctx.db, actor, user_id);
    const channel = await accessChannelMetadata(ctx.db, actor, stream_id);
    return { is_subscribed: await isSubscribed(ctx.db, user.id, channel.id) };
  },
});

export const getUserChannels = chatRoute({
  name: 'get-user-channels',
  method: 'GET',
  path: '/users/{user_id:int}/channels',
  allow: 'guest',
  grows: 'organization',
  summary: 'The channels that somebody is subscribed to, as far as you may know of them.',
  params: Type.Object({}),
  returns: Type.Object({ subscribed_channel_ids: Type.Array(Type.Integer()) }),
  handle: async (ctx, actor, { user_id }) => ({
    subscribed_channel_ids: await listVisibleSubscriptions(ctx, actor, user_id),
  }),
});
