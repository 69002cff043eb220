// The life of an engine process: it follows the journal as a standby, takes over when the shard has no
// engine, works, and starts again from the journal whenever its memory is in doubt.
import { CORE_VERSION, NewerCoreError } from '@rialto/matching';
import type pg from 'pg';
import type { Context } from '../../platform/context.ts';
import { SUBJECTS } from '../../platform/bus/subjects.ts';
import { rarely } from '../../platform/observe/rarely.ts';
import { pause } from '../../platform/std/wait.ts';
import { encodeCommand, upgradeText } from './command.ts';
import { doorSubject } from './door.ts';
import { createDoorkeeper } from './doorkeeper.ts';
import { startHeart } from './heart.ts';
import { lead, Poisoned, type EnginePoint } from './lead.ts';
import { DigestMismatch, type Machine } from './machine.ts';
import { failureLine } from './request-lines.ts';
import { createOperators } from './operators.ts';
import { marketsOf, Poisons } from './poisons.ts';
import { IntakeQueue, type CommandIntake, type Intake } from './queue.ts';
import { firstConfig, followJournal, recover } from './recover.ts';
import { parseCommand } from './shapes.ts';
import { settleDue } from './settle.ts';
import { createSigner } from './signature.ts';
import { startSnapshotter, type Snapshotter } from './snapshotter.ts';
import { createStateAudit } from './state-audit.ts';
import {
  appendRow,
  beat,
  Fenced,
  readHead,
  readLease,
  releaseLease,
  type OperatorResult,
} from './store.ts';
import { EngineTime } from './time.ts';

export interface EngineOptions {
  readonly shard?: number;
  /** Called when this process may not go on: it was replaced, or cannot agree with the journal. */
  onFatal(error: Error): void;
  probe?(point: EnginePoint, text?: string): void;
}

export interface EngineRole {
  /** The epoch in which this process works; undefined while it is a standby. */
  epoch(): number | undefined;
  stop(): Promise<void>;
}

/** How often a standby looks at the journal and at the lease. */
const FOLLOW_MS = 100;
const ERROR_PAUSE_MS = 50;
const TICK = '{"type":"tick"}';
const COMPLAIN_EVERY_MS = 5000;
/** Throws in a row without a single good batch between them: then it is not the commands. */
const POISON_MAX = 20;

