// Moves of many messages, in steps. Each step is a transaction with its own event, and holds the channel's lock only
// for itself, so other people's messages come between two steps. The request takes the steps. What it leaves, because
// its time is over or its process died, the worker takes up.
import { findUser } from '../../../accounts/users/access.ts';
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { assert } from '../../../platform/std/assert.ts';
import { readRights } from '../../rights/permissions/access.ts';
import type { AccessedMessage } from '../message/access.ts';
import { topicIsMoving } from '../message/errors.ts';
import { readChannelsForReader, type ChannelForReader } from '../message/channels-for-reader.ts';
import { announceFirstMessage } from '../message/first-message.ts';
import {
  advanceLargeMove,
  deleteLargeMove,
  findLargeMove,
  insertLargeMove,
  findNewestId,
  isBeingMoved,
  listRestingMoves,
  type LargeMove,
  type Place,
} from '../message/large-move-store.ts';
import { MOVE_STEP } from '../message/limits.ts';
import { listNextOfTopic, readableIn, type Asked, type Movable } from '../message/move-store.ts';
import { listMessageRows } from '../message/rows.ts';
import { hasTopic, lockCounters } from '../message/store.ts';
import { followMove } from './follow-move.ts';
import type { MessageChange } from './message-change.ts';
import { applyEdit } from './write-edit.ts';

type Stepping = Pick<Context, 'clock' | 'inTransaction' | 'log'>;

/** How long a request takes steps. Its answer says that the move is decided; the worker takes the other steps. */
const REQUEST_MS = 20_000;
/** How long one run of the worker takes steps. It runs every minute. */
const WORKER_MS = 45_000;
/** A request that still works takes a step more often than this. */
const RESTING_MS = 10_000;
const MOVES_AT_ONCE = 100;

/** Refuses a move that would come between the steps of another. The caller has locked the counters of both. */
export async function checkNotMoving(tx: Tx, from: Place, to: Place): Promise<void> {
  if (await isBeingMoved(tx, [from, to])) throw topicIsMoving();
}

/** The oldest of the messages that move, and one more than a step takes if there are more. Locks their rows. */
export async function listOldest(
  tx: Tx,
  { message, channel, mode }: Asked & { readonly message: Movable },
): Promise<readonly Movable[]> {
  if (mode === 'change_one') return [message];
  const { conversationId, topic } = message;
  const afterId = mode === 'change_later' ? message.id - 1 : 0;
  const stretch = { conversationId, topic, afterId, readable: readableIn(channel) };
  return listNextOfTopic(tx, stretch, MOVE_STEP + 1);
}

/** The messages of the first step: the oldest, and the one that was named. Ascending. */
export function firstStep(oldest: readonly Movable[], named: Movable): Movable[] {
  const first = oldest.slice(0, MOVE_STEP - 1);
  const isAmong = first.some(({ id }) => id === named.id);
  return isAmong ? first : [...first, named].sort((a, b) => a.id - b.id);
}

/** Notes what is left to do after the first step. Must run before the messages of that step move. */
export async function openLargeMove(
  tx: Tx,
  actor: Pick<User, 'id'>,
  { message, channel }: AccessedMessage & { readonly channel: ChannelForReader },
  change: MessageChange,
  oldest: readonly Movable[],
  nowMs: number,
): Promise<number> {
  const from = { conversationId: channel.conversationId, topic: message.topic };
  const to = {
    conversationId: change.target?.conversationId ?? channel.conversationId,
    topic: change.topic ?? message.topic,
  };
  const { propagateMode, isResolveToggle, tellsOldThread, tellsNewThread } = change;
  assert(propagateMode !== 'change_one', 'One message moves in one step.', { id: message.id });
  const first = firstStep(oldest, message);
  // The named message may be newer than those of the next steps.
  const after = oldest[MOVE_STEP - 2];
  assert(after !== undefined && first[0] !== undefined, 'A large move has many messages.', {
    id: message.id,
  });
  return insertLargeMove(tx, {
    actorId: actor.id,
    at: new Date(nowMs),
    from,
    to,
    propagateMode,
    isResolveToggle,
    tellsOldThread,
    tellsNewThread,
    joinsOthers: await hasTopic(tx, to.conversationId, to.topic),
    readable: readableIn(channel),
    firstId: first[0].id,
    afterId: after.id,
    throughId: await findNewestId(tx),
    moved: first.length,
  });
}

/** The rest of a move that was accepted. It never fails: what could not be done now is done by the worker. */
export async function continueMove(ctx: Stepping, moveId: number): Promise<void> {
  try {
    await takeSteps(ctx, moveId, performance.now() + REQUEST_MS);
  } catch (error) {
    ctx.log.warn({ err: error, moveId }, 'A step of a move failed; the worker goes on with it.');
  }
}

