// The events about people and bots, as clients of the chat API get them.

import { Type, type Static, type TSchema } from 'typebox';
import { isoMinutes } from '../../platform/std/text.ts';
import { ROLE } from '../roles.ts';
import type { User } from '../user.ts';
import {
  IN_THE_LOG,
  knows,
  placeholderEmail,
  seesAddress,
  shownEmail,
  UNKNOWN_NAME,
  type Sight,
} from './sight.ts';

const ProfileValue = Type.Object(
  { value: Type.String(), rendered_value: Type.Optional(Type.String()) },
  { additionalProperties: false },
);

/** A person's profile data, by the id of the field. */
export type ProfileData = Readonly<Record<string, Static<typeof ProfileValue>>>;

/** The public data of a user, as clients of the chat API know it. */
export const UserRow = Type.Object(
  {
    user_id: Type.Integer(),
    email: Type.String(),
    delivery_email: Type.Union([Type.String(), Type.Null()]),
    full_name: Type.String(),
    role: Type.Integer({
      description: '100 owner, 200 administrator, 300 moderator, 400 member, 600 guest',
    }),
    is_owner: Type.Boolean(),
    is_admin: Type.Boolean(),
    is_guest: Type.Boolean(),
    is_bot: Type.Boolean(),
    bot_type: Type.Union([Type.Integer(), Type.Null()]),
    bot_owner_id: Type.Union([Type.Integer(), Type.Null()]),
    is_system_bot: Type.Optional(Type.Boolean({ description: 'Only when true.' })),
    is_active: Type.Boolean(),
    is_imported_stub: Type.Boolean(),
    timezone: Type.String(),
    date_joined: Type.String({ description: 'ISO 8601, to the minute, UTC' }),
    avatar_url: Type.Union([Type.String(), Type.Null()]),
    avatar_version: Type.Integer(),
    profile_data: Type.Optional(Type.Record(Type.String(), ProfileValue)),
  },
  { additionalProperties: false },
);
export type UserRow = Static<typeof UserRow>;

/** The person as the viewer sees them. Nothing of somebody whom they do not know, but the id and whether they are active. */
export function userRow(sight: Sight, user: User, profile: ProfileData = {}): UserRow {
  if (!knows(sight, user.id)) return unknownRow(sight, user);
  return {
    user_id: user.id,
    email: shownEmail(sight, user),
    delivery_email: seesAddress(sight.viewer, user) ? user.email : null,
    full_name: user.fullName,
    ...roleFlags(user),
    is_bot: user.botType !== null,
    bot_type: user.botType,
    bot_owner_id: user.botOwnerId,
    ...(user.isSystem && { is_system_bot: true }),
    is_active: user.isActive,
    is_imported_stub: false,
    timezone: user.timezone,
    date_joined: isoMinutes(user.dateJoined),
    avatar_url: avatarUrl(user),
    avatar_version: user.avatarVersion,
    ...(user.botType === null ? { profile_data: { ...profile } } : {}),
  };
}

/** The picture of everybody whom a viewer does not know. Nobody has this id. */
export const UNKNOWN_AVATAR = { id: 0, avatarVersion: 1 } as const;

export const unknownRow = (
  { host }: Sight,
  { id, isActive }: Pick<User, 'id' | 'isActive'>,
): UserRow => ({
  user_id: id,
  email: placeholderEmail(id, host),
  delivery_email: null,
  full_name: UNKNOWN_NAME,
  ...roleFlags(ROLE_OF_UNKNOWN),
  is_bot: false,
  bot_type: null,
  bot_owner_id: null,
  is_active: isActive,
  is_imported_stub: false,
  timezone: '',
  date_joined: isoMinutes(new Date(0)),
  avatar_url: avatarUrl(UNKNOWN_AVATAR),
  avatar_version: UNKNOWN_AVATAR.avatarVersion,
  profile_data: {},
});

const ROLE_OF_UNKNOWN = { role: ROLE.member };

/** A role and what older clients read instead of it. */
export const roleFlags = ({ role }: { readonly role: number }) => ({
  role,
  is_owner: role === ROLE.owner,
  is_admin: role <= ROLE.administrator,
  is_guest: role === ROLE.guest,
});

/** Relative to the origin, with the version in it, so that a changed picture is fetched again. */
export const avatarUrl = (user: Pick<User, 'id' | 'avatarVersion'>): string =>
  `/avatar/${user.id}?version=${user.avatarVersion}`;

export const mediumAvatarUrl = (user: Pick<User, 'id' | 'avatarVersion'>): string =>
  avatarUrl(user).replace('?', '/medium?');

/**
 * Who sees the address in an event. In the log the event has the address itself; no client gets this part, and only those
 * who may see it get the address (shape.ts of chat/administration/users).
 */
const AddressDelivery = Type.Object(
  {
    owner_id: Type.Union([Type.Integer(), Type.Null()]),
    visibility: Type.Integer(),
    /** The visibility before, if that is what changed. */
    before: Type.Optional(Type.Integer()),
  },
  { additionalProperties: false },
);
export type AddressDelivery = Static<typeof AddressDelivery>;

/** The queues of somebody who now sees other people than before end; their clients register again. */
const RoleDelivery = Type.Object({ ends_queues: Type.Boolean() }, { additionalProperties: false });

