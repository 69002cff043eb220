// The organization's own emoji, in a map by id: as a whole for older clients, one change at a time for
// newer ones.
import { Type, type Static } from 'typebox';

export const CustomEmoji = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    source_url: Type.String(),
    still_url: Type.Union([Type.String(), Type.Null()], {
      description: 'A still of a moving picture; there are none yet.',
    }),
    deactivated: Type.Boolean(),
    author_id: Type.Union([Type.Integer(), Type.Null()]),
  },
  { additionalProperties: false },
);
export type CustomEmoji = Static<typeof CustomEmoji>;

/** By id. */
export const EmojiMap = Type.Record(Type.String(), CustomEmoji);
export type EmojiMap = Static<typeof EmojiMap>;

export const EmojiReplaced = Type.Object(
  { type: Type.Literal('realm_emoji'), op: Type.Literal('update'), realm_emoji: EmojiMap },
  { additionalProperties: false },
);
export const EmojiAdded = Type.Object(
  { type: Type.Literal('realm_emoji'), op: Type.Literal('add'), emoji: CustomEmoji },
  { additionalProperties: false },
);
export const EmojiUpdated = Type.Object(
  {
    type: Type.Literal('realm_emoji'),
    op: Type.Literal('update_one'),
    emoji_id: Type.String(),
    data: Type.Object({ deactivated: Type.Boolean() }),
  },
  { additionalProperties: false },
);

export const EMOJI_EVENTS = [EmojiReplaced, EmojiAdded, EmojiUpdated];
export type EmojiEvent =
  Static<typeof EmojiReplaced> | Static<typeof EmojiAdded> | Static<typeof EmojiUpdated>;

export const emojiReplaced = (emoji: EmojiMap) =>
  ({ type: 'realm_emoji', op: 'update', realm_emoji: emoji }) as const;
export const emojiAdded = (emoji: CustomEmoji) =>
  ({ type: 'realm_emoji', op: 'add', emoji }) as const;
export const emojiDeactivated = (id: string) =>
  ({ type: 'realm_emoji', op: 'update_one', emoji_id: id, data: { deactivated: true } }) as const;
