// Decides which emoji a request means, and whether one more fits. Pure.
import { badRequest } from '../../http/errors.ts';
import { REACTIONS_MAX } from '../message/limits.ts';
import {
  checkCodeCanExist,
  checkEmoji,
  findByName,
  isReactionType,
  type CustomEmojiFacts,
  type ReactionType,
} from './emoji.ts';
import { invalidType, nothingNamed } from './errors.ts';
import type { ReactionEmoji } from './events.ts';

/** The most different emoji on one message. */
const KINDS_MAX = 100;

export interface ReactionInput {
  readonly name: string | undefined;
  readonly code: string | undefined;
  readonly type: string | undefined;
}

/** What is on the message. If somebody reacted with this emoji before, their name for it is used. */
export interface Present {
  readonly inUse: string | undefined;
  readonly kinds: number;
  readonly total: number;
}

/** The emoji to add. `check` refuses it, as far as that depends on what is on the message. */
export function emojiToAdd(
  { name = '', code, type }: ReactionInput,
  custom: readonly CustomEmojiFacts[],
): { readonly wanted: ReactionEmoji; check(present: Present): void } {
  const named = code === undefined || type === undefined ? findByName(name, custom) : undefined;
  const wanted: ReactionEmoji = {
    emoji_name: name,
    emoji_code: code ?? named?.code ?? '',
    reaction_type: type ?? named?.type ?? '',
  };
  if (!isReactionType(wanted.reaction_type)) throw invalidType();
  return {
    wanted,
    check({ inUse, kinds, total }) {
      if (inUse === undefined) {
        checkEmoji(wanted, custom);
        if (kinds >= KINDS_MAX) {
          throw badRequest(`A message cannot have more than ${KINDS_MAX} different reactions.`);
        }
      }
      if (total >= REACTIONS_MAX) {
        throw badRequest(`A message cannot have more than ${REACTIONS_MAX} reactions.`);
      }
    },
  };
}

/**
 * Which of the person's reactions to remove. `ownNamed` is the one that they made under the name, which may have meant
 * another emoji then.
 */
export function emojiToRemove(
  { name, code, type }: ReactionInput,
  custom: readonly CustomEmojiFacts[],
  ownNamed: { readonly code: string; readonly type: string } | undefined,
): { readonly type: ReactionType; readonly code: string } {
  if (name === undefined && code === undefined) throw nothingNamed();
  const named = code === undefined ? (ownNamed ?? findByName(name ?? '', custom)) : undefined;
  const wantedType = type ?? named?.type ?? 'unicode_emoji';
  const wantedCode = code ?? named?.code ?? '';
  if (!isReactionType(wantedType)) throw invalidType();
  checkCodeCanExist(wantedType, wantedCode);
  return { type: wantedType, code: wantedCode };
}