const addressDelivery = (
  { botOwnerId, emailVisibility }: Pick<User, 'botOwnerId' | 'emailVisibility'>,
  before?: number,
): AddressDelivery => ({
  owner_id: botOwnerId,
  visibility: emailVisibility,
  ...(before !== undefined && { before }),
});

export const UserAdded = Type.Object(
  {
    type: Type.Literal('realm_user'),
    op: Type.Literal('add'),
    person: UserRow,
    delivery: Type.Optional(AddressDelivery),
  },
  { additionalProperties: false },
);

export const userAdded = (user: User, profile?: ProfileData): Static<typeof UserAdded> => ({
  type: 'realm_user',
  op: 'add',
  person: { ...userRow(IN_THE_LOG, user, profile), email: user.email, delivery_email: user.email },
  delivery: addressDelivery(user),
});

/** To somebody who no longer knows the person. */
export const UserRemoved = Type.Object(
  {
    type: Type.Literal('realm_user'),
    op: Type.Literal('remove'),
    person: Type.Object(
      { user_id: Type.Integer(), full_name: Type.String() },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);

export const userRemoved = (user: Pick<User, 'id' | 'fullName'>): Static<typeof UserRemoved> => ({
  type: 'realm_user',
  op: 'remove',
  person: { user_id: user.id, full_name: user.fullName },
});

const change = <T extends Record<string, TSchema>>(fields: T) =>
  Type.Object({ user_id: Type.Integer(), ...fields }, { additionalProperties: false });

/** One change of a user; fields of one event change together. */
const CHANGES = {
  role: { role: Type.Integer() },
  name: { full_name: Type.String() },
  presence: { is_active: Type.Boolean() },
  timezone: { email: Type.String(), timezone: Type.String() },
  owner: { bot_owner_id: Type.Integer() },
  deliveryEmail: { delivery_email: Type.Union([Type.String(), Type.Null()]) },
  email: { new_email: Type.String() },
  avatar: {
    avatar_source: Type.String({ description: 'J drawn, U uploaded' }),
    avatar_url: Type.String(),
    avatar_url_medium: Type.String(),
    avatar_version: Type.Integer(),
  },
  profile: {
    custom_profile_field: Type.Object(
      {
        id: Type.Integer(),
        value: Type.Union([Type.String(), Type.Null()]),
        rendered_value: Type.Optional(Type.String()),
      },
      { additionalProperties: false },
    ),
  },
} as const;

export const UserUpdated = Type.Object(
  {
    type: Type.Literal('realm_user'),
    op: Type.Literal('update'),
    person: Type.Union([
      change(CHANGES.role),
      change(CHANGES.name),
      change(CHANGES.presence),
      change(CHANGES.timezone),
      change(CHANGES.owner),
      change(CHANGES.deliveryEmail),
      change(CHANGES.email),
      change(CHANGES.avatar),
      change(CHANGES.profile),
    ]),
    delivery: Type.Optional(Type.Union([AddressDelivery, RoleDelivery])),
  },
  { additionalProperties: false },
);

type Person = Static<typeof UserUpdated>['person'];
type WithoutId<P> = P extends unknown ? Omit<P, 'user_id'> : never;
export type UserChange = WithoutId<Person>;

type AddressChange = Extract<
  UserChange,
  { email: string } | { delivery_email: unknown } | { new_email: string }
>;

const changed = (userId: number, fields: UserChange): Static<typeof UserUpdated> => ({
  type: 'realm_user',
  op: 'update',
  person: { user_id: userId, ...fields },
});

/** A change without an address: for those, see `addressUpdated`. */
export const userUpdated = (
  userId: number,
  fields: Exclude<UserChange, AddressChange>,
): Static<typeof UserUpdated> => changed(userId, fields);

export const roleUpdated = (
  userId: number,
  role: number,
  endsQueues: boolean,
): Static<typeof UserUpdated> => ({
  ...userUpdated(userId, { role }),
  delivery: { ends_queues: endsQueues },
});

/** A change of the address, of who sees it, or of something that is told together with it. */
export const addressUpdated = (
  user: Pick<User, 'id' | 'botOwnerId' | 'emailVisibility'>,
  fields: AddressChange,
  before?: number,
): Static<typeof UserUpdated> => ({
  ...changed(user.id, fields),
  delivery: addressDelivery(user, before),
});

/** What clients are told about a new picture. */
export const avatarChange = (user: Pick<User, 'id' | 'avatarVersion' | 'avatarSource'>) => ({
  avatar_source: user.avatarSource,
  avatar_url: avatarUrl(user),
  avatar_url_medium: mediumAvatarUrl(user),
  avatar_version: user.avatarVersion,
});

const groupMembers = <const Op extends string>(op: Op) =>
  Type.Object(
    {
      type: Type.Literal('user_group'),
      op: Type.Literal(op),
      group_id: Type.Integer(),
      user_ids: Type.Array(Type.Integer()),
    },
    { additionalProperties: false },
  );

/** People join and leave role groups with their role, and other groups as these allow. */
export const GroupMembersAdded = groupMembers('add_members');
export const GroupMembersRemoved = groupMembers('remove_members');

export const groupMembersAdded = (groupId: number, userIds: readonly number[]) =>
  ({ type: 'user_group', op: 'add_members', group_id: groupId, user_ids: userIds }) as const;

export const groupMembersRemoved = (groupId: number, userIds: readonly number[]) =>
  ({ type: 'user_group', op: 'remove_members', group_id: groupId, user_ids: userIds }) as const;
