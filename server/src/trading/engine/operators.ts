// Brings operators' commands from their rows to the engine's queue.
import { SUBJECTS } from '../../platform/bus/subjects.ts';
import type { Context } from '../../platform/context.ts';
import { rarely } from '../../platform/observe/rarely.ts';
import { pause } from '../../platform/std/wait.ts';
import type { Poisons } from './poisons.ts';
import type { IntakeQueue } from './queue.ts';
import { Misshapen, readCommand } from './shapes.ts';
import { readWaiting, refuseWaiting, type WaitingCommand } from './store.ts';

export interface Operators {
  /** While the engine works in this epoch; the promise of `stop` waits for what is under way. */
  collect(epoch: number): { stop(): Promise<void> };
}

/** It made the core throw before. */
class Poisonous extends Error {
  override name = 'Poisonous';
}

const PAGE = 100;
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
  let wake = () => {};
  const onError = (error: unknown) =>
    complain((keptBack) =>
      log.warn({ err: error, keptBack }, "Operators' commands cannot be read or answered."),
    );

  /** Each once until it is answered. False when there is no room for it now. */
  function take({ id, command: text, act }: WaitingCommand): boolean {
    const answer = () => {
      answered.push(id);
      wake();
    };
    const command = readCommand(text, 'row');
    const fault = poisons.find(command, 'row');
    if (fault !== undefined) throw new Poisonous(fault);
    underWay.add(id);
    if (act === 'account resume' && command.type === 'suspend_account') {
      poisons.release(command.account);
    }
    const item = {
      kind: 'command',
      command,
      // A line break is white space in JSON, and the end of a command in the journal.
      text: /[\n\r]/.test(text) ? JSON.stringify(JSON.parse(text)) : text,
      deadlineMs: 0,
      operatorId: id,
      answer,
    } as const;
    const isTaken = queue.pushUrgent(item);
    if (!isTaken) answer();
    return isTaken;
  }

  async function look(epoch: number): Promise<void> {
    for (const id of answered) underWay.delete(id);
    answered = [];
    // What is under way still waits in its row, and must not hide what waits behind it.
    let afterId = 0;
    for (;;) {
      const page = await readWaiting(database.pool, shard, afterId, PAGE);
      for (const row of page) {
        afterId = row.id;
        if (underWay.has(row.id)) continue;
        try {
          if (!take(row)) return;
        } catch (error) {
          const isPoisonous = error instanceof Poisonous;
          if (!isPoisonous && !(error instanceof Misshapen)) throw error;
          metrics.engineDoorRefused(isPoisonous ? 'poisoned' : 'malformed');
          log.error({ id: row.id, err: error }, "An operator's command is not taken.");
          const kind = isPoisonous ? 'fault' : 'malformed';
          const result = JSON.stringify({ kind, error: error.message });
          // Should that fail, it is tried again at the next look; those behind it do not wait for it.
          await refuseWaiting(database.pool, { shard, epoch, id: row.id, result }).catch(onError);
        }
      }
      if (page.length < PAGE) return;
    }
  }

  return {
    collect(epoch) {
      const done = new AbortController();
      let rung = true;
      const bell = bus.subscribe(SUBJECTS.operatorBell, () => {
        rung = true;
        wake();
      });
      const collecting = (async () => {
        while (!done.signal.aborted) {
          rung = false;
          await look(epoch).catch(onError);
          const sleeping = new AbortController();
          wake = () => sleeping.abort();
          done.signal.addEventListener('abort', wake, { once: true });
          await pause(BELL_GAP_MS, done.signal);
          if (!rung) await pause(config.ENGINE_HEARTBEAT_MS, sleeping.signal);
          done.signal.removeEventListener('abort', wake);
        }
      })();
      return {
        async stop() {
          done.abort();
          bell.unsubscribe();
          await collecting;
        },
      };
    },
  };
}
