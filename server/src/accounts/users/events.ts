import { isoSeconds } from '../../platform/std/text.ts';
import type { User } from './store.ts';

/** The public face of a user, as clients of the chat API know it. */
export function userRow(user: User) {
  return {
    user_id: user.id,
    email: user.email,
    delivery_email: user.email,
    full_name: user.fullName,
    role: user.role,
    is_owner: user.role === 100,
    is_admin: user.role <= 200,
    is_guest: user.role === 600,
    is_bot: user.botType !== null,
    bot_type: user.botType,
    bot_owner_id: user.botOwnerId,
    is_active: user.isActive,
    is_imported_stub: false,
    timezone: user.timezone,
    date_joined: isoSeconds(user.dateJoined),
    avatar_url: null,
    avatar_version: user.avatarVersion,
    ...(user.botType === null ? { profile_data: {} } : {}),
  };
}
export type UserRow = ReturnType<typeof userRow>;

export const userAdded = (user: User) =>
  ({ type: 'realm_user', op: 'add', person: userRow(user) }) as const;

export type UserChange =
  { readonly role: number } | { readonly full_name: string } | { readonly is_active: boolean };

export const userUpdated = (userId: number, change: UserChange) =>
  ({ type: 'realm_user', op: 'update', person: { user_id: userId, ...change } }) as const;
