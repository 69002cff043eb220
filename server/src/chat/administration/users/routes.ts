// Routes to read, create, change, deactivate and reactivate people.
import { Type } from 'typebox';
import { reachOf } from '../../../accounts/chat-keys/scope.ts';
import { listUsers, listUsersById } from '../../../accounts/users/access.ts';
import { UserRow, userRow, type ProfileData } from '../../../accounts/users/events.ts';
import { knows, type Sight } from '../../../accounts/users/sight.ts';
import { ROLE, type RoleCode } from '../../../accounts/roles.ts';
import type { StepUp } from '../../../accounts/second-factors/factor.ts';
import type { User } from '../../../accounts/user.ts';
import type { ApiContext } from '../../../platform/context.ts';
import { badRequest } from '../../http/errors.ts';
import { chatRoute } from '../../http/route.ts';
import { readMaxMessageId } from '../../messages/message/state.ts';
import { readProfiles } from '../../people/profiles/access.ts';
import { changeProfileOf } from '../../people/profiles/actions.ts';
import { ProfileDatum } from '../../people/profiles/params.ts';
import { accessPerson, readSight } from '../../rights/sight/access.ts';
import { changePersonIn, createPerson, leaveOrganization, reactivatePerson } from './actions.ts';
import { checkPassword } from '../../../accounts/passwords/rules.ts';
import { isEmail } from '../../../accounts/email.ts';
import { dismissPerson } from './leaving.ts';
import { giveAddress, hasMailbox } from './given-address.ts';
import { roleParam } from './params.ts';

/** More than any organization has people. */
const IDS_MAX = 100_000;

const views = {
  client_gravatar: Type.Optional(
    Type.Boolean({ description: 'Accepted for older clients: every picture is served from here.' }),
  ),
  include_custom_profile_fields: Type.Optional(Type.Boolean({ default: false })),
};

type Profiles = ReadonlyMap<number, ProfileData>;

/** Adds custom profile fields if the request asks for them. */
async function present(
  ctx: ApiContext,
  sight: Sight,
  users: readonly User[],
  withProfiles: boolean,
): Promise<UserRow[]> {
  const profiles: Profiles = withProfiles
    ? await readProfiles(
        ctx.db,
        users.map(({ id }) => id),
      )
    : new Map();
  return users.map((user) => {
    const row = userRow(sight, user, profiles.get(user.id));
    if (!withProfiles) delete row.profile_data;
    return row;
  });
}

async function presentOne(
  ctx: ApiContext,
  actor: User,
  idOrEmail: number | string,
  withProfile: boolean,
) {
  const user = await accessPerson(ctx, ctx.db, actor, idOrEmail);
  const [row] = await present(ctx, await readSight(ctx, ctx.db, actor), [user], withProfile);
  return { user: row };
}

export const getOwnUser = chatRoute({
  name: 'get-own-user',
  method: 'GET',
  path: '/users/me',
  allow: 'guest',
  grows: 'organization',
  summary: 'Who you are.',
  params: Type.Object({}),
  returns: Type.Object({ ...UserRow.properties, max_message_id: Type.Integer() }),
  handle: async (ctx, actor, _params, { scope }) => {
    const [row] = await present(ctx, await readSight(ctx, ctx.db, actor), [actor], true);
    // The newest message may be where the key does not reach.
    const isHidden = reachOf(scope) !== undefined;
    const newest = isHidden ? -1 : await readMaxMessageId(ctx.db, actor.id);
    return { ...row, max_message_id: newest };
  },
});

export const deleteOwnUser = chatRoute({
  name: 'deactivate-own-user',
  method: 'DELETE',
  path: '/users/me',
  allow: 'guest',
  audit: ['user deactivate', 'session end'],
  stepUp: 'fresh',
  summary: 'Deactivates your own account.',
  params: Type.Object({}),
  returns: Type.Object({}),
  handle: async (ctx, actor) => {
    await leaveOrganization(ctx, actor);
    return {};
  },
});

export const getUsers = chatRoute({
  name: 'get-users',
  method: 'GET',
  path: '/users',
  allow: 'guest',
  grows: 'organization',
  summary: 'Everybody whom you may know, bots and deactivated people included.',
  params: Type.Object({
    ...views,
    user_ids: Type.Optional(
      Type.Array(Type.Integer(), {
        maxItems: IDS_MAX,
        description: 'Only these; ids of nobody are left out.',
      }),
    ),
  }),
  returns: Type.Object({ members: Type.Array(UserRow) }),
  handle: async (ctx, actor, { include_custom_profile_fields = false, user_ids }) => {
    const users =
      user_ids === undefined ? await listUsers(ctx.db) : await listUsersById(ctx.db, user_ids);
    const sight = await readSight(ctx, ctx.db, actor);
    const known = users.filter(({ id }) => knows(sight, id));
    return { members: await present(ctx, sight, known, include_custom_profile_fields) };
  },
});

export const getUser = chatRoute({
  name: 'get-user',
  method: 'GET',
  path: '/users/{user_id:int}',
  allow: 'guest',
  grows: 'organization',
  summary: 'One person or bot, by id.',
  params: Type.Object(views),
  returns: Type.Object({ user: UserRow }),
  handle: async (ctx, actor, { user_id, include_custom_profile_fields = false }) =>
    presentOne(ctx, actor, user_id, include_custom_profile_fields),
});

export const getUserByEmail = chatRoute({
  name: 'get-user-by-email',
  method: 'GET',
  path: '/users/{email}',
  allow: 'guest',
  grows: 'organization',
  summary: 'One person or bot, by address.',
  params: Type.Object(views),
  returns: Type.Object({ user: UserRow }),
  handle: async (ctx, actor, { email, include_custom_profile_fields = false }) =>
    presentOne(ctx, actor, email, include_custom_profile_fields),
});

