// Gives a new organization a history: runs the ordinary actions with times in the past, before the first person signs
// in. Nothing else may use another time than now, and only this runs many actions in one transaction.
import type { Context, OriginContext } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { hasAnyMessage } from '../../messages/message/access.ts';
import { assert } from '../../../platform/std/assert.ts';

export interface PastAct {
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  act(ctx: OriginContext): Promise<unknown>;
}

/** Actions that are committed together. */
const BATCH = 200;

/**
 * Runs the actions in the order of their times; returns how many. The organization must have no messages, and no time
 * may be in the future.
 */
export async function importPast(
  ctx: Context,
  publicUrl: string,
  acts: readonly PastAct[],
): Promise<number> {
  const isWritten = await hasAnyMessage(ctx.db);
  assert(!isWritten, 'a past is imported into an organization without messages');
  const nowMs = ctx.clock.now();
  const ordered = acts.toSorted((a, b) => a.atMs - b.atMs);
  const last = ordered.at(-1)?.atMs ?? 0;
  assert(last <= nowMs, 'an imported history has no times in the future', { last, nowMs });
  for (let from = 0; from < ordered.length; from += BATCH) {
    await ctx.inTransaction(async (tx) => {
      for (const { atMs, act } of ordered.slice(from, from + BATCH)) {
        await act(contextAt(ctx, tx, atMs, publicUrl));
      }
    });
  }
  return ordered.length;
}

/** A context in which every action happens at that time and in this transaction. */
function contextAt(ctx: Context, tx: Tx, atMs: number, publicUrl: string): OriginContext {
  return {
    ...ctx,
    db: tx,
    clock: { now: () => atMs },
    inTransaction: (work) => work(tx),
    publicUrl: () => publicUrl,
  };
}
