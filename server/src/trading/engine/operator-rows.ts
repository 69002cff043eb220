// Ends the rows of operators' commands that never reach the core: those that cannot be taken, and those that the
// journal has already.
import type { Result } from '@rialto/matching';
import type { Context } from '../../platform/context.ts';
import { Poisonous } from './operator-intake.ts';
import { toOperatorResult } from './operator-result.ts';
import { answerWaiting, refuseWaiting } from './operator-store.ts';
import { Misshapen } from './shapes.ts';

type Given = Pick<Context, 'database' | 'log' | 'metrics'>;

export class OperatorRows {
  readonly #ctx: Given;
  readonly #shard: number;
  readonly #onError: (error: unknown) => void;

  constructor(ctx: Given, shard: number, onError: (error: unknown) => void) {
    this.#ctx = ctx;
    this.#shard = shard;
    this.#onError = onError;
  }

  /** Refuses a command that `work` cannot take at all; those behind it do not wait for it. */
  async orRefuse(epoch: number, id: number, work: () => boolean): Promise<boolean> {
    const { database, log, metrics } = this.#ctx;
    try {
      return work();
    } catch (error) {
      const isPoisonous = error instanceof Poisonous;
      if (!isPoisonous && !(error instanceof Misshapen)) throw error;
      metrics.engineDoorRefused(isPoisonous ? 'poisoned' : 'malformed');
      log.error({ id, err: error }, "An operator's command is not taken.");
      const kind = isPoisonous ? 'fault' : 'malformed';
      const result = JSON.stringify({ kind, error: error.message });
      // Should that fail, it is tried again at the next look.
      const row = { shard: this.#shard, epoch, id, result };
      await refuseWaiting(database.pool, row).catch(this.#onError);
      return true;
    }
  }

  /** The journal has it already, so the row ends without it. */
  async end(epoch: number, id: number, answer: Result): Promise<void> {
    const result = toOperatorResult(id, answer);
    if (result === undefined) return;
    await answerWaiting(this.#ctx.database.pool, this.#shard, epoch, result);
  }
}
