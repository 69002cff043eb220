// Writes a journal for tests as the engine does: commands go through the core, and a row and its events into one
// commit.
import { unpackOutcomes } from '../../trading/engine/outcomes.ts';
import { decodeCommand, encodeCommand, type NewCommand } from '../../trading/engine/command.ts';
import { Machine } from '../../trading/engine/machine.ts';
import { firstConfig } from '../../trading/engine/recover.ts';
import { appendRow } from '../../trading/engine/store.ts';
import type { Command, Outcome } from '@rialto/matching';
import type { Context } from '../../platform/context.ts';
import { SUBJECTS } from '../../platform/bus/subjects.ts';

export class TestJournal {
  readonly machine: Machine = Machine.empty(firstConfig(0));
  readonly #ctx: Context;
  #draft = this.machine.begin();
  #time = 0;

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  /** Applies a command at its time, or at the last one; `commit` writes it to the journal. */
  apply(command: NewCommand | Command): Outcome {
    if ('time' in command) this.#time = command.time;
    const { time: _, ...untimed } = { time: 0, ...command };
    const text = encodeCommand(untimed);
    const packed = this.machine.apply(this.#draft, decodeCommand(text, this.#time), text);
    const [outcome] = unpackOutcomes(`{${packed}}`);
    if (outcome === undefined) throw new Error('a command has an outcome');
    return outcome;
  }

  /** Writes what was applied since the last commit as one row of the journal, if it changed anything. */
  async commit(): Promise<void> {
    if (this.#draft.lines.length === 0) return;
    const row = this.machine.seal(this.#draft);
    await appendRow(this.#ctx.database.pool, { ...row, shard: 0, epoch: 1, operators: [] });
    this.#draft = this.machine.begin();
    this.#ctx.bus.publish(SUBJECTS.outboxBell, '');
  }
}