export function startEngine(ctx: Context, options: EngineOptions): EngineRole {
  const { config, log, bus, database } = ctx;
  const shard = options.shard ?? 0;
  const holder = ctx.id;
  /** Alone by a lock on the database: nobody else can be at work, so there is no silence to wait for. */
  const isAlone = config.NATS_URL === '';
  const core = firstConfig(shard);
  const queue = new IntakeQueue({
    max: config.ENGINE_QUEUE_MAX,
    waitMs: config.ENGINE_WAIT_MS,
  });
  const signer = createSigner(ctx.secrets);
  const poisons = new Poisons(shard);
  const operators = createOperators(ctx, { shard, queue, poisons });
  const stopping = new AbortController();
  const isStopping = () => stopping.signal.aborted;
  const complain = rarely(COMPLAIN_EVERY_MS);
  const snapshotter: Snapshotter = startSnapshotter(ctx, core);
  const stateAudit = createStateAudit(ctx);
  let epoch: number | undefined;
  /** Throws since the last good batch. */
  let inARow = 0;
  /** A standby's memory holds what is in the journal and nothing else, so it outlives its connection. */
  let followed: Machine | undefined;

  async function run(): Promise<void> {
    while (!isStopping()) {
      let connection: pg.PoolClient | undefined;
      let isSound = false;
      try {
        connection = await database.pool.connect();
        // A connection that is lost while it is idle shows at its next use.
        connection.on('error', ignore);
        const machine = followed ?? (await recover(connection, core, log));
        followed = machine;
        options.probe?.('recovered');
        const before = await awaitTurn(connection, machine);
        if (before === undefined) return;
        // From here on the memory runs ahead of the disk.
        followed = undefined;
        await work(connection, machine, before);
        isSound = true;
      } catch (error) {
        if (isFinalWord(error)) return die(error);
        // A row that made the core throw left it half applied.
        if (followed?.isWhole === false) followed = undefined;
        if (error instanceof Poisoned) {
          inARow += 1;
          if (inARow > POISON_MAX) return die(error);
          await setAside(error);
        } else {
          complain((keptBack) =>
            log.warn(
              { err: error, keptBack },
              'The engine starts again from the journal, since it cannot be sure of its memory.',
            ),
          );
          await pause(ERROR_PAUSE_MS, stopping.signal);
        }
      } finally {
        epoch = undefined;
        ctx.metrics.engineLeads(undefined);
        // One that is thrown away may fail once more while it closes.
        if (isSound) connection?.off('error', ignore);
        connection?.release(!isSound);
      }
    }
  }

  function die(error: Error): void {
    stopping.abort();
    refuseWaiting('Another engine has taken over. Nothing was done.');
    log.fatal({ err: error }, 'The engine may not go on.');
    options.onFatal(error);
  }

  /**
   * Follows the journal until the shard has no engine. Gives the epoch of its last row; undefined when this
   * process stops instead.
   */
  async function awaitTurn(
    connection: pg.PoolClient,
    machine: Machine,
  ): Promise<number | undefined> {
    /** Whoever wrote a row of a new epoch has taken over, also before its first heartbeat. */
    let newest = { epoch: 0, seenMs: 0 };
    while (!isStopping()) {
      const lease = await readLease(connection, shard);
      await followJournal(connection, machine);
      stateAudit.look(machine);
      const head = await readHead(connection, shard);
      if (head.epoch > newest.epoch) newest = { epoch: head.epoch, seenMs: performance.now() };
      const isOfNewest = lease !== undefined && lease.epoch >= newest.epoch;
      // Its own lease, from before it lost its memory, is no reason to wait for anybody.
      const isMine = isOfNewest && lease.holder === holder;
      const heardMs = isOfNewest ? lease.ageMs : performance.now() - newest.seenMs;
      const isSilent = newest.epoch === 0 || heardMs > config.ENGINE_TAKEOVER_MS;
      if (isAlone || isMine || isSilent) {
        if (head.seq === machine.seq) return head.epoch;
        continue;
      }
      // Somebody else is at work: who asked here has been told that nobody knows, and may have looked
      // since. What waits must not be done behind their backs, should this process ever lead again.
      refuseWaiting('Another engine has taken over. Nothing was done.');
      await pause(FOLLOW_MS, stopping.signal);
    }
    return undefined;
  }

  /** Takes over by writing the next row with a new epoch: from then on, nobody else can write. */
  async function takeOver(
    connection: pg.PoolClient,
    machine: Machine,
    before: number,
    clock: EngineTime,
  ): Promise<number> {
    const next = before + 1;
    const halting = await stateAudit.haltingCommands(machine);
    const draft = machine.begin();
    const time = machine.stamp(clock.now());
    // First of all, what fell due meanwhile.
    const opening = [...openingCommands(machine), ...haltsAfterPoison(machine), ...halting];
    for (const text of [TICK, ...opening]) {
      const command = parseCommand(text, 'engine');
      command.time = time;
      machine.apply(draft, command, text, { always: true });
    }
    // The core has the last word on it, and nothing is written before it has agreed.
    if (machine.state.money !== config.MONEY)
      throw new WrongMoney(machine.state.money, config.MONEY);
    try {
      await appendRow(connection, {
        ...machine.seal(draft),
        shard,
        epoch: next,
        operators: afterPoison.flatMap(({ operators: results }) => results),
      });
    } catch (error) {
      if (!(error instanceof Fenced)) throw error;
      // A rival was faster. This memory holds a row that does not exist, so it is dropped.
      throw new LostRace('Another engine took over at the same moment.', { cause: error });
    }
    afterPoison = [];
    options.probe?.('took-over');
    await beat(connection, { shard, epoch: next, holder, clockOffsetMs: 0 });
    return next;
  }

  /** What the configuration asks of the core is a command too, or a replay would come out differently. */
  function openingCommands(machine: Machine): string[] {
    const { rules, money, config: held } = machine.state;
    const memory = config.ENGINE_MEMORY_ORDERS;
    return [
      ...(rules < CORE_VERSION ? [upgradeText()] : []),
      ...(held.memory === memory ? [] : [JSON.stringify({ type: 'set_memory', memory })]),
      ...(money === config.MONEY
        ? []
        : [encodeCommand({ type: 'set_money', money: config.MONEY })]),
    ];
  }

  async function work(connection: pg.PoolClient, machine: Machine, before: number): Promise<void> {
    const wall = () => ctx.clock.now();
    const time = new EngineTime({ wall, notBeforeMs: machine.stamp(0) });
    const mine = await takeOver(connection, machine, before, time);
    await poisons.load(connection);
    ctx.metrics.engineLeads(mine);
    log.info({ shard, epoch: mine, seq: machine.seq }, 'The engine is at work.');
    snapshotter.committed(machine.replayedCommands);
    const heart = startHeart(ctx, {
      shard,
      epoch: mine,
      time,
      machine,
      queue,
      onReplaced: die,
    });
    try {
      await settleDue({
        machine,
        time,
        write: async (row) => {
          await appendRow(connection, { ...row, shard, epoch: mine, operators: [] });
          snapshotter.committed(row.commandCount);
        },
      });
      await serve(connection, machine, mine, time);
    } finally {
      // Or its last beat would take the lease back.
      await heart.stop();
    }
    await releaseLease(connection, shard, mine);
    // Whoever takes over, perhaps of another release, need not wait for it, and has little to replay.
    await snapshotter.takeLast(machine);
  }

  async function serve(
    connection: pg.PoolClient,
    machine: Machine,
    mine: number,
    time: EngineTime,
  ): Promise<void> {
    const doorkeeper = createDoorkeeper({
      shard,
      epoch: mine,
      signer,
      queue,
      poisons,
      metrics: ctx.metrics,
      log,
      toleranceMs: config.ENGINE_CLOCK_TOLERANCE_MS,
      time,
      isStopping,
    });
    const door = bus.serve(doorSubject(shard, mine), doorkeeper);
    epoch = mine;
    const collecting = operators.collect(mine, machine);
    bus.publish(SUBJECTS.engineLeader, `${shard} ${mine}`);
    try {
      await lead({
        machine,
        epoch: mine,
        connection,
        queue,
        batchMax: config.ENGINE_BATCH_MAX,
        time,
        metrics: ctx.metrics,
        isStopping,
        onCommitted: (commands) => {
          inARow = 0;
          bus.publish(SUBJECTS.outboxBell, '');
          snapshotter.committed(commands);
        },
        ...(options.probe === undefined ? {} : { probe: options.probe }),
      });
    } finally {
      door.unsubscribe();
      await collecting.stop();
    }
  }

  /** What made the core throw since this process led last: the next takeover writes it down. */
  let afterPoison: { item: CommandIntake; error: string; operators: OperatorResult[] }[] = [];

  async function setAside({ item, others, cause }: Poisoned): Promise<void> {
    ctx.metrics.enginePoisoned();
    log.error(
      { err: cause, command: item.text },
      'A command made the core throw. It is set aside, and its market halted.',
    );
    const error = String(cause);
    queue.putBack(others);
    await poisons.add(database.pool, item, cause).catch((failure: unknown) => {
      log.error({ err: failure }, 'What made the core throw could not be written down.');
    });
    // Whoever asked for the same meanwhile is spared the recovery that it would cost.
    const isSame = (other: Intake) =>
      other.kind === 'command' && poisons.find(other.command, 'row') !== undefined;
    const all = [item, ...queue.remove(isSame)] as CommandIntake[];
    const result = JSON.stringify({ kind: 'fault', error });
    const operators = all.flatMap(({ operatorId }): OperatorResult[] =>
      operatorId === undefined ? [] : [{ id: operatorId, status: 'refused', result }],
    );
    afterPoison.push({ item, error, operators });
    for (const one of all) one.answer(failureLine('fault', FAULT));
  }

  /** A halt of each market that it was about, as far as the recovered memory knows them. */
  function haltsAfterPoison(machine: Machine): string[] {
    return afterPoison.flatMap(({ item, error }) => {
      // The core ignores `because`: it stands in the journal for whoever looks into it.
      const because = { command: item.text, error };
      const symbols = marketsOf(machine.state, item.command);
      if (symbols.length === 0) return [JSON.stringify({ type: 'tick', because })];
      return symbols.map((symbol) =>
        JSON.stringify({ type: 'set_phase', symbol, phase: 'halted', because }),
      );
    });
  }

  function refuseWaiting(message: string): void {
    for (const item of queue.take(Number.MAX_SAFE_INTEGER)) {
      item.answer(failureLine('unavailable', message));
    }
  }

  const running = run();
  return {
    epoch: () => epoch,
    async stop() {
      stopping.abort();
      queue.nudge();
      await running;
      refuseWaiting('The engine is stopping. Nothing was done.');
      await snapshotter.stop();
    },
  };
}

const ignore = () => {};
const FAULT = 'The engine could not carry out this command. It was not done.';

/** What no new start from the journal would change. */
const isFinalWord = (error: unknown): error is Error =>
  error instanceof Fenced ||
  error instanceof DigestMismatch ||
  error instanceof NewerCoreError ||
  error instanceof WrongMoney;

/** The ledger itself says that the venue deals in something else. */
class WrongMoney extends Error {
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
