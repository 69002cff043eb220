// People in a client's initial state, and how that state follows from it with the events.
import type { Static } from 'typebox';
import {
  avatarUrl,
  roleFlags,
  userRow,
  type GroupMembersAdded,
  type GroupMembersRemoved,
  type UserAdded,
  type UserRow,
  type UserUpdated,
} from '../../accounts/users/events.ts';
import type { User } from '../../accounts/user.ts';

/** Whether somebody is active is told by the list they are in. */
export type ListedUser = Omit<UserRow, 'is_active'>;

export function listed({ is_active: _isActive, ...row }: UserRow): ListedUser {
  return row;
}

export interface PeopleState {
  readonly realm_users: readonly ListedUser[];
  readonly realm_non_active_users: readonly ListedUser[];
}

export function readPeople(users: readonly User[]): PeopleState {
  const rows = (isActive: boolean) =>
    users.filter((user) => user.isActive === isActive).map((user) => listed(userRow(user)));
  return { realm_users: rows(true), realm_non_active_users: rows(false) };
}

/** What a client knows of its own user, beside the row in the list. */
export function ownFields(user: User) {
  return {
    user_id: user.id,
    email: user.email,
    delivery_email: user.email,
    full_name: user.fullName,
    avatar_source: 'J',
    avatar_url: avatarUrl(user),
    avatar_url_medium: avatarUrl(user).replace('?', '/medium?'),
    ...ownRights(user),
  };
}

/** What follows from the role alone. */
export function ownRights({ role }: { readonly role: number }) {
  const { is_owner, is_admin, is_guest } = roleFlags({ role });
  return {
    is_owner,
    is_admin,
    is_moderator: role <= 300,
    is_guest,
    can_create_streams: !is_guest,
    can_create_public_streams: !is_guest,
    can_create_private_streams: !is_guest,
    can_create_web_public_streams: false,
    can_invite_others_to_realm: !is_guest,
  };
}

type UserEvent = Static<typeof UserAdded> | Static<typeof UserUpdated>;

export function applyUserEvent(state: PeopleState, event: UserEvent): PeopleState {
  if (event.op === 'add') {
    return { ...state, realm_users: byId([...state.realm_users, listed(event.person)]) };
  }
  const { user_id, ...changes } = event.person;
  if ('is_active' in changes) return moveUser(state, user_id, changes.is_active);
  const changed = 'role' in changes ? roleFlags(changes) : changes;
  const apply = (rows: readonly ListedUser[]) =>
    rows.map((row) => (row.user_id === user_id ? { ...row, ...changed } : row));
  return {
    realm_users: apply(state.realm_users),
    realm_non_active_users: apply(state.realm_non_active_users),
  };
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

interface GroupState {
  readonly id: number;
  readonly members: readonly number[];
}

export function applyGroupEvent<G extends GroupState>(
  groups: readonly G[],
  event: Static<typeof GroupMembersAdded> | Static<typeof GroupMembersRemoved>,
): G[] {
  return groups.map((group) => {
    if (group.id !== event.group_id) return group;
    const members = new Set(group.members);
    for (const id of event.user_ids) {
      if (event.op === 'add_members') members.add(id);
      else members.delete(id);
    }
    return { ...group, members: [...members].sort((a, b) => a - b) };
  });
}
