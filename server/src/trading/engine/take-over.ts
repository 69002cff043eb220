// Takes over a shard: writes the next row of the journal with a new epoch, after which no earlier engine can write.
// The row fires due timers and applies the configuration and pending halts.
import { CORE_VERSION } from '@rialto/matching';
import type pg from 'pg';
import type { Config } from '../../platform/config/schema.ts';
import { encodeCommand, upgradeText } from './command.ts';
import type { Machine } from './machine.ts';
import type { EngineParts } from './parts.ts';
import { parseCommand } from './shapes.ts';
import { appendRow, beat, Fenced } from './store.ts';
import type { EngineTime } from './time.ts';

const TICK = '{"type":"tick"}';

/** Takes over after the epoch `before`; returns the new epoch. */
export async function takeOver(
  { ctx, shard, poisoned, stateAudit, probe }: EngineParts,
  connection: pg.PoolClient,
  machine: Machine,
  { before, time: clock }: { before: number; time: EngineTime },
): Promise<number> {
  const { config, id: holder } = ctx;
  const epoch = before + 1;
  const halting = await stateAudit.haltingCommands(machine);
  const draft = machine.begin();
  const time = machine.stamp(clock.now());
  const opening = [
    ...configuredCommands(machine, config),
    ...poisoned.haltingCommands(machine),
    ...halting,
  ];
  // The tick comes first: it fires the timers that fell due while no engine worked.
  for (const text of [TICK, ...opening]) {
    const command = parseCommand(text, 'engine');
    command.time = time;
    machine.apply(draft, command, text, { always: true });
  }
  // The core may have refused to change the kind of money; then nothing is written.
  if (machine.state.money !== config.MONEY) throw new WrongMoney(machine.state.money, config.MONEY);
  try {
    await appendRow(connection, {
      ...machine.seal(draft),
      shard,
      epoch,
      operators: poisoned.operatorResults(),
    });
  } catch (error) {
    if (!(error instanceof Fenced)) throw error;
    // Another engine was faster. This memory holds a row that was never written, so it is dropped.
    throw new LostRace('Another engine took over at the same moment.', { cause: error });
  }
  poisoned.written();
  probe?.('took-over');
  await beat(connection, { shard, epoch, holder, clockOffsetMs: 0 });
  return epoch;
}

/** Configuration reaches the core as commands, so that a replay of the journal gives the same state. */
function configuredCommands({ state }: Machine, config: Config): string[] {
  const { rules, money, config: held } = state;
  const memory = config.ENGINE_MEMORY_ORDERS;
  return [
    ...(rules < CORE_VERSION ? [upgradeText()] : []),
    ...(held.memory === memory ? [] : [JSON.stringify({ type: 'set_memory', memory })]),
    ...(money === config.MONEY ? [] : [encodeCommand({ type: 'set_money', money: config.MONEY })]),
  ];
}

/** The ledger holds another kind of money than MONEY says. */
export class WrongMoney extends Error {
  override name = 'WrongMoney';
  constructor(held: string, given: string) {
    super(
      `The ledger ${held === '' ? 'holds simulated deposits' : `is one of ${held} money`}, and MONEY=${given} was ` +
        'given. What was made out of nothing never becomes real: begin with an empty database.',
    );
  }
}

/** Two standbys tried to write the same row; the loser follows the journal again. */
class LostRace extends Error {
  override name = 'LostRace';
}
