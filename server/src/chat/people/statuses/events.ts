import { Type, type Static } from 'typebox';

const Fields = {
  status_text: Type.Optional(Type.String()),
  emoji_name: Type.Optional(Type.String()),
  emoji_code: Type.Optional(Type.String()),
  reaction_type: Type.Optional(Type.String()),
  away: Type.Optional(Type.Boolean({ description: 'Whether the person hides their presence.' })),
};

/** Leaves out empty values. */
export const UserStatus = Type.Object(Fields, { additionalProperties: false });
export type UserStatus = Static<typeof UserStatus>;

/** Only what changed; an empty text removes it. */
export const StatusChanged = Type.Object(
  { type: Type.Literal('user_status'), user_id: Type.Integer(), ...Fields },
  { additionalProperties: false },
);
export type StatusChanged = Static<typeof StatusChanged>;

export const statusChanged = (userId: number, changes: UserStatus): StatusChanged => ({
  type: 'user_status',
  user_id: userId,
  ...changes,
});
