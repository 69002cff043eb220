import { Type, type Static } from 'typebox';
import { IN_THE_LOG, shownEmail } from '../../../accounts/users/sight.ts';
import type { User } from '../../../accounts/user.ts';

const fields = {
  message_id: Type.Integer(),
  emoji_name: Type.String(),
  emoji_code: Type.String(),
  reaction_type: Type.String(),
  user_id: Type.Integer(),
  user: Type.Object({
    user_id: Type.Integer(),
    email: Type.String(),
    full_name: Type.String(),
  }),
};

export const ReactionAdded = Type.Object(
  { type: Type.Literal('reaction'), op: Type.Literal('add'), ...fields },
  { additionalProperties: false },
);

export const ReactionRemoved = Type.Object(
  { type: Type.Literal('reaction'), op: Type.Literal('remove'), ...fields },
  { additionalProperties: false },
);

export const REACTION_EVENTS = [ReactionAdded, ReactionRemoved];
export type ReactionEvent = Static<typeof ReactionAdded> | Static<typeof ReactionRemoved>;

export interface ReactionEmoji {
  readonly emoji_name: string;
  readonly emoji_code: string;
  readonly reaction_type: string;
}

export const reactionChanged = <const Op extends 'add' | 'remove'>(
  op: Op,
  messageId: number,
  emoji: ReactionEmoji,
  user: Pick<User, 'id' | 'email' | 'fullName' | 'emailVisibility'>,
) =>
  ({
    type: 'reaction',
    op,
    message_id: messageId,
    emoji_name: emoji.emoji_name,
    emoji_code: emoji.emoji_code,
    reaction_type: emoji.reaction_type,
    user_id: user.id,
    user: { user_id: user.id, email: shownEmail(IN_THE_LOG, user), full_name: user.fullName },
  }) as const;
