// Decides what one person may do. Pure functions: a feature reads `Rights` in its transaction (access.ts) and asks here.
import { hasAtLeast, ROLE, type RoleCode } from '../../../accounts/roles.ts';
import { definitionOf, type PermissionScope, type SettingName } from './definitions.ts';
import { isNobody, partsOf, type GroupSettingValue } from './value.ts';

/** The values of every setting of one object. */
export type Permissions<K extends PermissionScope> = Readonly<
  Record<SettingName<K>, GroupSettingValue>
>;

/** Who somebody is, as far as permissions are concerned. */
export interface Principal {
  readonly id: number;
  readonly role: RoleCode;
  /** Every group that the person is in, including through subgroups. */
  readonly groupIds: ReadonlySet<number>;
}

/** Who somebody is, and the permissions of the organization. */
export interface Rights extends Principal {
  readonly organization: Permissions<'realm'>;
}

/** Whether the value names the person or one of their groups. */
export function isInGroupSetting(who: Principal, value: GroupSettingValue): boolean {
  const { members, subgroups } = partsOf(value);
  return members.includes(who.id) || subgroups.some((id) => who.groupIds.has(id));
}

/** Whether the person has the permission. Guests never do where everyone may not be chosen. */
export function has<K extends PermissionScope>(
  who: Principal,
  kind: K,
  setting: SettingName<K>,
  value: GroupSettingValue,
): boolean {
  if (who.role === ROLE.guest && !definitionOf(kind, setting).allowsEveryone) return false;
  return isInGroupSetting(who, value);
}

/** A permission of the organization. */
export const may = (who: Rights, setting: SettingName<'realm'>): boolean =>
  has(who, 'realm', setting, who.organization[setting]);

export const isAdministrator = (who: Principal): boolean => hasAtLeast(who.role, 'administrator');

export const isGuest = (who: Principal): boolean => who.role === ROLE.guest;

// Channels.

/** What the decisions need to know about a channel and the person's subscription. */
export interface ChannelFacts {
  readonly inviteOnly: boolean;
  readonly isWebPublic: boolean;
  readonly historyPublicToSubscribers: boolean;
  readonly isArchived: boolean;
  readonly isSubscribed: boolean;
  readonly permissions: Permissions<'channel'>;
}

/** A permission of the channel alone, without those of the role or the organization. */
export const hasInChannel = (
  who: Principal,
  channel: Pick<ChannelFacts, 'permissions'>,
  setting: SettingName<'channel'>,
): boolean => has(who, 'channel', setting, channel.permissions[setting]);

/** Whether the person may read its messages. Administrators need the same rights to a private one as others. */
export function canReadChannel(who: Principal, channel: ChannelFacts): boolean {
  if (channel.isWebPublic || channel.isSubscribed) return true;
  if (isGuest(who)) return false;
  return (
    !channel.inviteOnly ||
    hasInChannel(who, channel, 'can_add_subscribers_group') ||
    hasInChannel(who, channel, 'can_subscribe_group')
  );
}

/** Whether the person may know its name and that it exists. */
export function canSeeChannel(who: Principal, channel: ChannelFacts): boolean {
  if (canReadChannel(who, channel)) return true;
  if (isGuest(who)) return false;
  return canAdministerChannel(who, channel);
}

export const canAdministerChannel = (
  who: Principal,
  channel: Pick<ChannelFacts, 'permissions'>,
): boolean => isAdministrator(who) || hasInChannel(who, channel, 'can_administer_channel_group');

/** Whether the person may subscribe: people who may read the channel may, but guests only if they were let in. */
export const canSubscribe = (who: Principal, channel: ChannelFacts): boolean =>
  channel.isSubscribed ||
  (!isGuest(who) && !channel.isArchived && (!channel.inviteOnly || canReadChannel(who, channel)));

/** Adding other people. A person who may not read a private channel may add nobody to it. */
export function canAddSubscribers(who: Rights, channel: ChannelFacts): boolean {
  if (isGuest(who)) return false;
  if (hasInChannel(who, channel, 'can_add_subscribers_group')) return true;
  if (!canReadChannel(who, channel)) return false;
  return canAdministerChannel(who, channel) || may(who, 'can_add_subscribers_group');
}

export const canRemoveSubscribers = (
  who: Principal,
  channel: Pick<ChannelFacts, 'permissions'>,
): boolean =>
  canAdministerChannel(who, channel) || hasInChannel(who, channel, 'can_remove_subscribers_group');

/** Whether the person may post, given that they may read the channel. */
export const canPost = (who: Principal, channel: Pick<ChannelFacts, 'permissions'>): boolean =>
  hasInChannel(who, channel, 'can_send_message_group');

export const canCreateTopic = (
  who: Principal,
  channel: Pick<ChannelFacts, 'permissions'>,
): boolean => hasInChannel(who, channel, 'can_create_topic_group');

export const canResolveTopics = (
  who: Rights,
  channel: Pick<ChannelFacts, 'permissions'>,
): boolean =>
  may(who, 'can_resolve_topics_group') ||
  hasInChannel(who, channel, 'can_resolve_topics_group') ||
  canAdministerChannel(who, channel);

export const canMoveWithinChannel = (
  who: Rights,
  channel: Pick<ChannelFacts, 'permissions'>,
): boolean =>
  may(who, 'can_move_messages_between_topics_group') ||
  hasInChannel(who, channel, 'can_move_messages_within_channel_group') ||
  canAdministerChannel(who, channel);

