// Adds and removes reactions, and sends the events to everybody who sees the message.
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { listEmojiBriefly } from '../../organization/custom-emoji/access.ts';
import { badRequest } from '../../http/errors.ts';
import { accessMessageToTouch, holdMessage } from '../message/access.ts';
import { audienceOf } from '../message/audience.ts';
import { invalidMessage } from '../message/errors.ts';
import { REACTIONS_MAX } from '../message/limits.ts';
import { followByTakingPart } from '../../conversations/topics/automatic.ts';
import {
  checkCodeCanExist,
  checkCodeExists,
  checkEmoji,
  findByName,
  isReactionType,
  type CustomEmojiFacts,
} from './emoji.ts';
import { invalidType, noSuchReaction, nothingNamed, reactionExists } from './errors.ts';
import { reactionChanged, type ReactionEmoji } from './events.ts';
import {
  countKinds,
  countReactions,
  deleteReaction,
  findNameInUse,
  findOwnNamed,
  insertReaction,
} from './store.ts';

/** The most different emoji on one message. */
const KINDS_MAX = 100;

export interface ReactionInput {
  readonly name: string | undefined;
  readonly code: string | undefined;
  readonly type: string | undefined;
}

/** Adds the reaction and sends an event to everybody who sees the message. */
export function addReaction(
  ctx: Context,
  actor: User,
  messageId: number,
  { name = '', code, type }: ReactionInput,
): Promise<void> {
  return ctx.inTransaction(async (tx) => {
    const { message } = await accessMessageToTouch(tx, actor, messageId);
    if (!(await holdMessage(tx, message.id))) throw invalidMessage();
    const custom = await listEmojiBriefly(tx);
    const named = code === undefined || type === undefined ? findByName(name, custom) : undefined;
    const wanted: ReactionEmoji = {
      emoji_name: name,
      emoji_code: code ?? named?.code ?? '',
      reaction_type: type ?? named?.type ?? '',
    };
    if (!isReactionType(wanted.reaction_type)) throw invalidType();
    // If somebody reacted with this emoji before, their name for it is used.
    const inUse = await findNameInUse(tx, message.id, wanted.reaction_type, wanted.emoji_code);
    if (inUse === undefined) {
      checkEmoji(wanted, custom);
      if ((await countKinds(tx, message.id)) >= KINDS_MAX) {
        throw badRequest(`A message cannot have more than ${KINDS_MAX} different reactions.`);
      }
    }
    if ((await countReactions(tx, message.id)) >= REACTIONS_MAX) {
      throw badRequest(`A message cannot have more than ${REACTIONS_MAX} reactions.`);
    }
    const emoji = { ...wanted, emoji_name: inUse ?? wanted.emoji_name };
    if (!(await insertReaction(tx, message.id, actor.id, emoji))) throw reactionExists();
    tx.emit(reactionChanged('add', message.id, emoji, actor), await audienceOf(tx, message));
    const { channelId } = message;
    if (channelId !== null) await followByTakingPart(tx, ctx, actor, { ...message, channelId });
  });
}

/** Removes the actor's own reaction. */
export function removeReaction(
  ctx: Context,
  actor: User,
  messageId: number,
  { name, code, type }: ReactionInput,
): Promise<void> {
  return ctx.inTransaction(async (tx) => {
    const { message } = await accessMessageToTouch(tx, actor, messageId);
    if (name === undefined && code === undefined) throw nothingNamed();
    const custom = await listEmojiBriefly(tx);
    const named =
      code === undefined ? await findNamed(tx, actor, message.id, name ?? '', custom) : undefined;
    const wantedType = type ?? named?.type ?? 'unicode_emoji';
    const wantedCode = code ?? named?.code ?? '';
    if (!isReactionType(wantedType)) throw invalidType();
    checkCodeCanExist(wantedType, wantedCode);
    const removed = await deleteReaction(tx, message.id, actor.id, wantedType, wantedCode);
    if (removed === undefined) {
      checkCodeExists(wantedType, wantedCode, custom);
      throw noSuchReaction();
    }
    const emoji = { emoji_name: removed, emoji_code: wantedCode, reaction_type: wantedType };
    tx.emit(reactionChanged('remove', message.id, emoji, actor), await audienceOf(tx, message));
  });
}

/** The person's reaction under this name. The name may have meant another emoji when they reacted. */
const findNamed = async (
  tx: Tx,
  { id }: User,
  messageId: number,
  name: string,
  custom: readonly CustomEmojiFacts[],
) => (await findOwnNamed(tx, messageId, id, name)) ?? findByName(name, custom);
