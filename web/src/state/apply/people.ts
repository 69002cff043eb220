// People, bots, groups, and what people tell of themselves.
import type {
  MutedUsersEvent,
  PresenceEvent,
  RealmBotAddEvent,
  RealmBotDeleteEvent,
  RealmBotUpdateEvent,
  RealmUserAddEvent,
  RealmUserRemoveEvent,
  RealmUserUpdateEvent,
  UserGroupAddEvent,
  UserGroupAddMembersEvent,
  UserGroupAddSubgroupsEvent,
  UserGroupRemoveEvent,
  UserGroupRemoveMembersEvent,
  UserGroupRemoveSubgroupsEvent,
  UserGroupUpdateEvent,
  UserStatusEvent,
} from '@rialto/sdk';
import { groupFrom, isPermission, personFrom, statusFrom } from '../convert.ts';
import type { Group, GroupSetting, Person, ProfileValue, Role } from '../entities.ts';
import { changed, UNCHANGED, type Changed, type State } from '../state.ts';

export function applyUser(
  state: State,
  event: RealmUserAddEvent | RealmUserUpdateEvent | RealmUserRemoveEvent,
): Changed {
  const id = event.person.user_id;
  if (event.op === 'remove') {
    state.people.delete(id);
    state.statuses.delete(id);
    return changed('people', 'statuses');
  }
  if (event.op === 'add') {
    state.people.set(id, personFrom(event.person, event.person.is_active));
    return changed('people');
  }
  const known = state.people.get(id);
  if (known === undefined) return UNCHANGED;
  state.people.set(id, changePerson(known, event.person));
  if (!('avatar_url' in event.person) || id !== state.own.userId) return changed('people');
  state.own = { ...state.own, avatarUrlMedium: event.person.avatar_url_medium };
  return changed('people', 'own');
}

function changePerson(person: Person, change: RealmUserUpdateEvent['person']): Person {
  if ('role' in change) return { ...person, role: change.role as Role };
  if ('full_name' in change) return { ...person, fullName: change.full_name };
  if ('is_active' in change) return { ...person, isActive: change.is_active };
  if ('timezone' in change) return { ...person, timezone: change.timezone };
  if ('bot_owner_id' in change) return { ...person, botOwnerId: change.bot_owner_id };
  if ('delivery_email' in change) return { ...person, deliveryEmail: change.delivery_email };
  if ('new_email' in change) return { ...person, email: change.new_email };
  if ('avatar_url' in change) {
    return { ...person, avatarUrl: change.avatar_url, avatarVersion: change.avatar_version };
  }
  return { ...person, profile: changeProfile(person.profile, change.custom_profile_field) };
}

function changeProfile(
  profile: Person['profile'],
  field: { readonly id: number; readonly value: string | null; readonly rendered_value?: string },
): Person['profile'] {
  const { [String(field.id)]: _before, ...others } = profile;
  if (field.value === null) return others;
  const value: ProfileValue = {
    value: field.value,
    ...(field.rendered_value !== undefined && { renderedValue: field.rendered_value }),
  };
  return { ...others, [String(field.id)]: value };
}

export function applyBot(
  state: State,
  event: RealmBotAddEvent | RealmBotUpdateEvent | RealmBotDeleteEvent,
): Changed {
  if (event.op === 'add') state.bots.add(event.bot.user_id);
  if (event.op === 'delete') state.bots.delete(event.bot.user_id);
  return changed('bots');
}

type GroupChange =
  | UserGroupUpdateEvent
  | UserGroupAddMembersEvent
  | UserGroupRemoveMembersEvent
  | UserGroupAddSubgroupsEvent
  | UserGroupRemoveSubgroupsEvent;

export function applyGroup(
  state: State,
  event: UserGroupAddEvent | UserGroupRemoveEvent | GroupChange,
): Changed {
  if (event.op === 'add') state.groups.set(event.group.id, groupFrom(event.group));
  else if (event.op === 'remove') state.groups.delete(event.group_id);
  else {
    const known = state.groups.get(event.group_id);
    if (known === undefined) return UNCHANGED;
    state.groups.set(known.id, changeGroup(known, event));
  }
  return changed('groups');
}

const plus = (ids: readonly number[], more: readonly number[]): number[] =>
  [...new Set([...ids, ...more])].sort((a, b) => a - b);

const minus = (ids: readonly number[], gone: readonly number[]): number[] =>
  ids.filter((id) => !gone.includes(id));

function changeGroup(group: Group, event: GroupChange): Group {
  switch (event.op) {
    case 'add_members':
      return { ...group, memberIds: plus(group.memberIds, event.user_ids) };
    case 'remove_members':
      return { ...group, memberIds: minus(group.memberIds, event.user_ids) };
    case 'add_subgroups':
      return { ...group, subgroupIds: plus(group.subgroupIds, event.direct_subgroup_ids) };
    case 'remove_subgroups':
      return { ...group, subgroupIds: minus(group.subgroupIds, event.direct_subgroup_ids) };
    default: {
      const { name, description, deactivated, ...rest } = event.data;
      const permissions = Object.entries(rest).filter(([one]) => isPermission(one));
      return {
        ...group,
        ...(name !== undefined && { name }),
        ...(description !== undefined && { description }),
        ...(deactivated !== undefined && { isDeactivated: deactivated }),
        permissions: {
          ...group.permissions,
          ...(Object.fromEntries(permissions) as Record<string, GroupSetting>),
        },
      };
    }
  }
}

export function applyStatus(state: State, event: UserStatusEvent): Changed {
  const { id: _id, type: _type, user_id: userId, ...fields } = event;
  const { text, emojiName, emojiCode, reactionType, isAway } = state.statuses.get(userId) ?? {};
  const before = {
    ...(text !== undefined && { status_text: text }),
    ...(emojiName !== undefined && { emoji_name: emojiName }),
    ...(emojiCode !== undefined && { emoji_code: emojiCode }),
    ...(reactionType !== undefined && { reaction_type: reactionType }),
    ...(isAway !== undefined && { away: isAway }),
  };
  // A part that is not in the event stays; a part that is empty goes.
  const status = statusFrom({ ...before, ...fields });
  if (Object.keys(status).length === 0) state.statuses.delete(userId);
  else state.statuses.set(userId, status);
  return changed('statuses');
}

export function applyPresence(state: State, { presences = {} }: PresenceEvent): Changed {
  for (const [id, { active_timestamp, idle_timestamp }] of Object.entries(presences)) {
    state.presences.set(Number(id), { activeAt: active_timestamp, idleAt: idle_timestamp });
  }
  return changed('presences');
}

export function applyMutedUsers(state: State, event: MutedUsersEvent): Changed {
  state.mutedUsers = new Map(event.muted_users.map(({ id, timestamp }) => [id, timestamp]));
  return changed('mutedUsers');
}
