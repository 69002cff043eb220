// Sends commands to the engine on behalf of a signed request.
import type { Outcome } from '@rialto/matching';
import type { TradingContext } from '../../context.ts';
import type { ClientCommand } from '../../engine/command.ts';
import { EngineFailure, type Engine, type EngineCaller } from '../../engine/door.ts';
import { Refusal } from '../../../platform/http/refusal.ts';
import { pause } from '../../../platform/std/wait.ts';
import type { PrivateCaller } from '../../http/authenticate.ts';
import { getError, refuse } from '../../http/errors.ts';

/** The signer of the request, as the engine is told. */
export const toCaller = ({ account, keyId }: PrivateCaller): EngineCaller => ({
  account: Number(account.id),
  keyId,
});

/** For commands that must not be taken after the request's own window: orders and amendments. */
export async function submitInWindow(
  ctx: TradingContext,
  caller: PrivateCaller,
  command: ClientCommand,
): Promise<Outcome> {
  const { signedMs, windowMs } = caller;
  try {
    return await ctx.engine.submit(command, {
      by: toCaller(caller),
      deadlineMs: signedMs + windowMs,
    });
  } catch (error) {
    if (!(error instanceof EngineFailure) || error.kind !== 'late') throw error;
    throw refuse(
      'TIMESTAMP_OUTSIDE_WINDOW',
      'The request waited for the engine until its window had passed. Nothing was done.',
      { serverTime: String(Math.floor(ctx.clock.now())), recvWindow: String(windowMs) },
    );
  }
}

/** What a placement answers when the core has forgotten ids that the caller cannot have seen. */
export const LOOKUP_AGAIN = Symbol('lookup again');

/** How long to wait for the projection to show ids that the engine has forgotten. */
const LOOKUPS_MS = 1000;
const LOOKUP_PAUSE_MS = 10;

/** Engines that have forgotten an id. Until then an engine knows every one, and no table has to be searched. */
const forgetful = new WeakSet<Engine>();

/**
 * Places without looking up, as long as the engine has forgotten nothing. Then repeats both until the projection has caught
 * up with what it forgot. An attempt is told whether to look up. The engine refuses one that should have.
 */
export async function placeLookedUp<T>(
  { engine }: Pick<TradingContext, 'engine'>,
  attempt: (isLookedUp: boolean) => Promise<T | typeof LOOKUP_AGAIN>,
): Promise<T> {
  if (!forgetful.has(engine)) {
    const placed = await attempt(false);
    if (placed !== LOOKUP_AGAIN) return placed;
    forgetful.add(engine);
  }
  const untilMs = performance.now() + LOOKUPS_MS;
  for (;;) {
    const placed = await attempt(true);
    if (placed !== LOOKUP_AGAIN) return placed;
    if (performance.now() >= untilMs) break;
    await pause(LOOKUP_PAUSE_MS);
  }
  throw refuse(
    'UNAVAILABLE',
    'The record of earlier orders is behind, so the clientOrderId cannot be checked. Nothing was done; try again.',
    {},
    { 'Retry-After': '1' },
  );
}

/** Where the outcome is unknown, the orders may have been placed. */
export const isNothingDone = (error: unknown): boolean =>
  error instanceof Refusal || (error instanceof EngineFailure && error.kind !== 'unknown');

/**
 * Runs what is left after the engine has acted, such as rendering the answer. If that fails, the
 * caller must not be told that nothing was done.
 */
export async function afterActing<T>(
  { log }: Pick<TradingContext, 'log'>,
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isUnavailable =
      !(error instanceof Refusal) || error.code === getError('UNAVAILABLE').code;
    if (!isUnavailable) throw error;
    log.warn({ err: error }, 'What the engine did could not be shown to its caller.');
    throw refuse(
      'TIMEOUT',
      'The engine has acted, but what came of it cannot be shown now. Ask for the order by its id.',
    );
  }
}
