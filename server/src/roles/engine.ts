// The matching engine's place among the roles. The name is already part of the configuration, so that
// a deployment that lists its roles today does not change when the engine arrives.
import type { Context } from '../platform/context.ts';

export function startEngine(ctx: Context): { stop(): Promise<void> } {
  ctx.log.debug('This release has no matching engine: the engine role does nothing.');
  return { stop: async () => {} };
}
