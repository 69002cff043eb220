// Does what need not be done at once: jobs that actions left in PostgreSQL, and upkeep by the clock.
import type { Context } from '../platform/context.ts';
import { startJobRunner } from '../platform/jobs/runner.ts';
import { UPKEEP } from './upkeep.ts';

export async function startWorker(ctx: Context): Promise<{ stop(): Promise<void> }> {
  const runner = await startJobRunner(ctx, [], UPKEEP);
  return { stop: () => runner.stop() };
}
