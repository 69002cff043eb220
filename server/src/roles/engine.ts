// Matches orders. Any number of processes may have this role; one works, the others follow the journal
// and take over when it falls silent.
import type { Context } from '../platform/context.ts';
import { startEngine, type EngineRole } from '../trading/engine/run.ts';
import type { EnginePoint } from '../trading/engine/lead.ts';

export interface EngineRoleOptions {
  onFatal(error: Error): void;
  /** Lets a test kill the engine at a named point. */
  enginePoint?(point: EnginePoint): void;
}

export function startEngineRole(ctx: Context, options: EngineRoleOptions): EngineRole {
  return startEngine(ctx, {
    onFatal: options.onFatal,
    ...(options.enginePoint === undefined ? {} : { probe: options.enginePoint }),
  });
}