export const canMoveOutOfChannel = (
  who: Rights,
  channel: Pick<ChannelFacts, 'permissions'>,
): boolean =>
  may(who, 'can_move_messages_between_channels_group') ||
  hasInChannel(who, channel, 'can_move_messages_out_of_channel_group') ||
  canAdministerChannel(who, channel);

export const canDeleteAnyMessage = (
  who: Rights,
  channel: Pick<ChannelFacts, 'permissions'> | undefined,
): boolean =>
  may(who, 'can_delete_any_message_group') ||
  (channel !== undefined && hasInChannel(who, channel, 'can_delete_any_message_group'));

/** Whether they may delete their own messages, within the time limit of the organization. */
export const canDeleteOwnMessage = (
  who: Rights,
  channel: Pick<ChannelFacts, 'permissions'> | undefined,
): boolean =>
  may(who, 'can_delete_own_message_group') ||
  (channel !== undefined && hasInChannel(who, channel, 'can_delete_own_message_group'));

// Messages.

/** How a person got a message of a channel. */
export interface Arrival {
  /** It arrived while the person was subscribed, which matters with protected history. */
  readonly wasReceived: boolean;
  /** A bot was called in it, and it has not moved since. */
  readonly wasCalled?: boolean;
}

/** Reading one message of a channel. */
export const canReadMessage = (
  who: Principal,
  channel: ChannelFacts,
  { wasReceived, wasCalled = false }: Arrival,
): boolean =>
  wasCalled ||
  (canReadChannel(who, channel) &&
    (channel.historyPublicToSubscribers || channel.isWebPublic || wasReceived));

/**
 * Whether a bot that a new message of the channel mentions gets the message: if it, or its owner, might read the message
 * there. For a bot without an owner, only its own rights count.
 */
export function canBeCalled(
  bot: { readonly who: Principal; readonly channel: ChannelFacts },
  owner: { readonly who: Principal; readonly channel: ChannelFacts } | undefined,
): boolean {
  const isShown = ({ who, channel }: typeof bot) =>
    canReadMessage(who, channel, { wasReceived: channel.isSubscribed });
  return isShown(bot) || (owner !== undefined && isShown(owner));
}

/** Whether they may react to it, flag it or change it. Nothing in an archived channel changes. */
export const canTouchMessage = (who: Principal, channel: ChannelFacts, message: Arrival): boolean =>
  !channel.isArchived && canReadMessage(who, channel, message);

export const canReadDirectMessage = (
  who: Pick<Principal, 'id'>,
  participantIds: readonly number[],
): boolean => participantIds.includes(who.id);

export type DirectMessageProblem = 'disabled' | 'nobody may authorize it' | 'may not initiate';

/**
 * Writing to people directly: one of the participants must have the permission, and a new conversation needs the
 * sender's right to start one. Notes to oneself, and conversations with only a bot, need neither.
 */
export function findDirectMessageProblem(
  sender: Rights,
  participants: readonly (Principal & { readonly isBot: boolean })[],
  isNewConversation: boolean,
): DirectMessageProblem | undefined {
  const others = participants.filter(({ id }) => id !== sender.id);
  if (others.every(({ isBot }) => isBot)) return undefined;
  const { direct_message_permission_group: permission } = sender.organization;
  if (isNobody(permission)) return 'disabled';
  const everybody = [sender, ...others.filter(({ isBot }) => !isBot)];
  if (!everybody.some((one) => has(one, 'realm', 'direct_message_permission_group', permission))) {
    return 'nobody may authorize it';
  }
  if (isNewConversation && !may(sender, 'direct_message_initiator_group')) {
    return 'may not initiate';
  }
  return undefined;
}

/** Mentioning everybody in a channel by one word; in a small one everybody may. */
export const CROWD = 15;
export const canMentionMany = (who: Rights, crowd: number): boolean =>
  crowd <= CROWD || may(who, 'can_mention_many_users_group');

// Groups.

export interface GroupFacts {
  readonly isSystem: boolean;
  readonly permissions: Permissions<'group'>;
}

const hasInGroup = (who: Principal, group: GroupFacts, setting: SettingName<'group'>): boolean =>
  has(who, 'group', setting, group.permissions[setting]);

/** Nobody changes the system groups: their members follow from the roles. */
export const canManageGroup = (who: Rights, group: GroupFacts): boolean =>
  !group.isSystem &&
  !isGuest(who) &&
  (may(who, 'can_manage_all_groups') || hasInGroup(who, group, 'can_manage_group'));

export const canAddMembers = (who: Rights, group: GroupFacts): boolean =>
  !group.isSystem &&
  (canManageGroup(who, group) || hasInGroup(who, group, 'can_add_members_group'));

export const canRemoveMembers = (who: Rights, group: GroupFacts): boolean =>
  !group.isSystem &&
  (canManageGroup(who, group) || hasInGroup(who, group, 'can_remove_members_group'));

export const canJoinGroup = (who: Rights, group: GroupFacts): boolean =>
  !group.isSystem && (canAddMembers(who, group) || hasInGroup(who, group, 'can_join_group'));

export const canLeaveGroup = (who: Rights, group: GroupFacts): boolean =>
  !group.isSystem && (canRemoveMembers(who, group) || hasInGroup(who, group, 'can_leave_group'));

/** Mentioning a group with notification. This also holds for role groups: by default nobody may. */
export const canMentionGroup = (who: Principal, group: GroupFacts): boolean =>
  hasInGroup(who, group, 'can_mention_group');
