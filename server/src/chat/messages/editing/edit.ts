// Edits the text of a message, and moves messages between topics and channels: all checks, then one transaction.
import type { User } from '../../../accounts/user.ts';
import { holdActing } from '../../../accounts/users/authority.ts';
import type { OriginContext } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { invalidChannel } from '../../conversations/channel/errors.ts';
import { badRequest } from '../../http/errors.ts';
import { readOrganizationSettings } from '../../organization/org/access.ts';
import type { RealmValue } from '../../organization/org/definitions.ts';
import { readRights } from '../../rights/permissions/access.ts';
import {
  canMoveOutOfChannel,
  canMoveWithinChannel,
  canPost,
  canResolveTopics,
} from '../../rights/permissions/rights.ts';
import { isResolveToggle, marksEmptyTopic } from '../../conversations/topics/resolved.ts';
import { normalizeTopic } from '../../conversations/topics/rules.ts';
import { accessMessageToTouch, type AccessedMessage } from '../message/access.ts';
import { editsTooLarge, invalidMessage, tooManyEdits } from '../message/errors.ts';
import { measureEdits } from '../message/history-store.ts';
import { EDITS_BYTES, EDITS_MAX, MOVE_STEP } from '../message/limits.ts';
import { readChannelsForReader, type ChannelForReader } from '../message/channels-for-reader.ts';
import type { MessageRow } from '../message/rows.ts';
import { hasOthersInTopic, lockCounters } from '../message/store.ts';
import { isWithin } from '../message/time-limit.ts';
import type { Asked, Movable } from '../message/move-store.ts';
import { editByMemory } from './by-memory.ts';
import { followMove } from './follow-move.ts';
import {
  checkNotMoving,
  continueMove,
  firstStep,
  listOldest,
  openLargeMove,
} from './large-move.ts';
import type { MessageChange } from './message-change.ts';
import { movableSince, refuseOldTopic } from './move-limit.ts';
import { checkContentEdit, checkExpected, wordedAs, type EditInput } from './content.ts';
import { findWholeRename, inItsSpelling, renameTopic } from './rename.ts';
import { applyEdit, renderEdit, type RenderedEdit } from './write-edit.ts';
import { checkNewTopic } from '../sending/posting-rules.ts';
import { checkTopicPolicy } from '../sending/topic-policy.ts';
import { hasAtLeast } from '../../../accounts/roles.ts';
import type { Thread } from '../notices/moves.ts';
import type { Attachment } from '../uploads/events.ts';

type Settings = Readonly<Record<string, RealmValue>>;

/** The message may be moved between the read and the lock; then the edit starts again. */
const ATTEMPTS_MAX = 5;

/**
 * Makes all of the requested changes or none, and sends an event to everybody who sees the messages. Returns the
 * actor's files that are in no message any more.
 */
export async function editMessage(
  ctx: OriginContext,
  actor: User,
  messageId: number,
  input: EditInput,
): Promise<readonly Attachment[]> {
  if (await editByMemory(ctx, actor, messageId, input)) return [];
  const settings = await readOrganizationSettings(ctx.db);
  for (let attempt = 1; ; attempt += 1) {
    const seen = await accessMessageToTouch(ctx.db, actor, messageId);
    const nowMs = ctx.clock.now();
    const change = await checkEdit(ctx, actor, settings, seen, input, nowMs);
    if (isNothing(change)) return [];
    // Rendering is the slow part, so it comes before the transaction.
    const rendered =
      change.content === undefined
        ? undefined
        : await renderEdit(ctx, actor, seen, settings, change.content);
    const outcome = await ctx.inTransaction((tx) =>
      editInTransaction(tx, ctx, actor, settings, seen, change, rendered, nowMs),
    );
    if ('tooOld' in outcome) await refuseOldTopic(ctx.db, outcome.tooOld, outcome.since);
    if ('detached' in outcome) {
      if (outcome.moveId !== undefined) await continueMove(ctx, outcome.moveId);
      return outcome.detached;
    }
    if (attempt >= ATTEMPTS_MAX) throw invalidMessage();
  }
}

type Outcome =
  | { readonly isChanged: true }
  | { readonly tooOld: Asked; readonly since: Date }
  | {
      readonly detached: readonly Attachment[];
      /** The move of which this was the first step. */
      readonly moveId: number | undefined;
    };

