// Taking over a shard: writes the next row of the journal with a new epoch, after which nobody else can
// write. The row opens with what fell due meanwhile and what this process was configured to ask of the core.
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

/** Takes over after the epoch `before`; gives the new one. */
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
  // First of all, what fell due meanwhile.
  const opening = [
    ...configuredCommands(machine, config),
    ...poisoned.haltingCommands(machine),
    ...halting,
  ];
  for (const text of [TICK, ...opening]) {
    const command = parseCommand(text, 'engine');
    command.time = time;
    machine.apply(draft, command, text, { always: true });
  }
  // The core has the last word on it, and nothing is written before it has agreed.
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
    // A competing engine was faster. This memory holds a row that does not exist, so it is dropped.
    throw new LostRace('Another engine took over at the same moment.', { cause: error });
  }
  poisoned.written();
  probe?.('took-over');
  await beat(connection, { shard, epoch, holder, clockOffsetMs: 0 });
  return epoch;
}

/** What the configuration asks of the core is a command too, or a replay would come out differently. */
function configuredCommands({ state }: Machine, config: Config): string[] {
  const { rules, money, config: held } = state;
  const memory = config.ENGINE_MEMORY_ORDERS;
  return [
    ...(rules < CORE_VERSION ? [upgradeText()] : []),
    ...(held.memory === memory ? [] : [JSON.stringify({ type: 'set_memory', memory })]),
    ...(money === config.MONEY ? [] : [encodeCommand({ type: 'set_money', money: config.MONEY })]),
  ];
}

/** The ledger itself says that the venue deals in something else. */
export class WrongMoney extends Error {
  override name = 'WrongMoney';
  constructor(held: string, given: string) {
    super(
      `The ledger ${held === '' ? 'holds simulated deposits' : `is one of ${held} money`}, and MONEY=${given} was ` +
        'given. What was made out of nothing never becomes real: begin with an empty database.',
    );
  }
}

/** Two standbys wanted the same row; the one without it goes back to following. */
class LostRace extends Error {
  override name = 'LostRace';
}
