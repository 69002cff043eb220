import { Type, type Static } from 'typebox';

export const MutedUser = Type.Object(
  { id: Type.Integer(), timestamp: Type.Integer({ description: 'Unix seconds of the muting' }) },
  { additionalProperties: false },
);
export type MutedUser = Static<typeof MutedUser>;

export const MutedUsersChanged = Type.Object(
  { type: Type.Literal('muted_users'), muted_users: Type.Array(MutedUser) },
  { additionalProperties: false },
);
export const mutedUsersChanged = (users: readonly MutedUser[]) =>
  ({ type: 'muted_users', muted_users: [...users] }) as const;