/** Takes up moves that nobody works on. Returns how many ended. roles/upkeep.ts calls it. */
export async function finishMoves(ctx: Context, restingMs = RESTING_MS): Promise<number> {
  const untilMs = performance.now() + WORKER_MS;
  let ended = 0;
  for (const moveId of await listRestingMoves(ctx.db, restingMs, MOVES_AT_ONCE)) {
    try {
      if (await takeSteps(ctx, moveId, untilMs)) ended += 1;
    } catch (error) {
      // The others must not wait for this one.
      ctx.log.error({ err: error, moveId }, 'A step of a move failed; it is tried again.');
    }
  }
  return ended;
}

/** Returns false when the time is up before the end. */
async function takeSteps(ctx: Stepping, moveId: number, untilMs: number): Promise<boolean> {
  while (performance.now() < untilMs) {
    if (await ctx.inTransaction((tx) => takeStep(tx, ctx, moveId))) return true;
  }
  return false;
}

/** Returns true when the move has ended. Two processes may step the same move: the lock puts them in a row. */
async function takeStep(tx: Tx, ctx: Pick<Context, 'clock'>, moveId: number): Promise<boolean> {
  const known = await findLargeMove(tx, moveId);
  if (known === undefined) return true;
  await lockCounters(tx, [known.from.conversationId, known.to.conversationId]);
  // Read again: what was read before the lock may be done by now.
  const move = await findLargeMove(tx, moveId);
  if (move === undefined) return true;
  const moved = await listNextOfTopic(tx, { ...move.from, ...move }, MOVE_STEP);
  const isLast = moved.length < MOVE_STEP || move.afterId >= move.throughId;
  const scene = await readScene(tx, move);
  await moveMessages(tx, ctx, move, scene, moved);
  const afterId = moved.at(-1)?.id;
  if (!isLast && afterId !== undefined) {
    await advanceLargeMove(tx, moveId, { afterId, count: moved.length });
    return false;
  }
  await endMove(tx, ctx, { ...move, moved: move.moved + moved.length }, scene);
  return true;
}

interface Scene {
  readonly actor: User;
  readonly rights: AccessedMessage['rights'];
  readonly channel: ChannelForReader;
  readonly target: ChannelForReader;
}

/**
 * The actor's right to move was checked when the move was accepted. It is not checked again: a topic that stays half
 * moved helps nobody.
 */
async function readScene(tx: Tx, { actorId, from, to }: LargeMove): Promise<Scene> {
  const actor = await findUser(tx, actorId);
  assert(actor !== undefined, 'People who have moved messages are never deleted.', { actorId });
  const rights = await readRights(tx, actor);
  const channels = await readChannelsForReader(tx, rights, {
    conversationIds: [from.conversationId, to.conversationId],
  });
  const at = (place: Place) => {
    const channel = channels.find((one) => one.conversationId === place.conversationId);
    assert(channel !== undefined, 'Channels are never deleted.', { ...place });
    return channel;
  };
  return { actor, rights, channel: at(from), target: at(to) };
}

async function moveMessages(
  tx: Tx,
  ctx: Pick<Context, 'clock'>,
  { at, from, to, propagateMode, isResolveToggle }: LargeMove,
  { actor, rights, channel, target }: Scene,
  moved: readonly Movable[],
): Promise<void> {
  const [first] = moved;
  if (first === undefined) return;
  // The event is about this message and the others: clients expect that it names one that moved.
  const [message] = await listMessageRows(tx, actor.id, [first.id]);
  assert(message !== undefined, 'A locked message is there.', { id: first.id });
  await applyEdit(tx, ctx, {
    actor,
    seen: { message, rights, channel },
    change: {
      topic: to.topic === from.topic ? undefined : to.topic,
      target: target === channel ? undefined : target,
      propagateMode,
      isResolveToggle,
    },
    rendered: undefined,
    moved,
    hasMore: true,
    settings: {},
    nowMs: at.getTime(),
  });
}

async function endMove(
  tx: Tx,
  ctx: Pick<Context, 'clock'>,
  move: LargeMove,
  { actor, channel, target }: Scene,
): Promise<void> {
  const { from, to, firstId, moved: count, joinsOthers } = move;
  if (target !== channel) await announceFirstMessage(tx, channel);
  const { isResolveToggle, tellsOldThread, tellsNewThread } = move;
  await followMove(tx, ctx, {
    actor,
    from: { channel, topic: from.topic },
    to: { channel: target, topic: to.topic },
    isResolveToggle,
    tellsOldThread,
    tellsNewThread,
    firstId,
    count,
    isWhole: !(await hasTopic(tx, from.conversationId, from.topic)),
    joinsOthers,
  });
  await deleteLargeMove(tx, move.id);
}