/** The same text again changes nothing, so there is nothing to store or to send. */
const isNothing = ({ content, topic, target }: MessageChange): boolean =>
  content === undefined && topic === undefined && target === undefined;

/** When the message changed since it was read, the caller starts again. */
async function editInTransaction(
  tx: Tx,
  ctx: OriginContext,
  actor: User,
  settings: Settings,
  seen: AccessedMessage,
  given: MessageChange,
  rendered: RenderedEdit | undefined,
  nowMs: number,
): Promise<Outcome> {
  const { message, channel, rights } = seen;
  const conversationIds = [
    message.conversationId,
    ...(given.target === undefined ? [] : [given.target.conversationId]),
  ];
  await holdActing(tx, actor);
  await lockCounters(tx, conversationIds);
  const now = await accessMessageToTouch(tx, actor, message.id);
  const isSame =
    now.message.conversationId === message.conversationId &&
    now.message.topic === message.topic &&
    now.message.content === message.content;
  if (!isSame) return { isChanged: true };
  // Checked again under the lock, because parallel edits of one message would all find room.
  if (rendered !== undefined) await checkHistoryHasRoom(tx, now.message);
  if (channel === undefined || (given.topic === undefined && given.target === undefined)) {
    const edit = { actor, seen: now, change: given, rendered, settings, nowMs };
    const detached = await applyEdit(tx, ctx, { ...edit, moved: [] });
    return { detached, moveId: undefined };
  }
  const change = await inItsSpelling(tx, message, channel, given);
  const edit = { actor, seen: now, change, rendered, settings, nowMs };
  const to = { channel: change.target ?? channel, topic: change.topic ?? message.topic };
  await checkNotMoving(tx, message, { ...to.channel, topic: to.topic });
  const asked = { actorId: actor.id, message, channel, mode: change.propagateMode };
  const renaming = await findWholeRename(tx, message, channel, change);
  const since = movableSince(actor, settings, change, nowMs);
  const oldest = renaming === undefined || since !== undefined ? await listOldest(tx, asked) : [];
  // Ids grow with time: if none of the oldest is too old, none is.
  if (since !== undefined && oldest.some(({ sentAt }) => sentAt < since)) {
    return { tooOld: asked, since };
  }
  const [fresh = to.channel] = await readChannelsForReader(tx, rights, {
    channelIds: [to.channel.channelId],
  });
  if (!(change.target === undefined && change.isResolveToggle)) {
    await checkNewTopic(tx, rights, fresh, to.topic);
  }
  if (renaming !== undefined) {
    const detached = await renameTopic(tx, ctx, { ...edit, channel, renaming });
    return { detached, moveId: undefined };
  }
  if (oldest.length > MOVE_STEP) {
    const moveId = await openLargeMove(tx, actor, { ...now, channel }, change, oldest, nowMs);
    const moved = firstStep(oldest, now.message);
    return { detached: await applyEdit(tx, ctx, { ...edit, moved, hasMore: true }), moveId };
  }
  const detached = await applyEdit(tx, ctx, { ...edit, moved: oldest });
  await followSmallMove(tx, ctx, actor, { channel, topic: message.topic }, to, change, oldest);
  return { detached, moveId: undefined };
}

async function followSmallMove(
  tx: Tx,
  ctx: OriginContext,
  actor: User,
  from: Thread,
  to: Thread,
  { isResolveToggle: isToggle, tellsOldThread, tellsNewThread }: MessageChange,
  moved: readonly Movable[],
): Promise<void> {
  const messageIds = moved.map(({ id }) => id);
  const [firstId] = messageIds;
  if (firstId === undefined) return;
  const others = ({ channel, topic }: Thread) =>
    hasOthersInTopic(tx, channel.conversationId, topic, messageIds);
  await followMove(tx, ctx, {
    actor,
    from,
    to,
    isResolveToggle: isToggle,
    tellsOldThread,
    tellsNewThread,
    firstId,
    count: messageIds.length,
    isWhole: !(await others(from)),
    joinsOthers: await others(to),
  });
}

