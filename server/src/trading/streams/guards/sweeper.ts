// Cancels the orders of guards whose time has come. Every api process looks; a guard is held by the transaction of
// the process that sweeps it.
import { LIMITS } from '@rialto/matching';
import { rarely } from '../../../platform/observe/rarely.ts';
import { pause } from '../../../platform/std/wait.ts';
import type { TradingContext } from '../../context.ts';
import { deleteGuards, holdDueGuard, listGuarded, markSwept } from './store.ts';

export interface GuardSweeper {
  /** A guard was just released, and may be due very soon. */
  lookSoon(): void;
  stop(): Promise<void>;
}

const LOOK_MS = 500;
/** An order may still have been on its way to the engine; its request is taken within a minute, or not at all. */
const AGAIN_MS = 61_000;
const COMPLAIN_EVERY_MS = 5000;

export function startGuardSweeper(ctx: TradingContext): GuardSweeper {
  const stopping = new AbortController();
  const complain = rarely(COMPLAIN_EVERY_MS);
  let bell = Promise.withResolvers<void>();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      bell = Promise.withResolvers<void>();
      try {
        while (!stopping.signal.aborted && (await sweepOne(ctx)));
      } catch (error) {
        complain((keptBack) =>
          ctx.log.warn(
            { err: error, keptBack },
            'Orders of a dropped connection could not be canceled; it is tried again.',
          ),
        );
      }
      await Promise.race([pause(LOOK_MS, stopping.signal), bell.promise.then(() => pause(20))]);
    }
  }

  const running = run();
  return {
    lookSoon: () => bell.resolve(),
    async stop() {
      stopping.abort();
      bell.resolve();
      await running;
    },
  };
}

/** Whether there was one. */
const sweepOne = (ctx: TradingContext): Promise<boolean> =>
  ctx.inTransaction(async (tx) => {
    const guard = await holdDueGuard(tx);
    if (guard === undefined) return false;
    const { id, keyId, isSwept } = guard;
    const account = Number(guard.accountId);
    const names = await listGuarded(tx, id);
    for (let at = 0; at < names.length; at += LIMITS.batchCancelMax) {
      const orders = names
        .slice(at, at + LIMITS.batchCancelMax)
        .map((clientOrderId) => ({ clientOrderId }));
      // Orders that have ended are refused one by one, which is fine.
      await ctx.engine.submit(
        { type: 'cancel_batch', account, orders, reason: 'disconnect' },
        { by: { account, keyId } },
      );
    }
    if (isSwept || names.length === 0) await deleteGuards(tx, [id]);
    else await markSwept(tx, id, AGAIN_MS);
    return true;
  });
