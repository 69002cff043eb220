// The life of an engine process: it follows the journal as a standby, takes over when the shard has no
// engine, works, and starts again from the journal whenever its memory is in doubt.
import { NewerCoreError } from '@rialto/matching';
import type pg from 'pg';
import type { Context } from '../../platform/context.ts';
import { rarely } from '../../platform/observe/rarely.ts';
import { pause } from '../../platform/std/wait.ts';
import { Poisoned, type EnginePoint } from './lead.ts';
import { DigestMismatch, type Machine } from './machine.ts';
import { createParts } from './parts.ts';
import { recover } from './recover.ts';
import { awaitTurn, refuseQueued, TAKEN_OVER } from './standby.ts';
import { Fenced } from './store.ts';
import { WrongMoney } from './take-over.ts';
import { work, type WorkListener } from './work.ts';

export interface EngineOptions {
  readonly shard?: number;
  /** Called when this process must end: it was replaced, or its code disagrees with the journal. */
  onFatal(error: Error): void;
  probe?(point: EnginePoint, text?: string): void;
}

export interface EngineRole {
  /** The epoch in which this process works; undefined while it is a standby. */
  epoch(): number | undefined;
  stop(): Promise<void>;
}

const ERROR_PAUSE_MS = 50;
const COMPLAIN_EVERY_MS = 5000;
/** After this many throws of the core without a good batch between them, the fault is not in the commands. */
const POISON_MAX = 20;

export function startEngine(ctx: Context, options: EngineOptions): EngineRole {
  const { log, database } = ctx;
  const stopping = new AbortController();
  const parts = createParts(ctx, {
    shard: options.shard ?? 0,
    stopping: stopping.signal,
    probe: options.probe?.bind(options),
  });
  const { queue, snapshotter } = parts;
  const complain = rarely(COMPLAIN_EVERY_MS);
  let epoch: number | undefined;
  /** Throws since the last good batch. */
  let inARow = 0;
  /** A standby's memory holds exactly what the journal holds, so it can be kept when the connection is lost. */
  let followed: Machine | undefined;
  const listener: WorkListener = {
    onServing: (mine) => (epoch = mine),
    onCommitted: () => (inARow = 0),
    onReplaced: die,
  };

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      let connection: pg.PoolClient | undefined;
      let isSound = false;
      try {
        connection = await database.pool.connect();
        // A connection that is lost while idle fails at its next use.
        connection.on('error', ignore);
        const machine = followed ?? (await recover(connection, parts.core, log, parts.archive));
        followed = machine;
        options.probe?.('recovered');
        const before = await awaitTurn(parts, connection, machine);
        if (before === undefined) return;
        // From now on the memory is ahead of the disk, so it cannot be kept after an error.
        followed = undefined;
        await work(parts, { connection, machine, before }, listener);
        isSound = true;
      } catch (error) {
        if (isFinalWord(error)) return die(error);
        // The core threw in the middle of a row, so the state is half changed.
        if (followed?.isWhole === false) followed = undefined;
        if (error instanceof Poisoned) {
          inARow += 1;
          if (inARow > POISON_MAX) return die(error);
          await parts.poisoned.setAside(error);
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
        // A discarded connection may fail once more while it closes.
        if (isSound) connection?.off('error', ignore);
        connection?.release(!isSound);
      }
    }
  }

  function die(error: Error): void {
    stopping.abort();
    refuseQueued(queue, TAKEN_OVER);
    log.fatal({ err: error }, 'The engine may not go on.');
    options.onFatal(error);
  }

  const running = run();
  return {
    epoch: () => epoch,
    async stop() {
      stopping.abort();
      queue.nudge();
      await running;
      refuseQueued(queue, 'The engine is stopping. Nothing was done.');
      await snapshotter.stop();
    },
  };
}

const ignore = () => {};

/** Errors that starting again from the journal would not change. */
const isFinalWord = (error: unknown): error is Error =>
  error instanceof Fenced ||
  error instanceof DigestMismatch ||
  error instanceof NewerCoreError ||
  error instanceof WrongMoney;
