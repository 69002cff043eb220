// Marks messages read or unread for one person, inside the caller's transaction. What is told of it is the
// caller's to tell.
import type { Db } from '../../../platform/db/pool.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { allThrough, blockOf, blocksToLoad, ReadMarks, toRanges, type Range } from './marks.ts';
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

/** From now until the transaction ends nobody else changes what the person has read of these. */
export async function lockReadState(
  tx: Tx,
  userId: number,
  homeIds: readonly number[],
): Promise<void> {
  await lockMarks(tx, userId, homeIds);
}

/** Marks single messages, each by its home and its number there. */
export async function markMessages(
  tx: Tx,
  userId: number,
  refs: readonly MessageRef[],
  isRead: boolean,
): Promise<void> {
  const byHome = Map.groupBy(refs, ({ homeId }) => homeId);
  const ranges = [...byHome].map(([homeId, own]): [number, Range[]] => [
    homeId,
    toRanges(own.map(({ seq }) => seq)),
  ]);
  await markRanges(tx, userId, new Map(ranges), isRead);
}

/** Stretches of messages by their homes. */
export type Stretches = ReadonlyMap<number, readonly Range[]>;

/** Everything that stands in this conversation now. What has moved away is not in it, what has moved in is. */
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

/** Everything that was sent to these homes so far counts as read: one row for each, whatever was sent. */
export async function markHomes(tx: Tx, userId: number, homeIds: readonly number[]): Promise<void> {
  await lockMarks(tx, userId, homeIds);
  await markHomesThroughHead(tx, userId, homeIds);
}

/**
 * For when people leave a channel: what they had not read there is not waiting for them any more, should
 * they come back. Nothing can be sent there meanwhile: whoever leaves holds the counter.
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

/** For somebody who has just come: what was sent to these homes so far counts as read, but for `unread`. */
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

/** The watermark may pass this many stretches of holes in one go; the next marking goes on from there. */
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
    const marks = new ReadMarks(before, known);
    marks.mark(own, isRead);
    await settle(tx, userId, homeId, marks, head);
    if (isRead) await passHoles(tx, userId, homeId, marks, head);
    await writeMarks(tx, userId, homeId, before, marks.changes());
  }
}

async function settle(
  tx: Tx,
  userId: number,
  homeId: number,
  marks: ReadMarks,
  head: number,
): Promise<void> {
  for (;;) {
    const missing = marks.settle(head);
    if (missing === undefined) return;
    marks.learn(missing, (await findBlocks(tx, userId, homeId, [missing])).get(missing) ?? null);
  }
}

/** Lets the watermark pass what was deleted or never received: nobody will ever read that. */
async function passHoles(
  tx: Tx,
  userId: number,
  homeId: number,
  marks: ReadMarks,
  head: number,
): Promise<void> {
  for (let turn = 0; turn < HOLES_MAX && marks.readThrough < head; turn += 1) {
    const from = marks.readThrough + 1;
    const next = await findNextReceived(tx, userId, homeId, marks.readThrough);
    if (next === from) return;
    const range = { from, through: (next ?? head + 1) - 1 };
    const missing = blocksToLoad([range]).filter((block) => !marks.knows(block));
    for (const [block, bits] of await findBlocks(tx, userId, homeId, missing)) {
      marks.learn(block, bits);
    }
    marks.mark([range], true);
    await settle(tx, userId, homeId, marks, head);
  }
}