/** Administrators create accounts for others directly, without an invitation. */
export const postUser = chatRoute({
  name: 'create-user',
  method: 'POST',
  path: '/users',
  allow: 'administrator',
  audit: ['user create'],
  summary: 'Makes an account for somebody.',
  params: Type.Object({
    email: Type.String({ 'x-strip': true }),
    password: Type.String(),
    full_name: Type.String(),
  }),
  returns: Type.Object({ user_id: Type.Integer() }),
  handle: async (ctx, _actor, { email, password, full_name }) => {
    if (!isEmail(email)) throw badRequest('Enter a valid email address.');
    await checkPassword(ctx, password, { email, fullName: full_name }, 'The password is too weak.');
    const { user } = await createPerson(ctx, {
      email,
      password,
      fullName: full_name,
      role: ROLE.member,
    });
    return { user_id: user.id };
  },
});

const changes = {
  full_name: Type.Optional(Type.String()),
  role: Type.Optional(roleParam),
  profile_data: Type.Optional(
    Type.Array(ProfileDatum, { maxItems: 100, description: 'Values of custom profile fields.' }),
  ),
  new_email: Type.Optional(
    Type.String({
      'x-strip': true,
      description:
        'Another address. The new mailbox confirms it, and the old one may cancel for 72 hours; then it changes. For a bot, or where the server sends no emails, it changes at once.',
    }),
  ),
};

/** A role and an address decide who may do what, and who gets in. */
const stepUpOfChange = ({ role, new_email }: Changes): StepUp | undefined =>
  role !== undefined || new_email !== undefined ? 'fresh' : undefined;

/** What a change of somebody may write into the audit log. */
const CHANGE_ACTS = [
  'user set_role',
  'user rename',
  'user set_email',
  'address ask',
  'user set_profile',
  'session end',
] as const;

/** Not only for administrators: owners of bots may rename them. */
export const patchUser = chatRoute({
  name: 'update-user',
  method: 'PATCH',
  path: '/users/{user_id:int}',
  allow: 'guest',
  audit: [...CHANGE_ACTS],
  stepUp: stepUpOfChange,
  summary: "Changes somebody's name, role, address or profile.",
  params: Type.Object(changes),
  returns: Type.Object({}),
  handle: (ctx, actor, { user_id, ...given }) => change(ctx, actor, user_id, given),
});

export const patchUserByEmail = chatRoute({
  name: 'update-user-by-email',
  method: 'PATCH',
  path: '/users/{email}',
  allow: 'guest',
  audit: [...CHANGE_ACTS],
  stepUp: stepUpOfChange,
  summary: "Changes somebody's name, role, address or profile.",
  params: Type.Object(changes),
  returns: Type.Object({}),
  handle: async (ctx, actor, { email, ...given }) =>
    change(ctx, actor, (await accessPerson(ctx, ctx.db, actor, email)).id, given),
});

interface Changes {
  readonly full_name?: string;
  readonly role?: RoleCode;
  readonly new_email?: string;
  readonly profile_data?: readonly ProfileDatum[];
}

async function change(
  ctx: ApiContext,
  actor: User,
  userId: number,
  { full_name, role, new_email, profile_data }: Changes,
): Promise<Record<string, never>> {
  await ctx.inTransaction(async (tx) => {
    const isAsked = new_email !== undefined && (await hasMailbox(tx, ctx, userId));
    const email = isAsked ? undefined : new_email;
    await changePersonIn(tx, actor, userId, { fullName: full_name, role, email });
    if (isAsked) await giveAddress(tx, ctx, actor, userId, new_email);
    if (profile_data !== undefined) await changeProfileOf(tx, actor, userId, profile_data);
  });
  return {};
}

export const deleteUser = chatRoute({
  name: 'deactivate-user',
  method: 'DELETE',
  path: '/users/{user_id:int}',
  allow: 'administrator',
  audit: ['user deactivate', 'user erase', 'user rename', 'session end'],
  stepUp: 'fresh',
  summary: 'Deactivates a person, and the bots of that person.',
  params: Type.Object({
    deactivation_notification_comment: Type.Optional(
      Type.String({
        maxLength: 2000,
        description: 'Given, the person gets an email, with these words if there are any.',
      }),
    ),
    actions: Type.Optional(
      Type.Object(
        {
          delete_profile: Type.Optional(Type.Boolean()),
          delete_public_channel_messages: Type.Optional(Type.Boolean()),
          delete_private_channel_messages: Type.Optional(Type.Boolean()),
          delete_direct_messages: Type.Optional(Type.Boolean()),
        },
        { additionalProperties: false, description: 'What of the person is deleted for good.' },
      ),
    ),
  }),
  returns: Type.Object({}),
  handle: async (ctx, actor, { user_id, deactivation_notification_comment, actions = {} }) => {
    await dismissPerson(ctx, actor, user_id, {
      comment: deactivation_notification_comment,
      actions,
    });
    return {};
  },
});

export const postReactivateUser = chatRoute({
  name: 'reactivate-user',
  method: 'POST',
  path: '/users/{user_id:int}/reactivate',
  allow: 'administrator',
  // A bot whose owner is deactivated gets another owner.
  audit: ['user reactivate', 'bot set_owner', 'user set_role', 'chat_key regenerate'],
  stepUp: 'fresh',
  summary: 'Gives a deactivated person or bot everything back.',
  params: Type.Object({}),
  returns: Type.Object({}),
  handle: async (ctx, actor, { user_id }) => {
    await reactivatePerson(ctx, actor, user_id);
    return {};
  },
});
