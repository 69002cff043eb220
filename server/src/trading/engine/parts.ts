// The parts of an engine process that live as long as the process, even when its memory is rebuilt from the
// journal.
import type { CoreConfig } from '@rialto/matching';
import type { Context } from '../../platform/context.ts';
import type { EnginePoint } from './lead.ts';
import { Archive } from './journal/archive.ts';
import { createOperators, type Operators } from './operators.ts';
import { Poisons } from './poisons.ts';
import { IntakeQueue } from './queue.ts';
import { firstConfig } from './recover.ts';
import { PoisonedCommands } from './set-aside.ts';
import { createSigner, type Signer } from './signature.ts';
import { startSnapshotter, type Snapshotter } from './snapshotter.ts';
import { createStateAudit, type StateAudit } from './state-audit.ts';

export interface EngineParts {
  readonly ctx: Context;
  readonly shard: number;
  readonly core: CoreConfig;
  readonly queue: IntakeQueue;
  readonly signer: Signer;
  readonly poisons: Poisons;
  readonly poisoned: PoisonedCommands;
  readonly operators: Operators;
  readonly snapshotter: Snapshotter;
  readonly stateAudit: StateAudit;
  /** Rows of the journal that have left the table. */
  readonly archive: Archive;
  /** Aborted when this process is to stop. */
  readonly stopping: AbortSignal;
  readonly probe: ((point: EnginePoint, text?: string) => void) | undefined;
}

export function createParts(
  ctx: Context,
  { shard, stopping, probe }: Pick<EngineParts, 'shard' | 'stopping' | 'probe'>,
): EngineParts {
  const { config } = ctx;
  const core = firstConfig(shard);
  const queue = new IntakeQueue({
    max: config.ENGINE_QUEUE_MAX,
    waitMs: config.ENGINE_WAIT_MS,
  });
  const poisons = new Poisons(shard);
  return {
    ctx,
    shard,
    core,
    queue,
    signer: createSigner(ctx.secrets),
    poisons,
    poisoned: new PoisonedCommands({ ctx, queue, poisons }),
    operators: createOperators(ctx, { shard, queue, poisons }),
    snapshotter: startSnapshotter(ctx, core),
    stateAudit: createStateAudit(ctx),
    archive: new Archive(ctx.files),
    stopping,
    probe,
  };
}
