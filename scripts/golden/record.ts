// Records golden journals of this version of the core, once, when the version is finished:
//   node scripts/golden/record.ts --version N
// Drives the simulation's workload through the machine that the engine, a standby and a recovery
// run. Takes seeds until every command, outcome and refusal that the simulation knows occurs in
// some row. An existing folder is never overwritten: a journal recorded by a later tree proves
// nothing.
import { createHash } from 'node:crypto';
import {
  audit,
  CORE_VERSION,
  restore,
  stateHash,
  type Command,
  type Outcome,
} from '@rialto/matching';
import { Coverage } from '../../packages/matching/sim/coverage.ts';
import { Random, mix64 } from '../../packages/matching/sim/random.ts';
import { Workload } from '../../packages/matching/sim/workload.ts';
import { decodeCommand, encodeCommand } from '../../server/src/trading/engine/command.ts';
import { Machine } from '../../server/src/trading/engine/machine.ts';
import { unpackOutcomes } from '../../server/src/trading/engine/outcomes.ts';
import {
  goldenConfig,
  isRecorded,
  summarize,
  writeGolden,
  type GoldenRow,
  type Recording,
} from '../../server/src/testing/trading/golden.ts';
import { drawFewOdd, drawOdd, type OddCommands } from './odd-commands.ts';
import { parseFlags } from '../flags.ts';

const COMMANDS = 2_000;
/** Each command, outcome and refusal stands in the rows at least this often. */
const TIMES = 10;
/** How many seeds are tried before something counts as unreachable. */
const SEEDS = 180;
const SNAPSHOTS = [1 / 3, 2 / 3, 1];

interface Drawn {
  readonly recording: Recording;
  /** How often each case occurs in the rows, by the names of the simulation's coverage. */
  readonly met: ReadonlyMap<string, number>;
}

class Recorder {
  readonly machine: Machine;
  readonly coverage = new Coverage();
  readonly rows: GoldenRow[] = [];
  readonly snapshots = new Map<number, Uint8Array>();
  #draft;
  #epoch = 1;

  constructor(beginning: { shard: number; sweepStep?: number }) {
    this.machine = Machine.empty(goldenConfig(beginning));
    this.#draft = this.machine.begin();
  }

