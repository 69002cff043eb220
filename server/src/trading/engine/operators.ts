// Brings operators' commands from their rows to the engine's queue, in their order. Movements of money keep
// that order among themselves also when one has to be looked up first; nothing else waits for them then,
// because a market must be halted whatever the projections do.
import type { Result } from '@rialto/matching';
import { SUBJECTS } from '../../platform/bus/subjects.ts';
import type { Context } from '../../platform/context.ts';
import { rarely } from '../../platform/observe/rarely.ts';
import { pause } from '../../platform/std/wait.ts';
import type { Machine } from './machine.ts';
import { applyLookup, causeOf, isMovement, movementKey, withCheckpoint } from './movements.ts';
import type { Movement } from './movements.ts';
import { toOperatorResult } from './operator-result.ts';
import type { Poisons } from './poisons.ts';
import type { CommandIntake, IntakeQueue, Wave } from './queue.ts';
import { Misshapen, parseCommand } from './shapes.ts';
import {
  answerWaiting,
  findMovements,
  markHeld,
  readWaiting,
  refuseWaiting,
  type WaitingCommand,
} from './store.ts';

export interface Operators {
  /** While the engine works in this epoch with this machine; `stop` waits for what is under way. */
  collect(epoch: number, machine: Machine): { stop(): Promise<void> };
}

interface MovementRow extends WaitingCommand {
  readonly movement: Movement;
}

/** It made the core throw before. */
class Poisonous extends Error {
  override name = 'Poisonous';
}

const PAGE = 100;
/** Movements that are looked up at once. */
const LOOKUP_MAX = 100;
/** Between two looks, however often the bell is rung: anybody on the bus can ring it. */
const BELL_GAP_MS = 5;
const COMPLAIN_EVERY_MS = 5000;

export interface OperatorsOptions {
  readonly shard: number;
  readonly queue: IntakeQueue;
  readonly poisons: Poisons;
}

