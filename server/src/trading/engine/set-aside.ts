// Sets aside commands that made the core throw: answers them, remembers them, and keeps the halts and results that
// the next takeover writes into the journal.
import type { Context } from '../../platform/context.ts';
import type { Poisoned } from './lead.ts';
import type { Machine } from './machine.ts';
import { failureLine } from './request-lines.ts';
import { marketsOf, type Poisons } from './poisons.ts';
import type { CommandIntake, Intake, IntakeQueue } from './queue.ts';
import type { OperatorResult } from './store.ts';

const FAULT = 'The engine could not carry out this command. It was not done.';

export interface PoisonedCommandsOptions {
  readonly ctx: Pick<Context, 'database' | 'log' | 'metrics'>;
  readonly queue: IntakeQueue;
  readonly poisons: Poisons;
}

interface Unwritten {
  readonly item: CommandIntake;
  readonly error: string;
  readonly operators: readonly OperatorResult[];
}

export class PoisonedCommands {
  readonly #options: PoisonedCommandsOptions;
  /** Set aside since this process last led. */
  #unwritten: Unwritten[] = [];

  constructor(options: PoisonedCommandsOptions) {
    this.#options = options;
  }

  async setAside({ item, others, cause }: Poisoned): Promise<void> {
    const { ctx, queue, poisons } = this.#options;
    ctx.metrics.enginePoisoned();
    ctx.log.error(
      { err: cause, command: item.text },
      'A command made the core throw. It is set aside, and its market halted.',
    );
    const error = String(cause);
    queue.putBack(others);
    await poisons.add(ctx.database.pool, item, cause).catch((failure: unknown) => {
      ctx.log.error({ err: failure }, 'What made the core throw could not be written down.');
    });
    // Copies of the command that wait in the queue are refused now, so they cost no second recovery.
    const isSame = (other: Intake) =>
      other.kind === 'command' && poisons.find(other.command, 'row') !== undefined;
    const all = [item, ...queue.remove(isSame)] as CommandIntake[];
    const result = JSON.stringify({ kind: 'fault', error });
    const operators = all.flatMap(({ operatorId }): OperatorResult[] =>
      operatorId === undefined ? [] : [{ id: operatorId, status: 'refused', result }],
    );
    this.#unwritten.push({ item, error, operators });
    for (const one of all) one.answer(failureLine('fault', FAULT));
  }

  /** Commands that halt the markets of the set-aside commands, if the recovered state knows those markets. */
  haltingCommands(machine: Machine): string[] {
    return this.#unwritten.flatMap(({ item, error }) => {
      // The core ignores `because`; it is in the journal for people who investigate the halt.
      const because = { command: item.text, error };
      const symbols = marketsOf(machine.state, item.command);
      if (symbols.length === 0) return [JSON.stringify({ type: 'tick', because })];
      return symbols.map((symbol) =>
        JSON.stringify({ type: 'set_phase', symbol, phase: 'halted', because }),
      );
    });
  }

  operatorResults(): OperatorResult[] {
    return this.#unwritten.flatMap(({ operators }) => operators);
  }

  /** Call it when the journal has the halts and the results. */
  written(): void {
    this.#unwritten = [];
  }
}
