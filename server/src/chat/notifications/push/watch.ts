// Searches the event log for what is worth a notification, apart from sending: whoever sends a message does not wait
// for it. The place in the log and the jobs that come of it are one transaction, so each event is looked at once, by
// one of any number of workers, and none is missed while all of them are down.
import { SUBJECTS } from '../../../platform/bus/subjects.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import type { LoggedEvent } from '../../../platform/events/event.ts';
import { readBounds, readEvents } from '../../../platform/events/log.ts';
import { rarely } from '../../../platform/observe/rarely.ts';
import { pause } from '../../../platform/std/wait.ts';
import { findCandidates, parseWithdrawn } from './candidates.ts';
import { TAKE_BACK, TELL_MESSAGE } from './notification-job-kinds.ts';
import { lockCursor, moveCursor, takeNotified } from './store.ts';

const PAGE = 500;
/** Phones that were told of this many messages are told of the newest ones only. */
const TAKEN_BACK_MAX = 200;
const COMPLAIN_EVERY_MS = 5000;

export function startPushWatch(ctx: Context): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const complain = rarely(COMPLAIN_EVERY_MS);
  let wake = () => {};
  const subscription = ctx.bus.subscribe(SUBJECTS.log, () => wake());

  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      const bell = new AbortController();
      wake = () => bell.abort();
      try {
        if (await searchPage(ctx)) continue;
      } catch (error) {
        complain((keptBack) =>
          ctx.log.warn({ err: error, keptBack }, 'Notifications wait: the log cannot be searched.'),
        );
      }
      await pause(ctx.config.EVENT_POLL_MS, AbortSignal.any([bell.signal, stopping.signal]));
    }
  }

  const watching = watch();
  return {
    async stop() {
      stopping.abort();
      subscription.unsubscribe();
      await watching;
    },
  };
}

/** Whether there may be more. */
export function searchPage(ctx: Context): Promise<boolean> {
  return ctx.inTransaction(async (tx) => {
    const position = await lockCursor(tx);
    if (position === undefined) return false;
    const { head, trimmedThrough } = await readBounds(ctx.database.pool);
    // What the log no longer has is too old to be news.
    const from = Math.max(position, trimmedThrough);
    if (from >= head) return false;
    const events = await readEvents(ctx.database.pool, from, head, PAGE);
    for (const event of events) await look(ctx, tx, event);
    const through = events.at(-1)?.position ?? from;
    await moveCursor(tx, through);
    return through > from && through < head;
  });
}

async function look(ctx: Context, tx: Tx, event: LoggedEvent): Promise<void> {
  if (event.type === 'message') {
    const candidates = await findCandidates(tx, event);
    if (candidates !== undefined) {
      const { messageId, userIds } = candidates;
      await tx.enqueue(TELL_MESSAGE, { messageId, userIds: [...userIds] });
    }
    return;
  }
  const withdrawn = parseWithdrawn(event);
  if (withdrawn === undefined) return;
  const { userId, messageIds } = withdrawn;
  const taken = await takeNotified(
    tx,
    userId === 'everybody' ? undefined : userId,
    messageIds === 'all' ? undefined : messageIds,
  );
  for (const [id, own] of taken) {
    const newest = own.sort((a, b) => a - b).slice(-TAKEN_BACK_MAX);
    await tx.enqueue(TAKE_BACK, { userId: id, messageIds: newest });
  }
}
