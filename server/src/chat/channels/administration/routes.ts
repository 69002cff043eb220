// Routes to list, change and archive channels.
import { Type } from 'typebox';
import { chatRoute } from '../../http/route.ts';
import { badRequest } from '../../http/errors.ts';
import { LIMITS } from '../../limits.ts';
import { permissionChangeParams } from '../../rights/permissions/params.ts';
import { listSubscriberIds } from '../../conversations/subscribers/access.ts';
import {
  accessChannelMetadata,
  findVisibleChannelByName,
} from '../../conversations/channel/access.ts';
import { CHANNEL_FIELDS, ChannelRow } from '../../conversations/channel/events.ts';
import { listChannelRows, readChannelEmail, readChannelRow } from './listing.ts';
import { RetentionParam, TopicsPolicyParam } from '../../conversations/channel/params.ts';
import { archiveChannel, editChannel } from './update.ts';

const flag = (byDefault: boolean, description?: string) =>
  Type.Optional(
    Type.Boolean({ default: byDefault, ...(description === undefined ? {} : { description }) }),
  );

export const getStreams = chatRoute({
  name: 'get-channels',
  method: 'GET',
  path: '/streams',
  allow: 'guest',
  grows: 'organization',
  summary: 'Channels, by name.',
  params: Type.Object({
    include_public: flag(true),
    include_web_public: flag(false),
    include_subscribed: flag(true),
    exclude_archived: flag(true),
    include_all: flag(false, 'Everything that you may know of.'),
    include_all_active: flag(false, 'Older name of include_all.'),
    include_default: flag(false, 'Says of each whether new members are subscribed to it.'),
    include_owner_subscribed: flag(false, 'For bots: what the owner is subscribed to.'),
    include_can_access_content: flag(false, 'Everything that you may read.'),
  }),
  returns: Type.Object({
    streams: Type.Array(
      Type.Object({ ...CHANNEL_FIELDS, is_default: Type.Optional(Type.Boolean()) }),
    ),
  }),
  handle: async (ctx, actor, params) => ({
    streams: await listChannelRows(ctx.db, actor, {
      public: params.include_public ?? true,
      webPublic: params.include_web_public ?? false,
      subscribed: params.include_subscribed ?? true,
      archived: !(params.exclude_archived ?? true),
      all: (params.include_all ?? false) || (params.include_all_active ?? false),
      defaults: params.include_default ?? false,
      ownersSubscribed: params.include_owner_subscribed ?? false,
      readable: params.include_can_access_content ?? false,
    }),
  }),
});

export const getStream = chatRoute({
  name: 'get-channel',
  method: 'GET',
  path: '/streams/{stream_id:int}',
  allow: 'guest',
  summary: 'One channel.',
  params: Type.Object({}),
  returns: Type.Object({ stream: ChannelRow }),
  handle: async (ctx, actor, { stream_id }) => ({
    stream: await readChannelRow(ctx.db, actor, stream_id),
  }),
});

export const getStreamId = chatRoute({
  name: 'get-channel-id',
  method: 'GET',
  path: '/get_stream_id',
  allow: 'guest',
  summary: 'The id of the channel with a name.',
  params: Type.Object({ stream: Type.String() }),
  returns: Type.Object({ stream_id: Type.Integer() }),
  handle: async (ctx, actor, { stream }) => {
    const channel = await findVisibleChannelByName(ctx.db, actor, stream);
    if (channel === undefined) throw badRequest(`Invalid channel name '${stream}'`);
    return { stream_id: channel.id };
  },
});

export const getStreamMembers = chatRoute({
  name: 'get-subscribers',
  method: 'GET',
  path: '/streams/{stream_id:int}/members',
  allow: 'guest',
  grows: 'organization',
  summary: 'Who is subscribed to a channel.',
  params: Type.Object({}),
  returns: Type.Object({ subscribers: Type.Array(Type.Integer()) }),
  handle: async (ctx, actor, { stream_id }) => {
    const channel = await accessChannelMetadata(ctx.db, actor, stream_id);
    return { subscribers: await listSubscriberIds(ctx.db, channel.id) };
  },
});

export const getStreamEmail = chatRoute({
  name: 'get-channel-email',
  method: 'GET',
  path: '/streams/{stream_id:int}/email_address',
  allow: 'guest',
  summary: 'The address under which the channel takes mail; empty, as this server takes none.',
  params: Type.Object({}),
  returns: Type.Object({ email: Type.String() }),
  handle: async (ctx, actor, { stream_id }) => ({
    email: await readChannelEmail(ctx.db, actor, stream_id),
  }),
});

export const patchStream = chatRoute({
  name: 'update-channel',
  method: 'PATCH',
  path: '/streams/{stream_id:int}',
  allow: 'guest',
  audit: ['channel change'],
  summary: 'Changes a channel: its name, its privacy, who may do what in it.',
  params: Type.Object({
    description: Type.Optional(Type.String({ maxLength: LIMITS.max_stream_description_length })),
    new_name: Type.Optional(Type.String()),
    is_private: Type.Optional(Type.Boolean()),
    is_web_public: Type.Optional(Type.Boolean()),
    history_public_to_subscribers: Type.Optional(Type.Boolean()),
    is_default_stream: Type.Optional(Type.Boolean()),
    is_archived: Type.Optional(Type.Boolean({ description: 'Only false: ends the archiving.' })),
    message_retention_days: Type.Optional(RetentionParam),
    folder_id: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
    topics_policy: Type.Optional(TopicsPolicyParam),
    default_push_notifications: Type.Optional(Type.Boolean()),
    ...permissionChangeParams('channel'),
  }),
  returns: Type.Object({}),
  handle: async (ctx, actor, { stream_id, ...changes }) => {
    await editChannel(ctx, actor, stream_id, changes);
    return {};
  },
});

export const deleteStream = chatRoute({
  name: 'archive-channel',
  method: 'DELETE',
  path: '/streams/{stream_id:int}',
  allow: 'guest',
  audit: ['channel archive'],
  summary: 'Archives a channel: it can be read, but nothing in it changes any more.',
  params: Type.Object({}),
  returns: Type.Object({}),
  handle: async (ctx, actor, { stream_id }) => {
    await archiveChannel(ctx, actor, stream_id);
    return {};
  },
});
