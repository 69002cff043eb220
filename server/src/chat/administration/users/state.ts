// People in a client's initial state, and how events change that state.
import type { Static } from 'typebox';
import { ChatKeyReplaced } from '../../../accounts/chat-keys/events.ts';
import { AccountOpened } from '../../../accounts/trading-keys/events.ts';
import { hasAtLeast, type RoleCode } from '../../../accounts/roles.ts';
import { SECURITY_EVENTS } from '../../../accounts/notices/events.ts';
import { SessionsEnded } from '../../../accounts/sessions/events.ts';
import { listSystemBots, listUsersInPages } from '../../../accounts/users/access.ts';
import {
  avatarUrl,
  mediumAvatarUrl,
  roleFlags,
  UserAdded,
  UserRemoved,
  userRow,
  UserUpdated,
  type UserChange,
} from '../../../accounts/users/events.ts';
import { knows, shownEmail, type Sight } from '../../../accounts/users/sight.ts';
import type { User } from '../../../accounts/user.ts';
import { readRights } from '../../rights/permissions/access.ts';
import { settingNames } from '../../rights/permissions/definitions.ts';
import { groupsOfUser } from '../../rights/permissions/membership.ts';
import { may, type Permissions, type Rights } from '../../rights/permissions/rights.ts';
import { loadSight } from '../../rights/sight/state.ts';
import { budgetOf } from '../../../platform/http/budget.ts';
import { JsonList, type RawJson } from '../../http/envelope.ts';
import { readProfiles } from '../../people/profiles/access.ts';
import type { RegisterPart, StateQuery } from '../../register-part.ts';
import { kindOf, listed, writeBlocks, type ListedUser } from './directory.ts';

interface PeopleState {
  readonly realm_users: readonly ListedUser[];
  readonly realm_non_active_users: readonly ListedUser[];
}

/**
 * Everybody, as the text of the two lists. An organization may have 100,000 people: their rows are written page by page as
 * they are read, and are never all in memory as objects. Clients that know that people may be missing get no rows of those
 * whom their owner does not know.
 */
async function writePeople(
  query: StateQuery,
  sight: Sight,
): Promise<Record<keyof PeopleState, RawJson>> {
  const { ctx, db, options } = query;
  // An answer that is too long is refused while it grows, and not when all of it is there.
  const budget = budgetOf(ctx.config.CHAT_DIRECTORY_BYTES_MAX);
  const lists = { active: new JsonList(), others: new JsonList() };
  const kind = kindOf(sight);
  if (kind !== undefined) {
    for await (const { active, others } of writeBlocks(query, sight, kind)) {
      lists.active.addText(active, budget);
      lists.others.addText(others, budget);
    }
  } else {
    const profiles = await readProfiles(db);
    for await (const page of listUsersInPages(db)) {
      const shown = options.knowsIncompleteLists ? page.filter(({ id }) => knows(sight, id)) : page;
      const { active = [], others = [] } = Object.groupBy(shown, ({ isActive }) =>
        isActive ? 'active' : 'others',
      );
      const rows = (users: readonly User[]) =>
        users.map((user) => listed(userRow(sight, user, profiles.get(user.id))));
      lists.active.add(rows(active), budget);
      lists.others.add(rows(others), budget);
    }
  }
  return { realm_users: lists.active.end(), realm_non_active_users: lists.others.end() };
}

/** The fields of a client's own user, beside the row in the list. */
function ownUserFields(sight: Sight, user: User, rights: Rights) {
  return {
    user_id: user.id,
    email: shownEmail(sight, user),
    delivery_email: user.email,
    full_name: user.fullName,
    avatar_source: user.avatarSource,
    avatar_url: avatarUrl(user),
    avatar_url_medium: mediumAvatarUrl(user),
    ...ownRights(rights),
  };
}

/** Rights that follow from role, groups and the organization's settings. */
function ownRights(rights: Rights) {
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

type UserEvent = Static<typeof UserAdded> | Static<typeof UserUpdated> | Static<typeof UserRemoved>;

function applyUserEvent(state: PeopleState, event: UserEvent): PeopleState {
  const { person } = event;
  const others = (rows: readonly ListedUser[]) =>
    rows.filter(({ user_id }) => user_id !== person.user_id);
  if (event.op === 'remove') {
    return {
      realm_users: others(state.realm_users),
      realm_non_active_users: others(state.realm_non_active_users),
    };
  }
  if (event.op === 'add') {
    const isActive = event.person.is_active;
    const list = isActive ? 'realm_users' : 'realm_non_active_users';
    return { ...state, [list]: byId([...others(state[list]), listed(event.person)]) };
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

/** What a client knows of its own user stands outside the lists. */
function ownChanges(userId: number, event: UserEvent): object {
  if (event.op !== 'update' || event.person.user_id !== userId) return {};
  const { person } = event;
  if ('full_name' in person) return { full_name: person.full_name };
  if ('delivery_email' in person) return { delivery_email: person.delivery_email };
  if ('new_email' in person) return { email: person.new_email };
  if ('avatar_url' in person) {
    const { avatar_source, avatar_url, avatar_url_medium } = person;
    return { avatar_source, avatar_url, avatar_url_medium };
  }
  return {};
}

type RightsState = PeopleState & {
  readonly user_id: number;
  readonly realm_user_groups: Parameters<typeof groupsOfUser>[0];
};

/** Role, groups and settings are all in the state, so what follows from them can be worked out there. */
function followRights(state: RightsState): object {
  const own = state.realm_users.find((row) => row.user_id === state.user_id);
  if (own === undefined) return {};
  const values = state as unknown as Readonly<Record<string, unknown>>;
  return ownRights({
    id: own.user_id,
    role: own.role as RoleCode,
    groupIds: groupsOfUser(state.realm_user_groups, own.user_id),
    organization: Object.fromEntries(
      settingNames('realm').map((name) => [name, values[`realm_${name}`]]),
    ) as Permissions<'realm'>,
  });
}

export const usersPart = {
  load: {
    realm_user: async (query) => {
      const { db, user, once } = query;
      const sight = await once(loadSight);
      return {
        ...(await writePeople(query, sight)),
        cross_realm_bots: (await listSystemBots(db)).map((bot) => listed(userRow(sight, bot))),
        ...ownUserFields(sight, user, await readRights(db, user)),
      };
    },
  },
  events: [UserAdded, UserUpdated, UserRemoved],
  internalEvents: [ChatKeyReplaced, SessionsEnded, AccountOpened, ...SECURITY_EVENTS],
  applyInTests: {
    realm_user: (state: RightsState, event: UserEvent) => {
      const people = applyUserEvent(state, event);
      return {
        ...people,
        ...ownChanges(state.user_id, event),
        ...followRights({ ...state, ...people }),
      };
    },
  },
  followInTests: { user_group: followRights, realm: followRights },
} satisfies RegisterPart;
