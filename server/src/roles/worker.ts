// Does what need not be done at once: jobs that actions left in PostgreSQL, upkeep by the clock, and the
// projections of what the engine did.
import type { Context } from '../platform/context.ts';
import { startJobRunner } from '../platform/jobs/runner.ts';
import { startProjector } from '../trading/projections/projector.ts';
import { JOBS } from './jobs.ts';
import { UPKEEP } from './upkeep.ts';

export function startWorker(ctx: Context): { stop(): Promise<void> } {
  const runner = startJobRunner(ctx, JOBS, UPKEEP);
  const projector = startProjector(ctx);
  return {
    async stop() {
      await projector.stop();
      await runner.stop();
    },
  };
}
