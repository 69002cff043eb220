// Adds and removes reactions, and sends the events to everybody who sees the message.
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import { listEmojiBriefly } from '../../organization/custom-emoji/access.ts';
import { accessMessageToTouch, holdMessage } from '../message/access.ts';
import { audienceOf } from '../message/audience.ts';
import { invalidMessage } from '../message/errors.ts';
import { followByTakingPart } from '../../conversations/topics/automatic.ts';
import { addByMemory, removeByMemory } from './by-memory.ts';
import { emojiToAdd, emojiToRemove, type ReactionInput } from './choose.ts';
import { checkCodeExists } from './emoji.ts';
import { noSuchReaction, reactionExists } from './errors.ts';
import { reactionChanged } from './events.ts';
import {
  countKinds,
  countReactions,
  deleteReaction,
  findNameInUse,
  findOwnNamed,
  insertReaction,
} from './store.ts';

/** Adds the reaction and sends an event to everybody who sees the message. */
export async function addReaction(
  ctx: Context,
  actor: User,
  messageId: number,
  input: ReactionInput,
): Promise<void> {
  if (await addByMemory(ctx, actor, messageId, input)) return;
  await ctx.inTransaction(async (tx) => {
    const { message } = await accessMessageToTouch(tx, actor, messageId);
    if (!(await holdMessage(tx, message.id))) throw invalidMessage();
    const { wanted, check } = emojiToAdd(input, await listEmojiBriefly(tx));
    const { reaction_type: type, emoji_code: code } = wanted;
    const inUse = await findNameInUse(tx, message.id, type, code);
    const kinds = await countKinds(tx, message.id);
    check({ inUse, kinds, total: await countReactions(tx, message.id) });
    const emoji = { ...wanted, emoji_name: inUse ?? wanted.emoji_name };
    if (!(await insertReaction(tx, message.id, actor.id, emoji))) throw reactionExists();
    tx.emit(reactionChanged('add', message.id, emoji, actor), await audienceOf(tx, message));
    const { channelId } = message;
    if (channelId !== null) await followByTakingPart(tx, ctx, actor, { ...message, channelId });
  });
}

/** Removes the actor's own reaction. */
export async function removeReaction(
  ctx: Context,
  actor: User,
  messageId: number,
  input: ReactionInput,
): Promise<void> {
  if (await removeByMemory(ctx, actor, messageId, input)) return;
  await ctx.inTransaction(async (tx) => {
    const { message } = await accessMessageToTouch(tx, actor, messageId);
    const custom = await listEmojiBriefly(tx);
    const { name } = input;
    const ownNamed =
      name === undefined ? undefined : await findOwnNamed(tx, message.id, actor.id, name);
    const { type, code } = emojiToRemove(input, custom, ownNamed);
    const removed = await deleteReaction(tx, message.id, actor.id, type, code);
    if (removed === undefined) {
      checkCodeExists(type, code, custom);
      throw noSuchReaction();
    }
    const emoji = { emoji_name: removed, emoji_code: code, reaction_type: type };
    tx.emit(reactionChanged('remove', message.id, emoji, actor), await audienceOf(tx, message));
  });
}
