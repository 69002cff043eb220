// Deletes messages that are past the retention time of their channel or of the organization: in small batches, each
// with its event. Read state stays exact, because a deleted message never counts as unread.
//
// A queue says when to look at which conversation, so a run in which nothing is due reads next to nothing, however many
// conversations there are. What the queue says may be too early and is never too late: the look itself decides.
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { DAY_MS, HOUR_MS } from '../../../platform/std/time.ts';
import { readOrganizationSettings } from '../../organization/org/access.ts';
import type { Db } from '../../../platform/db/pool.ts';
import { messagesDeleted } from '../message/events.ts';
import { lockCounters } from '../message/store.ts';
import { deleteRows, removeFromChannel } from './remove.ts';
import {
  findKept,
  listDue,
  listOldest,
  requeue,
  type Kept,
  type Oldest,
} from './retention-store.ts';

/** Messages per transaction. */
const BATCH = 500;
/** Messages per run. The next run continues. */
const MESSAGES_MAX = 20_000;
/** By how much the clocks of two processes may differ: a message that comes now may be that much older. */
const CLOCKS_APART_MS = HOUR_MS;
/** Conversations per run. */
const CONVERSATIONS_MAX = 1000;

/** Deletes messages past their time; returns how many. */
export async function applyRetention(ctx: Context): Promise<number> {
  const due = await listDue(ctx.db, {
    nowMs: Math.floor(ctx.clock.now()),
    organizationDays: await readDays(ctx.db),
    limit: CONVERSATIONS_MAX,
  });
  let deleted = 0;
  for (const conversationId of due) {
    for (let count = BATCH; count === BATCH && deleted < MESSAGES_MAX; deleted += count) {
      count = await ctx.inTransaction((tx) =>
        deleteBatch(tx, conversationId, Math.floor(ctx.clock.now())),
      );
    }
  }
  return deleted;
}

const readDays = async (db: Db): Promise<number> =>
  Number((await readOrganizationSettings(db))['message_retention_days']);

/** Looks at the rule again: somebody may have changed it since the conversation was found. */
async function deleteBatch(tx: Tx, conversationId: number, nowMs: number): Promise<number> {
  await lockCounters(tx, [conversationId]);
  const kept = await findKept(tx, conversationId);
  const days = kept?.days ?? (await readDays(tx));
  if (kept === undefined || days <= 0) return 0;
  const beforeMs = nowMs - days * DAY_MS;
  const oldest = await listOldest(tx, conversationId, BATCH + 1);
  const old = oldest.slice(0, BATCH).filter(({ sentMs }) => sentMs < beforeMs);
  const gone = new Set(old.map(({ id }) => id));
  const left = oldest.filter(({ id }) => !gone.has(id));
  await removeOld(tx, kept, old);
  // Nobody can send while the counter is locked, so what comes next is younger than this.
  const nextMs = nowMs - CLOCKS_APART_MS;
  await requeue(tx, conversationId, Math.min(nextMs, ...left.map(({ sentMs }) => sentMs)));
  return old.length;
}

async function removeOld(tx: Tx, kept: Kept, old: readonly Oldest[]): Promise<void> {
  const { channelId, name, isProtected, people } = kept;
  if (channelId === null || name === null) {
    const ids = await deleteRows(
      tx,
      old.map(({ id }) => id),
    );
    if (ids.length > 0) tx.emit(messagesDeleted(ids, undefined), { users: [...(people ?? [])] });
    return;
  }
  for (const [topic, gone] of Map.groupBy(old, (message) => message.topic)) {
    await removeFromChannel(tx, { channelId, name, isProtected }, topic, gone);
  }
}
