// Ends rows of operators' commands without the core: invalid commands, and those that the journal already has.
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

  /** Runs `work`; if the command is invalid, its row is refused, and the rows behind it go on. */
  async orRefuse(epoch: number, id: number, work: () => boolean): Promise<boolean> {
    const { database, log, metrics } = this.#ctx;
    try {
      return work();
    } catch (error) {
      const isPoisonous = error instanceof Poisonous;
      if (!isPoisonous && !(error instanceof Misshapen)) throw error;
      metrics.engineDoorRefused(isPoisonous ? 'poisoned' : 'malformed');
      log.error({ id, err: error }, "An operator's command was refused.");
      const kind = isPoisonous ? 'fault' : 'malformed';
      const result = JSON.stringify({ kind, error: error.message });
      // If that fails, the next look tries again.
      const row = { shard: this.#shard, epoch, id, result };
      await refuseWaiting(database.pool, row).catch(this.#onError);
      return true;
    }
  }

  /** Ends a row whose movement the journal already has. */
  async end(epoch: number, id: number, answer: Result): Promise<void> {
    const result = toOperatorResult(id, answer);
    if (result === undefined) return;
    await answerWaiting(this.#ctx.database.pool, this.#shard, epoch, result);
  }
}
