// The first thing an engine does once it leads, before it takes requests: fires the timers that
// fell due while no engine worked. Nobody may trade with an order that should have ended long
// before.
import { nextDue, pendingSweeps } from '@rialto/matching';
import type { EngineTime } from './time.ts';
import type { Machine, Sealed } from './machine.ts';
import { parseCommand } from './shapes.ts';

/** Bounded steps in one row of the journal. */
const STEPS_PER_ROW = 20;

export interface SettleOptions {
  readonly machine: Machine;
  readonly time: EngineTime;
  write(row: Sealed): Promise<void>;
}

export async function settleDue({ machine, time, write }: SettleOptions): Promise<void> {
  const next = (): string | undefined => {
    if (nextDue(machine.state) <= machine.stamp(time.now())) return '{"type":"tick"}';
    return pendingSweeps(machine.state, 'dead_man') > 0 ? '{"type":"sweep"}' : undefined;
  };
  for (let text = next(); text !== undefined;) {
    const draft = machine.begin();
    for (; text !== undefined && draft.lines.length < STEPS_PER_ROW; text = next()) {
      const command = parseCommand(text, 'engine');
      command.time = machine.stamp(time.now());
      machine.apply(draft, command, text, { always: true });
    }
    await write(machine.seal(draft));
  }
}
