// Brings operators' commands from their rows to the engine's queue, in their order. Movements of
// money keep their order even when one has to be looked up first. Nothing else waits for them,
// because a market must be halted whatever the projections do.
import { SUBJECTS } from '../../platform/bus/subjects.ts';
import type { Context } from '../../platform/context.ts';
import { rarely } from '../../platform/observe/rarely.ts';
import type { Machine } from './machine.ts';
import { applyLookup, causeOf, isMovement, movementKey, withCheckpoint } from './movements.ts';
import type { Movement } from './movements.ts';
import { keepLooking } from './operator-bells.ts';
import { OperatorIntake } from './operator-intake.ts';
import { OperatorRows } from './operator-rows.ts';
import type { Poisons } from './poisons.ts';
import type { IntakeQueue } from './queue.ts';
import { parseCommand } from './shapes.ts';
import { findMovements, markHeld, readWaiting, type WaitingCommand } from './operator-store.ts';

export interface Operators {
  /** While the engine works in this epoch with this machine; `stop` waits for work in progress. */
  collect(epoch: number, machine: Machine): { stop(): Promise<void> };
}

interface MovementRow extends WaitingCommand {
  readonly movement: Movement;
}

const PAGE = 100;
/** Movements that are looked up at once. */
const LOOKUP_MAX = 100;
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
  const { bus, config, database, log } = ctx;
  const complain = rarely(COMPLAIN_EVERY_MS);
  /** Movements wait for the projections. */
  let isHeld = false;
  /** Ends the pause before the next look. */
  let wake = () => {};
  const intake = new OperatorIntake({ queue, poisons, onAnswered: () => wake() });
  const onError = (error: unknown) =>
    complain((keptBack) =>
      log.warn({ err: error, keptBack }, "Operators' commands cannot be read or answered."),
    );

  const rows = new OperatorRows(ctx, shard, onError);

  async function look(epoch: number, machine: Machine): Promise<void> {
    intake.beginLook();
    const hasForgotten = machine.state.causesForgottenThrough > 0;
    const toLookUp: MovementRow[] = [];
    // Rows in progress still count as waiting, and must not hide the rows behind them.
    let afterId = 0;
    for (;;) {
      const page = await readWaiting(database.pool, shard, afterId, PAGE);
      for (const row of page) {
        afterId = row.id;
        if (intake.isUnderWay(row.id)) continue;
        const isTaken = await rows.orRefuse(epoch, row.id, () => {
          const movement = parseCommand(row.command, 'row');
          if (!isMovement(movement)) return intake.take(row);
          if (hasForgotten || intake.isWaveStopped) {
            if (toLookUp.length < LOOKUP_MAX) toLookUp.push({ ...row, movement });
            return true;
          }
          // The row must not set the checkpoint itself.
          const isSaid = movement.checkpoint !== undefined;
          return intake.takeMovement(
            isSaid ? { ...row, command: withCheckpoint(row.command, 0) } : row,
          );
        });
        if (!isTaken) return;
      }
      if (page.length < PAGE) break;
    }
    isHeld = false;
    if (toLookUp.length > 0 && !intake.isWaveStopped) await lookUp(epoch, machine, toLookUp);
  }

  async function lookUp(
    epoch: number,
    machine: Machine,
    waiting: readonly MovementRow[],
  ): Promise<void> {
    const found = await findMovements(
      database.pool,
      shard,
      waiting.map(({ movement }) => causeOf(movement)),
    );
    const { causesForgottenThrough: forgotten } = machine.state;
    if (found.checkpoint < forgotten) {
      isHeld = true;
      bus.publish(SUBJECTS.projectionWanted, String(shard));
      complain((keptBack) =>
        log.warn(
          { waiting: waiting.length, projectedThrough: found.checkpoint, forgotten, keptBack },
          'Movements of money wait until the projections show what the engine has forgotten.',
        ),
      );
      await markHeld(
        database.pool,
        waiting.map(({ id }) => id),
      );
      return;
    }
    const lookup = {
      checkpoint: found.checkpoint,
      known: new Map(found.known.map((one) => [movementKey(one), one])),
    };
    for (const { movement, ...row } of waiting) {
      const { answer, text } = applyLookup(row.command, movement, lookup);
      if (answer !== undefined) {
        await rows.end(epoch, row.id, answer);
        continue;
      }
      const send = () => intake.takeMovement({ ...row, command: text });
      if (!(await rows.orRefuse(epoch, row.id, send))) return;
    }
  }

  return {
    collect: (epoch, machine) =>
      keepLooking({
        bus,
        everyMs: config.ENGINE_HEARTBEAT_MS,
        look: () => look(epoch, machine).catch(onError),
        hasAnswered: () => intake.hasAnswered,
        isHeld: () => isHeld,
        onSleep: (end) => (wake = end),
      }),
  };
}
