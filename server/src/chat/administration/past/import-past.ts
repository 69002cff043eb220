// Gives a new organization a past: deeds with times of their own, done through the same actions as any
// request, before the first person signs in. It is the only door to another time than now, and it writes
// many deeds in one transaction, which no request does.
import type { Context, OriginContext } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { hasAnyMessage } from '../../messages/message/access.ts';
import { assert } from '../../../platform/std/assert.ts';

export interface PastDeed {
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  act(ctx: OriginContext): Promise<unknown>;
}

/** Deeds that are committed together. */
const BATCH = 200;

/** In the order of their times; returns how many. Nothing may have been written before, or lie ahead. */
export async function importPast(
  ctx: Context,
  publicUrl: string,
  deeds: readonly PastDeed[],
): Promise<number> {
  const isWritten = await hasAnyMessage(ctx.db);
  assert(!isWritten, 'a past is imported into an organization without messages');
  const nowMs = ctx.clock.now();
  const ordered = deeds.toSorted((a, b) => a.atMs - b.atMs);
  const last = ordered.at(-1)?.atMs ?? 0;
  assert(last <= nowMs, 'a past does not lie ahead', { last, nowMs });
  for (let from = 0; from < ordered.length; from += BATCH) {
    await ctx.inTransaction(async (tx) => {
      for (const { atMs, act } of ordered.slice(from, from + BATCH)) {
        await act(contextAt(ctx, tx, atMs, publicUrl));
      }
    });
  }
  return ordered.length;
}

/** Everything that is done with it is done then, and in this transaction. */
function contextAt(ctx: Context, tx: Tx, atMs: number, publicUrl: string): OriginContext {
  return {
    ...ctx,
    db: tx,
    clock: { now: () => atMs },
    inTransaction: (work) => work(tx),
    publicUrl: () => publicUrl,
  };
}