/** Every check that needs no lock, in the order of the API's refusals. */
async function checkEdit(
  ctx: OriginContext,
  actor: User,
  settings: Settings,
  { message, channel, rights }: AccessedMessage,
  input: EditInput,
  nowMs: number,
): Promise<MessageChange> {
  if (input.content !== undefined) checkContentEdit(actor, settings, message, nowMs);
  const given = input.topic === undefined ? undefined : normalizeTopic(input.topic);
  const topic = given === message.topic && channel !== undefined ? undefined : given;
  const channelId = input.channelId === channel?.channelId ? undefined : input.channelId;
  if (input.content === undefined && topic === undefined && channelId === undefined) {
    throw badRequest('Nothing to change');
  }
  if (channel === undefined) {
    if (channelId !== undefined) throw badRequest('Direct messages cannot be moved to channels.');
    if (topic !== undefined) throw badRequest('Direct messages cannot have topics.');
  }
  const isMove = topic !== undefined || channelId !== undefined;
  if (input.propagateMode !== 'change_one' && !isMove) {
    throw badRequest('Invalid propagate_mode without topic or channel edit');
  }
  if (topic !== undefined && marksEmptyTopic(message.topic, topic)) {
    throw badRequest('General chat cannot be marked as resolved');
  }
  if (input.content !== undefined && channelId !== undefined) {
    throw badRequest('Cannot change message content while changing channel');
  }
  if (input.content !== undefined && message.submessages.length > 0) {
    throw badRequest('Widgets cannot be edited.');
  }
  checkExpected(message.content, input.prevContentSha256);
  if (input.content !== undefined) await checkHistoryHasRoom(ctx.db, message);
  const target = channelId === undefined ? undefined : await accessTarget(ctx, actor, channelId);
  const isToggle =
    topic !== undefined && target === undefined && isResolveToggle(message.topic, topic);
  if (channel !== undefined && isMove) {
    // A bot that can read the message only because it was mentioned in it may not move messages.
    if (!channel.mayRead) throw badRequest("You don't have permission to edit this message");
    checkTopicPolicy(target ?? channel, settings, topic ?? message.topic);
    const isOneOf = input.propagateMode === 'change_all';
    const exempt = hasAtLeast(actor.role, 'moderator') || isOneOf;
    const limit = (name: string) => settings[name] as number | null;
    if (topic !== undefined) {
      if (isToggle) {
        if (!canResolveTopics(rights, channel)) {
          throw badRequest("You don't have permission to resolve topics in this channel.");
        }
      } else {
        if (!canMoveWithinChannel(rights, channel)) {
          throw badRequest("You don't have permission to edit this message");
        }
        if (
          !exempt &&
          !isWithin(limit('move_messages_within_stream_limit_seconds'), message.sentAt, nowMs)
        ) {
          throw badRequest("The time limit for editing this message's topic has passed.");
        }
      }
    }
    if (target !== undefined) {
      if (!canMoveOutOfChannel(rights, channel)) {
        throw badRequest("You don't have permission to move this message");
      }
      if (!canPost(rights, target)) {
        throw badRequest('You do not have permission to post in this channel.');
      }
      if (
        !exempt &&
        !isWithin(limit('move_messages_between_streams_limit_seconds'), message.sentAt, nowMs)
      ) {
        throw badRequest("The time limit for editing this message's channel has passed");
      }
    }
  }
  const worded = input.content === undefined ? undefined : wordedAs(input.content);
  const { propagateMode, tellsOldThread, tellsNewThread } = input;
  return {
    content: worded === message.content ? undefined : worded,
    topic,
    target,
    propagateMode,
    isResolveToggle: isToggle,
    tellsOldThread,
    tellsNewThread,
  };
}

/** Every version is kept, so that nobody can hide one. Therefore their number has a limit. */
async function checkHistoryHasRoom(db: Db, { id, content, rendered }: MessageRow): Promise<void> {
  const { count, bytes } = await measureEdits(db, id);
  if (count >= EDITS_MAX) throw tooManyEdits(EDITS_MAX);
  const added = Buffer.byteLength(content) + Buffer.byteLength(rendered);
  if (bytes + added > EDITS_BYTES) throw editsTooLarge(EDITS_BYTES);
}

/** A channel that the actor may read and that is not archived; any other is refused as unknown. */
async function accessTarget(
  ctx: OriginContext,
  actor: User,
  channelId: number,
): Promise<ChannelForReader> {
  const rights = await readRights(ctx.db, actor);
  const [target] = await readChannelsForReader(ctx.db, rights, { channelIds: [channelId] });
  if (target === undefined || !target.mayRead || target.isArchived) throw invalidChannel();
  return target;
}
