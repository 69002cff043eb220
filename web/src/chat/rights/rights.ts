// What the person may do, as far as the state tells. It decides what is offered; the server decides what happens.
import type { ChannelPermission, GroupSetting } from '../../state/entities.ts';
import { ownPerson } from '../../state/select.ts';
import type { State } from '../../state/state.ts';

/** Whether somebody is in a group, or in a group inside it. Groups may not contain themselves; if one does, it ends here. */
export function isInGroup(
  state: Pick<State, 'groups'>,
  groupId: number,
  userId: number,
  seen: Set<number> = new Set(),
): boolean {
  if (seen.has(groupId)) return false;
  seen.add(groupId);
  const group = state.groups.get(groupId);
  if (group === undefined || group.isDeactivated) return false;
  return (
    group.memberIds.includes(userId) ||
    group.subgroupIds.some((id) => isInGroup(state, id, userId, seen))
  );
}

export function allows(
  state: Pick<State, 'groups'>,
  setting: GroupSetting | undefined,
  userId: number,
): boolean {
  if (setting === undefined) return false;
  if (typeof setting === 'number') return isInGroup(state, setting, userId);
  return (
    setting.direct_members.includes(userId) ||
    setting.direct_subgroups.some((id) => isInGroup(state, id, userId))
  );
}

/** A permission of the whole organization, such as `can_invite_users_group`. */
export function mayInOrganization(state: State, name: string): boolean {
  const setting = state.organization.settings[name];
  return isSetting(setting) && allows(state, setting, state.own.userId);
}

export function mayInChannel(state: State, channelId: number, name: ChannelPermission): boolean {
  const channel = state.channels.get(channelId);
  return channel !== undefined && allows(state, channel.permissions[name], state.own.userId);
}

const isSetting = (value: unknown): value is GroupSetting =>
  typeof value === 'number' ||
  (typeof value === 'object' && value !== null && 'direct_members' in value);

export const OWNER = 100;
export const ADMINISTRATOR = 200;

/** Smaller numbers may do more. */
export const isAtLeast = (state: State, role: number): boolean =>
  (ownPerson(state)?.role ?? Number.POSITIVE_INFINITY) <= role;

export interface TopicRights {
  readonly mayResolve: boolean;
  readonly mayRename: boolean;
  readonly mayMoveOut: boolean;
  readonly mayDelete: boolean;
}

export function topicRights(state: State, channelId: number): TopicRights {
  const channel = state.channels.get(channelId);
  if (channel === undefined || channel.isArchived) return NO_RIGHTS;
  const may = (everywhere: string, here: ChannelPermission) =>
    mayInOrganization(state, everywhere) || mayInChannel(state, channelId, here);
  return {
    mayResolve: may('can_resolve_topics_group', 'can_resolve_topics_group'),
    mayRename: may(
      'can_move_messages_between_topics_group',
      'can_move_messages_within_channel_group',
    ),
    mayMoveOut: may(
      'can_move_messages_between_channels_group',
      'can_move_messages_out_of_channel_group',
    ),
    mayDelete: may('can_delete_any_message_group', 'can_delete_any_message_group'),
  };
}

const NO_RIGHTS: TopicRights = {
  mayResolve: false,
  mayRename: false,
  mayMoveOut: false,
  mayDelete: false,
};

/** Whether the person may change what a channel is. */
export const mayAdminister = (state: State, channelId: number): boolean =>
  isAtLeast(state, ADMINISTRATOR) || mayInChannel(state, channelId, 'can_administer_channel_group');
