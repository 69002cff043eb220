// Does what need not be done at once: jobs that actions left in PostgreSQL, upkeep by the clock, and the
// projections of what the engine did.
import type { Context } from '../platform/context.ts';
import { startJobRunner } from '../platform/jobs/runner.ts';
import { startProjector } from '../trading/projections/projector.ts';
import { UPKEEP } from './upkeep.ts';

export async function startWorker(ctx: Context): Promise<{ stop(): Promise<void> }> {
  const runner = await startJobRunner(ctx, [], UPKEEP);
  const projector = startProjector(ctx);
  return {
    async stop() {
      await projector.stop();
      await runner.stop();
    },
  };
}
