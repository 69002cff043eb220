// Follows withdrawals that nobody waits for: an api process may have died between the ledger's answer and its own, and an
// owner may never confirm. Any number of processes may do so.
import { ringEngine } from '../../../platform/bus/bells.ts';
import type { Context } from '../../../platform/context.ts';
import { rarely } from '../../../platform/observe/rarely.ts';
import { pause } from '../../../platform/std/wait.ts';
import { followWithdrawal, giveBack } from './proceed.ts';
import { listUnbooked, listUnconfirmed, lockWithdrawal } from './store.ts';

const LOOK_EVERY_MS = 1000;
const COMPLAIN_EVERY_MS = 60_000;
/** Rows that one look takes; others follow with the next. */
const AT_ONCE_MAX = 200;

export function startWithdrawals(
  ctx: Context,
  { everyMs = LOOK_EVERY_MS }: { readonly everyMs?: number } = {},
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const complain = rarely(COMPLAIN_EVERY_MS);
  const running = (async () => {
    while (!stopping.signal.aborted) {
      try {
        await lookAtWithdrawals(ctx);
      } catch (error) {
        complain((keptBack) =>
          ctx.log.warn({ err: error, keptBack }, 'A look at withdrawals failed.'),
        );
      }
      await pause(everyMs, stopping.signal);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

export async function lookAtWithdrawals(ctx: Context): Promise<void> {
  let moved = 0;
  for (const id of await listUnbooked(ctx.db, AT_ONCE_MAX)) {
    const row = await ctx.inTransaction((tx) => followWithdrawal(ctx, tx, id));
    if (!row.isBooked) moved += 1;
  }
  const at = new Date(ctx.clock.now());
  for (const id of await listUnconfirmed(ctx.db, at, AT_ONCE_MAX)) {
    await ctx.inTransaction(async (tx) => {
      const row = await lockWithdrawal(tx, id);
      // Confirmed or canceled meanwhile.
      if (row?.status !== 'awaiting_confirmation') return;
      await giveBack(ctx, tx, row, 'canceled', 'not_confirmed');
      moved += 1;
    });
  }
  if (moved > 0) ringEngine(ctx);
}
