// Searches the event log for messages that need notifications. It runs apart from sending, so that senders do not wait
// for it. One transaction moves the position in the log and queues the jobs, so any number of workers handle each event
// exactly once, also after all of them were down.
import { SUBJECTS } from '../../../platform/bus/subjects.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import type { LoggedEvent } from '../../../platform/events/event.ts';
import { readBounds, readOtherEvents } from '../../../platform/events/log.ts';
import { rarely } from '../../../platform/observe/rarely.ts';
import { Bell } from '../../../platform/std/bell.ts';
import { pause } from '../../../platform/std/wait.ts';
import { findCandidates, parseWithdrawn } from './candidates.ts';
import { TAKE_BACK, TELL_MESSAGE } from './notification-job-kinds.ts';
import { lockCursor, moveCursor, takeNotified } from './store.ts';

const PAGE = 500;
/** At most this many notifications of a person are taken back at once; the newest ones count. */
const TAKEN_BACK_MAX = 200;
const COMPLAIN_EVERY_MS = 5000;
/** Between two searches. A busy log rings hundreds of times a second, and a notification can wait so long. */
export const REST_MS = 200;
/** The position moves without a find only after so many others: moving it costs a commit. */
const PASSED_MAX = 20_000;

export function startPushWatch(ctx: Context): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const complain = rarely(COMPLAIN_EVERY_MS);
  const bell = new Bell();
  const subscription = ctx.bus.subscribe(SUBJECTS.log, () => bell.ring());

  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      bell.clear();
      try {
        if (await searchPage(ctx)) continue;
      } catch (error) {
        complain((keptBack) =>
          ctx.log.warn(
            { err: error, keptBack },
            'Push notifications are delayed: the event log cannot be read.',
          ),
        );
      }
      await pause(REST_MS, stopping.signal);
      if (!stopping.signal.aborted) await bell.wait(ctx.config.EVENT_POLL_MS);
    }
  }

  const watching = watch();
  return {
    async stop() {
      stopping.abort();
      bell.ring();
      subscription.unsubscribe();
      await watching;
    },
  };
}

/** Whether there may be more events. */
export function searchPage(ctx: Context): Promise<boolean> {
  return ctx.inTransaction(async (tx) => {
    const position = await lockCursor(tx);
    if (position === undefined) return false;
    const { head, trimmedThrough } = await readBounds(ctx.database.pool);
    // Events that were trimmed from the log are too old for a notification.
    const from = Math.max(position, trimmedThrough);
    if (from >= head) return false;
    const events = await readOtherEvents(ctx.database.pool, from, head, PAGE);
    for (const event of events) await look(ctx, tx, event);
    // After the last of them there may be more.
    const through = events.at(-1)?.position ?? head;
    if (events.length > 0 || head - position > PASSED_MAX) await moveCursor(tx, through);
    return through < head;
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
