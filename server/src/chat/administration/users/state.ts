// People in a client's initial state, and how that state follows from it with the events.
import type { Static } from 'typebox';
import { hasAtLeast } from '../../../accounts/roles.ts';
import {
  avatarUrl,
  mediumAvatarUrl,
  roleFlags,
  userRow,
  type ProfileData,
  type UserAdded,
  type UserChange,
  type UserRow,
  type UserUpdated,
} from '../../../accounts/users/events.ts';
import type { User } from '../../../accounts/user.ts';
import { may, type Rights } from '../../rights/permissions/rights.ts';

/** Whether somebody is active is told by the list they are in. */
export type ListedUser = Omit<UserRow, 'is_active'>;

export function listed({ is_active: _isActive, ...row }: UserRow): ListedUser {
  return row;
}

export interface PeopleState {
  readonly realm_users: readonly ListedUser[];
  readonly realm_non_active_users: readonly ListedUser[];
}

export function readPeople(
  users: readonly User[],
  profiles: ReadonlyMap<number, ProfileData>,
): PeopleState {
  const rows = (isActive: boolean) =>
    users
      .filter((user) => user.isActive === isActive)
      .map((user) => listed(userRow(user, profiles.get(user.id))));
  return { realm_users: rows(true), realm_non_active_users: rows(false) };
}

/** What a client knows of its own user, beside the row in the list. */
export function ownUserFields(user: User, rights: Rights) {
  return {
    user_id: user.id,
    email: user.email,
    delivery_email: user.email,
    full_name: user.fullName,
    avatar_source: user.avatarSource,
    avatar_url: avatarUrl(user),
    avatar_url_medium: mediumAvatarUrl(user),
    ...ownRights(rights),
  };
}

/** What follows from role, groups and the organization's settings. */
export function ownRights(rights: Rights) {
  const { is_owner, is_admin, is_guest } = roleFlags(rights);
  const isPublic = may(rights, 'can_create_public_channel_group');
  const isPrivate = may(rights, 'can_create_private_channel_group');
  return {
    is_owner,
    is_admin,
    is_moderator: hasAtLeast(rights.role, 'moderator'),
    is_guest,
    can_create_streams: isPublic || isPrivate,
    can_create_public_streams: isPublic,
    can_create_private_streams: isPrivate,
    can_create_web_public_streams: false,
    can_invite_others_to_realm: may(rights, 'can_invite_users_group'),
  };
}

type UserEvent = Static<typeof UserAdded> | Static<typeof UserUpdated>;

export function applyUserEvent(state: PeopleState, event: UserEvent): PeopleState {
  if (event.op === 'add') {
    return { ...state, realm_users: byId([...state.realm_users, listed(event.person)]) };
  }
  const { user_id, ...changes } = event.person;
  if ('is_active' in changes) return moveUser(state, user_id, changes.is_active);
  const apply = (rows: readonly ListedUser[]) =>
    rows.map((row) => (row.user_id === user_id ? changeRow(row, changes) : row));
  return {
    realm_users: apply(state.realm_users),
    realm_non_active_users: apply(state.realm_non_active_users),
  };
}

function changeRow(row: ListedUser, changes: UserChange): ListedUser {
  if ('role' in changes) return { ...row, ...roleFlags(changes) };
  if ('new_email' in changes) return { ...row, email: changes.new_email };
  if ('custom_profile_field' in changes) return changeProfile(row, changes.custom_profile_field);
  if ('avatar_url' in changes) {
    const { avatar_url, avatar_version } = changes;
    return { ...row, avatar_url, avatar_version };
  }
  return { ...row, ...changes };
}

function changeProfile(
  row: ListedUser,
  {
    id,
    value,
    rendered_value,
  }: Extract<UserChange, { custom_profile_field: object }>['custom_profile_field'],
): ListedUser {
  const profile = { ...row.profile_data };
  delete profile[id];
  if (value !== null) {
    profile[id] = { value, ...(rendered_value !== undefined && { rendered_value }) };
  }
  return { ...row, profile_data: profile };
}

function moveUser(state: PeopleState, userId: number, isActive: boolean): PeopleState {
  const everybody = [...state.realm_users, ...state.realm_non_active_users];
  const active = new Set(state.realm_users.map(({ user_id }) => user_id));
  if (isActive) active.add(userId);
  else active.delete(userId);
  return {
    realm_users: byId(everybody.filter(({ user_id }) => active.has(user_id))),
    realm_non_active_users: byId(everybody.filter(({ user_id }) => !active.has(user_id))),
  };
}

const byId = (rows: readonly ListedUser[]): ListedUser[] =>
  rows.toSorted((a, b) => a.user_id - b.user_id);
