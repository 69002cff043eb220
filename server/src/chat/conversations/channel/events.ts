// The events about channels, and their shapes.
import { Type, type Static } from 'typebox';
import { roleGroupId } from '../../../accounts/users/role-groups.ts';
import { unixSeconds } from '../../../platform/std/time.ts';
import { permissionFields } from '../../rights/permissions/params.ts';
import type { Permissions } from '../../rights/permissions/rights.ts';
import { GroupSettingValue } from '../../rights/permissions/value.ts';
import type { Channel } from './channel.ts';
import { renderDescription } from './description.ts';

const nullableInteger = (description?: string) =>
  Type.Union([Type.Integer(), Type.Null()], description === undefined ? {} : { description });

export const CHANNEL_FIELDS = {
  stream_id: Type.Integer(),
  name: Type.String(),
  description: Type.String(),
  rendered_description: Type.String({ description: 'HTML' }),
  date_created: Type.Integer({ description: 'Unix seconds' }),
  creator_id: nullableInteger(),
  invite_only: Type.Boolean(),
  is_web_public: Type.Boolean(),
  history_public_to_subscribers: Type.Boolean(),
  first_message_id: nullableInteger(),
  message_retention_days: nullableInteger(
    'Null: as the organization has it; -1: messages are kept for ever.',
  ),
  is_archived: Type.Boolean(),
  is_recently_active: Type.Boolean(),
  folder_id: nullableInteger(),
  topics_policy: Type.String(),
  default_push_notifications: Type.Boolean(),
  subscriber_count: Type.Integer(),
  stream_weekly_traffic: nullableInteger('Messages a week; null while the channel is new.'),
  stream_post_policy: Type.Integer({ description: 'Older form of can_send_message_group.' }),
  is_announcement_only: Type.Boolean({ description: 'Older form of can_send_message_group.' }),
  ...permissionFields('channel'),
};

export const ChannelRow = Type.Object(CHANNEL_FIELDS, { additionalProperties: false });
export type ChannelRow = Static<typeof ChannelRow>;

export function channelRow(
  channel: Channel,
  permissions: Permissions<'channel'>,
  subscriberCount: number,
): ChannelRow {
  return {
    stream_id: channel.id,
    name: channel.name,
    description: channel.description,
    rendered_description: renderDescription(channel.description),
    date_created: unixSeconds(channel.createdAt),
    creator_id: channel.creatorId,
    invite_only: channel.inviteOnly,
    is_web_public: channel.isWebPublic,
    history_public_to_subscribers: channel.historyPublicToSubscribers,
    first_message_id: channel.firstMessageId,
    message_retention_days: channel.messageRetentionDays,
    is_archived: channel.isArchived,
    is_recently_active: channel.isRecentlyActive,
    folder_id: channel.folderId,
    topics_policy: channel.topicsPolicy,
    default_push_notifications: channel.defaultPushNotifications,
    subscriber_count: subscriberCount,
    stream_weekly_traffic: null,
    ...postPolicy(permissions.can_send_message_group),
    ...permissions,
  } as ChannelRow;
}

/** The posting policy for older clients, which do not know the group that may post. */
export function postPolicy(maySend: GroupSettingValue) {
  const policy = POST_POLICIES.get(maySend) ?? 1;
  return { stream_post_policy: policy, is_announcement_only: policy === 2 };
}

const POST_POLICIES: ReadonlyMap<unknown, number> = new Map([
  [roleGroupId('role:everyone'), 1],
  [roleGroupId('role:administrators'), 2],
  [roleGroupId('role:fullmembers'), 3],
  [roleGroupId('role:moderators'), 4],
]);

export const ChannelCreated = Type.Object(
  {
    type: Type.Literal('stream'),
    op: Type.Literal('create'),
    streams: Type.Array(ChannelRow),
  },
  { additionalProperties: false },
);
export const channelCreated = (row: ChannelRow) =>
  ({ type: 'stream', op: 'create', streams: [row] }) as const;

export const ChannelUpdated = Type.Object(
  {
    type: Type.Literal('stream'),
    op: Type.Literal('update'),
    stream_id: Type.Integer(),
    name: Type.String({ description: 'As it was before the change.' }),
    property: Type.String(),
    value: Type.Union([
      GroupSettingValue,
      Type.String(),
      Type.Boolean(),
      Type.Integer(),
      Type.Null(),
    ]),
    rendered_description: Type.Optional(Type.String()),
    history_public_to_subscribers: Type.Optional(Type.Boolean()),
    is_web_public: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
export type ChannelUpdated = Static<typeof ChannelUpdated>;

export const channelUpdated = (
  channel: Pick<Channel, 'id' | 'name'>,
  property: string,
  value: ChannelUpdated['value'],
  more: Pick<
    ChannelUpdated,
    'rendered_description' | 'history_public_to_subscribers' | 'is_web_public'
  > = {},
): ChannelUpdated => ({
  type: 'stream',
  op: 'update',
  stream_id: channel.id,
  name: channel.name,
  property,
  value,
  ...more,
});

export const ChannelDeleted = Type.Object(
  {
    type: Type.Literal('stream'),
    op: Type.Literal('delete'),
    stream_ids: Type.Array(Type.Integer()),
    streams: Type.Array(Type.Object({ stream_id: Type.Integer() })),
  },
  { additionalProperties: false },
);
/** The events that clients can get from this feature. */
export const CHANNEL_EVENTS = [ChannelCreated, ChannelUpdated, ChannelDeleted];

export const channelsDeleted = (ids: readonly number[]) =>
  ({
    type: 'stream',
    op: 'delete',
    stream_ids: [...ids],
    streams: ids.map((id) => ({ stream_id: id })),
  }) as const;