export function createOperators(
  ctx: Context,
  { shard, queue, poisons }: OperatorsOptions,
): Operators {
  const { bus, config, database, log, metrics } = ctx;
  const complain = rarely(COMPLAIN_EVERY_MS);
  /** In the queue or just answered; they outlive a loss of memory, as the queue does. */
  const underWay = new Set<number>();
  /** Answered since the last look began: that look may still have seen them waiting. */
  let answered: number[] = [];
  /** Movements that went to the queue together. */
  let wave: Wave = { isStopped: false, open: 0 };
  /** Movements wait for the projections. */
  let isHeld = false;
  let wake = () => {};
  const onError = (error: unknown) =>
    complain((keptBack) =>
      log.warn({ err: error, keptBack }, "Operators' commands cannot be read or answered."),
    );

  /** Each once until it is answered. False when there is no room for it now. */
  function take({ id, command: text, act }: WaitingCommand, ofWave?: Wave): boolean {
    const answer = () => {
      if (ofWave !== undefined) ofWave.open -= 1;
      answered.push(id);
      wake();
    };
    const command = parseCommand(text, 'row');
    const fault = poisons.find(command, 'row');
    if (fault !== undefined) throw new Poisonous(fault);
    underWay.add(id);
    if (act === 'account resume' && command.type === 'suspend_account') {
      poisons.release(command.account);
    }
    if (ofWave !== undefined) ofWave.open += 1;
    const item: CommandIntake = {
      kind: 'command',
      command,
      // A line break is white space in JSON, and the end of a command in the journal.
      text: /[\n\r]/.test(text) ? JSON.stringify(JSON.parse(text)) : text,
      deadlineMs: 0,
      operatorId: id,
      ...(ofWave === undefined ? {} : { wave: ofWave }),
      answer,
    };
    const isTaken = queue.pushUrgent(item);
    if (!isTaken) answer();
    return isTaken;
  }

  async function look(epoch: number, machine: Machine): Promise<void> {
    for (const id of answered) underWay.delete(id);
    answered = [];
    if (wave.isStopped && wave.open === 0) wave = { isStopped: false, open: 0 };
    const hasForgotten = machine.state.causesForgottenThrough > 0;
    const toLookUp: MovementRow[] = [];
    // What is under way still waits in its row, and must not hide what waits behind it.
    let afterId = 0;
    for (;;) {
      const page = await readWaiting(database.pool, shard, afterId, PAGE);
      for (const row of page) {
        afterId = row.id;
        if (underWay.has(row.id)) continue;
        const isTaken = await orRefuse(epoch, row.id, () => {
          const movement = parseCommand(row.command, 'row');
          if (!isMovement(movement)) return take(row);
          if (hasForgotten || wave.isStopped) {
            if (toLookUp.length < LOOKUP_MAX) toLookUp.push({ ...row, movement });
            return true;
          }
          // How far the projections were searched is never the row's to say.
          const isSaid = movement.checkpoint !== undefined;
          return take(isSaid ? { ...row, command: withCheckpoint(row.command, 0) } : row, wave);
        });
        if (!isTaken) return;
      }
      if (page.length < PAGE) break;
    }
    isHeld = false;
    if (toLookUp.length > 0 && !wave.isStopped) await lookUp(epoch, machine, toLookUp);
  }

  /** What cannot be taken at all ends here; those behind it do not wait for it. */
  async function orRefuse(epoch: number, id: number, work: () => boolean): Promise<boolean> {
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
      await refuseWaiting(database.pool, { shard, epoch, id, result }).catch(onError);
      return true;
    }
  }

  async function lookUp(
    epoch: number,
    machine: Machine,
    rows: readonly MovementRow[],
  ): Promise<void> {
    const found = await findMovements(
      database.pool,
      shard,
      rows.map(({ movement }) => causeOf(movement)),
    );
    const { causesForgottenThrough: forgotten } = machine.state;
    if (found.checkpoint < forgotten) {
      isHeld = true;
      bus.publish(SUBJECTS.projectionWanted, String(shard));
      complain((keptBack) =>
        log.warn(
          { waiting: rows.length, projectedThrough: found.checkpoint, forgotten, keptBack },
          'Movements of money wait until the projections show what the engine has forgotten.',
        ),
      );
      await markHeld(
        database.pool,
        rows.map(({ id }) => id),
      );
      return;
    }
    const lookup = {
      checkpoint: found.checkpoint,
      known: new Map(found.known.map((one) => [movementKey(one), one])),
    };
    for (const { movement, ...row } of rows) {
      const { answer, text } = applyLookup(row.command, movement, lookup);
      if (answer !== undefined) {
        await end(epoch, row.id, answer);
        continue;
      }
      const send = () => take({ ...row, command: text }, wave);
      if (!(await orRefuse(epoch, row.id, send))) return;
    }
  }

  /** The journal has it already, so the row ends without it. */
  async function end(epoch: number, id: number, answer: Result): Promise<void> {
    const result = toOperatorResult(id, answer);
    if (result !== undefined) await answerWaiting(database.pool, shard, epoch, result);
  }

  return {
    collect(epoch, machine) {
      const done = new AbortController();
      let rung = true;
      const ring = () => {
        rung = true;
        wake();
      };
      const bells = [
        bus.subscribe(SUBJECTS.operatorBell, ring),
        bus.subscribe(SUBJECTS.projected, () => {
          if (isHeld) ring();
        }),
      ];
      const collecting = (async () => {
        while (!done.signal.aborted) {
          rung = false;
          await look(epoch, machine).catch(onError);
          const sleeping = new AbortController();
          wake = () => sleeping.abort();
          done.signal.addEventListener('abort', wake, { once: true });
          await pause(BELL_GAP_MS, done.signal);
          // What was answered while this looked is not waited for.
          if (!rung && answered.length === 0) {
            await pause(config.ENGINE_HEARTBEAT_MS, sleeping.signal);
          }
          done.signal.removeEventListener('abort', wake);
        }
      })();
      return {
        async stop() {
          done.abort();
          for (const bell of bells) bell.unsubscribe();
          await collecting;
        },
      };
    },
  };
}
