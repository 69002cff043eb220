// Events that tell nodes about rights, in the order of the log. No client gets them: their audience is nobody.
import { Type, type Static } from 'typebox';
import { GroupSettingValue } from '../../rights/permissions/value.ts';

/** The facts of a channel that decide who may see it and who may read it. */
export const ChannelRights = Type.Object(
  {
    invite_only: Type.Boolean(),
    is_web_public: Type.Boolean(),
    history_public_to_subscribers: Type.Boolean(),
    is_archived: Type.Boolean(),
    can_administer_channel_group: GroupSettingValue,
    can_add_subscribers_group: GroupSettingValue,
    can_subscribe_group: GroupSettingValue,
  },
  { additionalProperties: false },
);
export type ChannelRights = Static<typeof ChannelRights>;

export const ChannelRightsSet = Type.Object(
  {
    type: Type.Literal('channel_rights'),
    op: Type.Literal('set'),
    channel_id: Type.Integer(),
    rights: ChannelRights,
  },
  { additionalProperties: false },
);

const movement = <const Op extends string>(op: Op) =>
  Type.Object(
    {
      type: Type.Literal('channel_rights'),
      op: Type.Literal(op),
      channel_id: Type.Integer(),
      seq: Type.Integer({ description: 'The last number given in the channel at that moment.' }),
      user_ids: Type.Array(Type.Integer()),
    },
    { additionalProperties: false },
  );

export const ChannelJoined = movement('join');
export const ChannelLeft = movement('leave');

export const RIGHTS_EVENTS = [ChannelRightsSet, ChannelJoined, ChannelLeft];

export type RightsEvent =
  Static<typeof ChannelRightsSet> | Static<typeof ChannelJoined> | Static<typeof ChannelLeft>;

export const channelRightsSet = (channelId: number, rights: ChannelRights) =>
  ({ type: 'channel_rights', op: 'set', channel_id: channelId, rights }) as const;

export const channelMovement = (
  op: 'join' | 'leave',
  channelId: number,
  seq: number,
  userIds: readonly number[],
) => ({ type: 'channel_rights', op, channel_id: channelId, seq, user_ids: userIds }) as const;
