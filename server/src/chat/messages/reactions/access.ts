// For other features: finds the emoji that a request means.
import type { Db } from '../../../platform/db/pool.ts';
import { listEmojiBriefly } from '../../organization/custom-emoji/access.ts';
import { checkEmoji, findByName, isReactionType } from './emoji.ts';
import { invalidType } from './errors.ts';
import type { ReactionEmoji } from './events.ts';

/** The emoji that is meant. Code and type may be missing; then the name decides. */
export async function resolveEmoji(
  db: Db,
  given: {
    readonly name: string;
    readonly code: string | undefined;
    readonly type: string | undefined;
  },
): Promise<ReactionEmoji> {
  const { name, code, type } = given;
  const custom = await listEmojiBriefly(db);
  const named = code === undefined || type === undefined ? findByName(name, custom) : undefined;
  const emoji: ReactionEmoji = {
    emoji_name: name,
    emoji_code: code ?? named?.code ?? '',
    reaction_type: type ?? named?.type ?? '',
  };
  if (!isReactionType(emoji.reaction_type)) throw invalidType();
  checkEmoji(emoji, custom);
  return emoji;
}
