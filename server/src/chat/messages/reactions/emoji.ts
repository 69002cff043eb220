// Finds which emoji a reaction means. There are three kinds: Unicode characters, the organization's custom emoji, and
// the Zulip logo, which every server has.
import { findEmojiCodeOrOlder, isEmojiCode, isEmojiNamed } from '../../text/emoji/emoji.ts';
import type { ReactionEmoji } from './events.ts';
import {
  customDeactivated,
  invalidCode,
  invalidCustom,
  invalidCustomName,
  invalidName,
  invalidType,
  noSuchEmoji,
} from './errors.ts';

export const REACTION_TYPES = ['unicode_emoji', 'realm_emoji', 'zulip_extra_emoji'] as const;
export type ReactionType = (typeof REACTION_TYPES)[number];

/** The one extra emoji that every server has. */
const EXTRA = 'zulip';

/** One of the organization's custom emoji. */
export interface CustomEmojiFacts {
  readonly id: number;
  readonly name: string;
  readonly isDeactivated: boolean;
}

export const isReactionType = (text: string): text is ReactionType =>
  REACTION_TYPES.some((type) => type === text);

/** Code and type for a name. Custom emoji come first. */
export function findByName(
  name: string,
  custom: readonly CustomEmojiFacts[],
): { readonly code: string; readonly type: ReactionType } {
  const own = custom.find((one) => one.name === name && !one.isDeactivated);
  if (own !== undefined) return { code: String(own.id), type: 'realm_emoji' };
  if (name === EXTRA) return { code: EXTRA, type: 'zulip_extra_emoji' };
  const code = findEmojiCodeOrOlder(name);
  if (code === undefined) throw noSuchEmoji(name);
  return { code, type: 'unicode_emoji' };
}

/** Refuses a name and a code that do not match. */
export function checkEmoji(
  { emoji_name: name, emoji_code: code, reaction_type: type }: ReactionEmoji,
  custom: readonly CustomEmojiFacts[],
): void {
  switch (type) {
    case 'unicode_emoji':
      if (!isEmojiCode(code)) throw invalidCode();
      if (!isEmojiNamed(code, name)) throw invalidName();
      return;
    case 'realm_emoji': {
      const own = custom.find(({ id }) => String(id) === code);
      if (own === undefined) throw invalidCustom();
      if (own.name !== name) throw invalidCustomName();
      if (own.isDeactivated) throw customDeactivated();
      return;
    }
    case 'zulip_extra_emoji':
      if (code !== EXTRA) throw invalidCode();
      if (name !== EXTRA) throw invalidName();
      return;
    default:
      throw invalidType();
  }
}

const CODE_SHAPES: Readonly<Record<ReactionType, RegExp>> = {
  unicode_emoji: /^[0-9a-f]{2,6}(-[0-9a-f]{2,6})*$/,
  realm_emoji: /^\d{1,10}$/,
  zulip_extra_emoji: /^zulip$/,
};

/** Refuses a code that is impossible for the type. */
export function checkCodeCanExist(type: ReactionType, code: string): void {
  if (!CODE_SHAPES[type].test(code)) throw invalidCode();
}

/** Refuses a code that never existed. A deactivated custom emoji still counts. */
export function checkCodeExists(
  type: ReactionType,
  code: string,
  custom: readonly CustomEmojiFacts[],
): void {
  const isKnown =
    type === 'realm_emoji'
      ? custom.some(({ id }) => String(id) === code)
      : type === 'zulip_extra_emoji' || isEmojiCode(code);
  if (!isKnown) throw invalidCode();
}
