import { Type } from 'typebox';
import { accessUser, listUsers, listUsersById } from '../../accounts/users/access.ts';
import {
  deactivateSelf,
  deactivateUser,
  reactivateUser,
  updateUserProfile,
} from '../../accounts/users/actions.ts';
import { UserRow, userRow } from '../../accounts/users/events.ts';
import type { User } from '../../accounts/user.ts';
import { chatRoute } from '../http/route.ts';

const views = {
  client_gravatar: Type.Optional(
    Type.Boolean({ description: 'Accepted for older clients: every picture is served from here.' }),
  ),
  include_custom_profile_fields: Type.Optional(Type.Boolean({ default: false })),
};

function present(user: User, withProfile: boolean): UserRow {
  const row = userRow(user);
  if (!withProfile) delete row.profile_data;
  return row;
}

export const getOwnUser = chatRoute({
  name: 'get-own-user',
  method: 'GET',
  path: '/users/me',
  allow: 'guest',
  summary: 'Who you are.',
  params: Type.Object({}),
  returns: Type.Object({ ...UserRow.properties, max_message_id: Type.Integer() }),
  handle: async (_ctx, actor) => ({ ...userRow(actor), max_message_id: NO_MESSAGES }),
});

/** There are no messages yet, so there is no largest id. */
const NO_MESSAGES = -1;

export const deleteOwnUser = chatRoute({
  name: 'deactivate-own-user',
  method: 'DELETE',
  path: '/users/me',
  allow: 'guest',
  summary: 'Deactivates your own account.',
  params: Type.Object({}),
  returns: Type.Object({}),
  handle: async (ctx, actor) => {
    await deactivateSelf(ctx, actor);
    return {};
  },
});

export const getUsers = chatRoute({
  name: 'get-users',
  method: 'GET',
  path: '/users',
  allow: 'guest',
  summary: 'Everybody, bots and deactivated people included.',
  params: Type.Object({
    ...views,
    user_ids: Type.Optional(
      Type.Array(Type.Integer(), { description: 'Only these; ids of nobody are left out.' }),
    ),
  }),
  returns: Type.Object({ members: Type.Array(UserRow) }),
  handle: async (ctx, _actor, { include_custom_profile_fields = false, user_ids }) => {
    const users =
      user_ids === undefined ? await listUsers(ctx.db) : await listUsersById(ctx.db, user_ids);
    return { members: users.map((user) => present(user, include_custom_profile_fields)) };
  },
});

export const getUser = chatRoute({
  name: 'get-user',
  method: 'GET',
  path: '/users/{user_id:int}',
  allow: 'guest',
  summary: 'One person or bot, by id.',
  params: Type.Object(views),
  returns: Type.Object({ user: UserRow }),
  handle: async (ctx, _actor, { user_id, include_custom_profile_fields = false }) => ({
    user: present(await accessUser(ctx.db, user_id), include_custom_profile_fields),
  }),
});

export const getUserByEmail = chatRoute({
  name: 'get-user-by-email',
  method: 'GET',
  path: '/users/{email}',
  allow: 'guest',
  summary: 'One person or bot, by address.',
  params: Type.Object(views),
  returns: Type.Object({ user: UserRow }),
  handle: async (ctx, _actor, { email, include_custom_profile_fields = false }) => ({
    user: present(await accessUser(ctx.db, email), include_custom_profile_fields),
  }),
});

const role = Type.Union(
  [Type.Literal(100), Type.Literal(200), Type.Literal(300), Type.Literal(400), Type.Literal(600)],
  { description: '100 owner, 200 administrator, 300 moderator, 400 member, 600 guest' },
);

/** Not for administrators alone: the owner of a bot may rename it. */
export const patchUser = chatRoute({
  name: 'update-user',
  method: 'PATCH',
  path: '/users/{user_id:int}',
  allow: 'guest',
  summary: "Changes somebody's name or role.",
  params: Type.Object({ full_name: Type.Optional(Type.String()), role: Type.Optional(role) }),
  returns: Type.Object({}),
  handle: async (ctx, actor, { user_id, full_name, role }) => {
    await updateUserProfile(ctx, actor, user_id, {
      ...(full_name !== undefined && { fullName: full_name }),
      ...(role !== undefined && { role }),
    });
    return {};
  },
});

export const deleteUser = chatRoute({
  name: 'deactivate-user',
  method: 'DELETE',
  path: '/users/{user_id:int}',
  allow: 'administrator',
  summary: 'Deactivates a person, and the bots of that person.',
  params: Type.Object({}),
  returns: Type.Object({}),
  handle: async (ctx, actor, { user_id }) => {
    await deactivateUser(ctx, actor, user_id);
    return {};
  },
});

export const postReactivateUser = chatRoute({
  name: 'reactivate-user',
  method: 'POST',
  path: '/users/{user_id:int}/reactivate',
  allow: 'administrator',
  summary: 'Gives a deactivated person or bot everything back.',
  params: Type.Object({}),
  returns: Type.Object({}),
  handle: async (ctx, actor, { user_id }) => {
    await reactivateUser(ctx, actor, user_id);
    return {};
  },
});