  apply(text: string, time: number, always: boolean): Outcome {
    const lines = this.#draft.lines.length;
    const command = decodeCommand(text, time);
    const members = this.machine.apply(this.#draft, command, text, { always });
    const [outcome] = unpackOutcomes(`{${members}}`);
    if (outcome === undefined) throw new Error('a command has an outcome');
    if (this.#draft.lines.length > lines) this.coverage.add(command, outcome);
    return outcome;
  }

  /**
   * An odd command is recorded if it leaves a sound state; one that makes the core throw is in no
   * row.
   */
  survives(text: string, time: number): boolean {
    const { shard, seq, digest } = this.machine;
    const copy = Machine.restore(this.machine.snapshot(), shard, seq, digest);
    try {
      copy.apply(copy.begin(), decodeCommand(text, time), text);
      return audit(restore(copy.snapshot())).length === 0;
    } catch {
      return false;
    }
  }

  cut(): void {
    if (this.#draft.lines.length === 0) return;
    const { seq, commands, digest } = this.machine.seal(this.#draft);
    this.rows.push({ seq, epoch: this.#epoch, coreVersion: CORE_VERSION, commands, digest });
    this.#draft = this.machine.begin();
  }

  /** Another engine takes over and writes its row. */
  change(text: string, time: number): void {
    this.cut();
    this.#epoch += 1;
    this.apply(text, time, true);
    this.cut();
  }

  keepSnapshot(): void {
    this.cut();
    this.snapshots.set(this.machine.seq, this.machine.snapshot());
  }
}

interface Plan {
  readonly name: string;
  readonly seed: number;
  readonly oddCommands: OddCommands;
  /** Whether it sweeps in the engine's steps, or in those drawn from the seed. */
  readonly isAsEngine: boolean;
}

function draw({ name, seed, oddCommands, isAsEngine }: Plan): Drawn {
  const workload = new Workload(mix64(BigInt(seed)));
  const random = new Random(BigInt(seed));
  const { shard, memory, rules, sweepStep } = workload.world.beginning;
  const beginning = { shard, ...(!isAsEngine && { sweepStep }) };
  const recorder = new Recorder(beginning);
  const { machine } = recorder;
  let time = 0;
  let untilCut = 1;
  for (let i = 0; i < COMMANDS; i += 1) {
    const command = workload.next();
    time = command.time;
    if (i === 0) {
      const text = encodeCommand({ type: 'set_memory', memory });
      recorder.apply(text, time, true);
    }
    // A journal begins with the first rules; the workload upgrades some worlds later.
    if (i === 0 && rules > 1) recorder.change(upgradeText(seed), time);
    // An operator's command is written even if it changes nothing, and so are refusals.
    workload.observe(recorder.apply(textOf(command), time, random.chance(0.6)));
    untilCut -= 1;
    if (untilCut <= 0) {
      recorder.cut();
      untilCut = random.logBetween(1, 120);
    }
    if (random.chance(0.004)) recorder.change('{"type":"tick"}', time);
    if (SNAPSHOTS.some((share) => i + 1 === Math.floor(COMMANDS * share))) {
      const account = random.pick(workload.world.accounts);
      for (const odd of oddCommands(account, workload.world, i)) {
        const text = JSON.stringify(odd);
        if (recorder.survives(text, time)) recorder.apply(text, time, true);
      }
      recorder.keepSnapshot();
    }
  }
  const wrong = audit(machine.state);
  if (wrong.length > 0) throw new Error(`${name}: ${wrong.join('; ')}`);
  const { rows, snapshots, coverage } = recorder;
  const head = {
    name,
    ...beginning,
    rows: rows.length,
    commands: rows.reduce((sum, row) => sum + row.commands.split('\n').length, 0),
    digest: machine.digest.toString('hex'),
    stateHash: stateHash(machine.state),
    snapshots: [...snapshots].map(([seq, bytes]) => ({ seq, sha256: sha256(bytes) })),
  };
  return {
    recording: { head, rows, snapshots, summary: summarize(machine.state) },
    met: coverage.counts,
  };
}

/** The journal of a seed is the same at every recording, so its key is not secret. */
function upgradeText(seed: number): string {
  const hashKey = createHash('sha256').update(String(seed)).digest('hex').slice(0, 32);
  return encodeCommand({ type: 'upgrade', version: CORE_VERSION, hashKey });
}

function textOf(command: Command): string {
  const { time: _, ...untimed } = command;
  return encodeCommand(untimed);
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The seeds that add most to the coverage, until nothing is missing. */
function drawUntilAllIsMet(): Recording[] {
  const missing = new Map([...new Coverage().counts.keys()].map((name) => [name, TIMES]));
  const drawn = Array.from({ length: SEEDS }, (_, i) =>
    draw({ name: `seed-${i + 1}`, seed: i + 1, oddCommands: drawFewOdd, isAsEngine: false }),
  );
  const chosen: Drawn[] = [];
  const take = (one: Drawn): void => {
    chosen.push(one);
    for (const [name, count] of missing) {
      const left = count - (one.met.get(name) ?? 0);
      if (left > 0) missing.set(name, left);
      else missing.delete(name);
    }
  };
  take(draw({ name: 'odd', seed: 1, oddCommands: drawOdd, isAsEngine: true }));
  const gain = ({ met }: Drawn): number =>
    [...missing].reduce((sum, [name, count]) => sum + Math.min(count, met.get(name) ?? 0), 0);
  while (missing.size > 0) {
    const best = drawn
      .filter((one) => !chosen.includes(one))
      .reduce((a, b) => (gain(b) > gain(a) ? b : a));
    if (gain(best) === 0) {
      const names = [...missing].map(([name, count]) => `${name} (${count})`);
      throw new Error(`${SEEDS} seeds do not reach often enough: ${names.join(', ')}.`);
    }
    take(best);
  }
  return chosen.map(({ recording }) => recording);
}

const { values } = parseFlags({ options: { version: { type: 'string' } } });
const version = Number(values.version);
if (version !== CORE_VERSION) {
  throw new Error(`This tree's core has version ${CORE_VERSION}: --version ${CORE_VERSION}.`);
}
if (isRecorded(version)) {
  throw new Error(`Journals of version ${version} are recorded already, and never again.`);
}
const recordings = drawUntilAllIsMet();
for (const { snapshots } of recordings) for (const bytes of snapshots.values()) restore(bytes);
const written = writeGolden(version, recordings);
for (const { head } of recordings) {
  console.log(
    `${head.name}: ${head.commands} commands in ${head.rows} rows, snapshots at ${head.snapshots.map(({ seq }) => seq).join(', ')}`,
  );
}
console.log(`${recordings.length} journals, ${Math.ceil(written / 1024)} KiB`);
