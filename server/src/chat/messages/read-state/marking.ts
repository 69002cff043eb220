// Marks messages as read or unread for one person, inside the caller's transaction. Emits no events; the caller does.
import type { Db } from '../../../platform/db/pool.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import {
  allThrough,
  blockOf,
  blocksToLoad,
  ReadMarks,
  toRanges,
  type Block,
  type Range,
} from './marks.ts';
import {
  findBlocks,
  findNextReceived,
  listConversationHeads,
  listMovedAway,
  listMovedIn,
  lockMarks,
  markAllThroughHead,
  markHomesThroughHead,
  writeMarks,
} from './store.ts';

export interface MessageRef {
  readonly homeId: number;
  readonly seq: number;
}

/** Locks what the person has read of these conversations until the transaction ends. */
export async function lockReadState(
  tx: Tx,
  userId: number,
  homeIds: readonly number[],
): Promise<void> {
  await lockMarks(tx, userId, homeIds);
}

/** Marks single messages, each given by its home (the conversation it was sent to) and its number there. */
export async function markMessages(
  tx: Tx,
  userId: number,
  refs: readonly MessageRef[],
  isRead: boolean,
): Promise<void> {
  await markRanges(tx, userId, rangesOf(refs), isRead);
}

/** Their numbers, by home. */
export function rangesOf(refs: readonly MessageRef[]): Map<number, Range[]> {
  const byHome = Map.groupBy(refs, ({ homeId }) => homeId);
  return new Map([...byHome].map(([homeId, own]) => [homeId, toRanges(own.map(({ seq }) => seq))]));
}

/** Ranges of message numbers by home. */
export type Stretches = ReadonlyMap<number, readonly Range[]>;

/** Everything that is in this conversation now: without messages that moved away, with those that moved in. */
export async function stretchesOf(db: Db, conversationId: number): Promise<Stretches> {
  const stretches = new Map<number, Range[]>();
  const head = (await listConversationHeads(db, [conversationId])).get(conversationId) ?? 0;
  const all = allThrough(head, await listMovedAway(db, conversationId));
  if (all.length > 0) stretches.set(conversationId, all);
  const movedIn = await listMovedIn(db, conversationId);
  for (const [homeId, own] of Map.groupBy(movedIn, (ref) => ref.homeId)) {
    const seqs = toRanges(own.map(({ seq }) => seq));
    stretches.set(homeId, [...(stretches.get(homeId) ?? []), ...seqs]);
  }
  return stretches;
}

export const markStretches = (tx: Tx, userId: number, stretches: Stretches): Promise<void> =>
  markRanges(tx, userId, stretches, true);

/** Marks everything sent to these homes so far as read, with one row per home. */
export async function markHomes(tx: Tx, userId: number, homeIds: readonly number[]): Promise<void> {
  await lockMarks(tx, userId, homeIds);
  await markHomesThroughHead(tx, userId, homeIds);
}

/**
 * For people who leave a channel: marks its messages as read, so that none is unread should they come back. The
 * caller holds the counter, so nothing is sent meanwhile.
 */
export async function forgetUnread(
  tx: Tx,
  userIds: readonly number[],
  conversationId: number,
): Promise<void> {
  const [away, arrived] = [
    await listMovedAway(tx, conversationId),
    await listMovedIn(tx, conversationId),
  ];
  if (away.length === 0 && arrived.length === 0) {
    await markAllThroughHead(tx, userIds, conversationId);
    return;
  }
  for (const userId of [...userIds].sort((a, b) => a - b)) {
    await markStretches(tx, userId, await stretchesOf(tx, conversationId));
  }
}

/** For a new member: marks everything sent to these homes so far as read, except `unread`. */
export async function startReading(
  tx: Tx,
  userId: number,
  homeIds: readonly number[],
  unread: readonly MessageRef[],
): Promise<void> {
  for (const homeId of [...homeIds].sort((a, b) => a - b)) {
    await markAllThroughHead(tx, [userId], homeId);
  }
  await markMessages(tx, userId, unread, false);
}

/** How many ranges of holes the watermark may pass at once. The next marking continues from there. */
const HOLES_MAX = 8;

async function markRanges(
  tx: Tx,
  userId: number,
  ranges: ReadonlyMap<number, readonly Range[]>,
  isRead: boolean,
): Promise<void> {
  if (ranges.size === 0) return;
  const homeIds = [...ranges.keys()];
  const marked = await lockMarks(tx, userId, homeIds);
  const heads = await listConversationHeads(tx, homeIds);
  for (const [homeId, own] of ranges) {
    const before = marked.get(homeId) ?? 0;
    const head = heads.get(homeId) ?? 0;
    const known = await findBlocks(tx, userId, homeId, [
      ...new Set([...blocksToLoad(own), blockOf(before), blockOf(before + 1)]),
    ]);
    const place = { userId, homeId, head };
    const marks = await computeMarks(tx, place, before, known, own, isRead);
    await writeMarks(tx, userId, homeId, before, marks.changes());
  }
}

interface Place {
  readonly userId: number;
  readonly homeId: number;
  /** The number of the newest message there. */
  readonly head: number;
  /** What `findNextReceived` returns for the watermark, if it was read already. */
  readonly next?: number | undefined;
}

/** The marks after these ranges are marked. Reads further blocks if it needs them, and writes nothing. */
export async function computeMarks(
  db: Db,
  place: Place,
  before: number,
  known: ReadonlyMap<number, Block>,
  own: readonly Range[],
  isRead: boolean,
): Promise<ReadMarks> {
  const marks = new ReadMarks(before, known);
  marks.mark(own, isRead);
  await settle(db, place, marks);
  // With a watermark that has not moved, and a message right after it, there is no hole.
  if (isRead && !(marks.readThrough === before && place.next === before + 1)) {
    await passHoles(db, place, marks);
  }
  return marks;
}

async function settle(db: Db, { userId, homeId, head }: Place, marks: ReadMarks): Promise<void> {
  for (;;) {
    const missing = marks.settle(head);
    if (missing === undefined) return;
    marks.learn(missing, (await findBlocks(db, userId, homeId, [missing])).get(missing) ?? null);
  }
}

/** Moves the watermark past messages that were deleted or never received, because they never get read. */
async function passHoles(db: Db, place: Place, marks: ReadMarks): Promise<void> {
  const { userId, homeId, head } = place;
  for (let turn = 0; turn < HOLES_MAX && marks.readThrough < head; turn += 1) {
    const from = marks.readThrough + 1;
    const next = await findNextReceived(db, userId, homeId, marks.readThrough);
    if (next === from) return;
    const range = { from, through: (next ?? head + 1) - 1 };
    const missing = blocksToLoad([range]).filter((block) => !marks.knows(block));
    for (const [block, bits] of await findBlocks(db, userId, homeId, missing)) {
      marks.learn(block, bits);
    }
    marks.mark([range], true);
    await settle(db, place, marks);
  }
}
