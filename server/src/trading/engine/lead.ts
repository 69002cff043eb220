// The engine at work: takes waiting requests, applies them, and commits them as one row, while the
// next batch is already being applied. Memory runs ahead of the disk by at most that one batch.
// Nothing is answered before it is on disk, and after any doubt about the disk this memory is not
// used again.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { nextDue, pendingSweeps } from '@rialto/matching';
import type pg from 'pg';
import type { Metrics } from '../../platform/observe/metrics.ts';
import { assert } from '../../platform/std/assert.ts';
import { withDeadline } from '../../platform/std/wait.ts';
import type { FailureKind } from './door.ts';
import type { Machine, Sealed } from './machine.ts';
import { failureLine, outcomeLine, queryAnswerLine } from './request-lines.ts';
import { toOperatorResult } from './operator-result.ts';
import { unpackOutcomes } from './outcomes.ts';
import type { CommandIntake, Intake, IntakeQueue } from './queue.ts';
import { answerRead } from './reads.ts';
import { appendRow, Fenced, readHead, type OperatorResult } from './store.ts';
import type { EngineTime } from './time.ts';

/** Points at which a test may kill the engine. */
export type EnginePoint =
  'recovered' | 'took-over' | 'applying' | 'applied' | 'committing' | 'committed' | 'answered';

export interface LeadOptions {
  readonly machine: Machine;
  readonly epoch: number;
  readonly connection: pg.ClientBase;
  readonly queue: IntakeQueue;
  readonly batchMax: number;
  readonly time: EngineTime;
  readonly metrics: Metrics;
  /** Commands went into the journal. */
  onCommitted(commands: number): void;
  isStopping(): boolean;
  /** Gets the command's text while one is applied: a throw then counts as the core's. */
  probe?(point: EnginePoint, text?: string): void;
}

/** The core threw. The command is to be set aside; the rest of its batch is to be done again. */
export class Poisoned extends Error {
  override name = 'Poisoned';
  readonly item: CommandIntake;
  readonly others: readonly Intake[];
  constructor(item: CommandIntake, others: readonly Intake[], cause: unknown) {
    super('A command made the core throw.', { cause });
    this.item = item;
    this.others = others;
  }
}

interface Batch {
  /** The applied ones: the first of those taken. */
  readonly items: readonly Intake[];
  readonly answers: readonly string[];
  readonly row: Sealed | undefined;
  readonly operators: readonly OperatorResult[];
}

/** Longer than the database's own statement limit: only a silent network gets here. */
const COMMIT_DEADLINE_MS = 6000;
/**
 * How long commands are applied before the event loop gets its turn: refusals and the heartbeat
 * must not wait for accepted commands. Measured in processor time of this thread: on a busy
 * machine, short batches would only make it worse.
 */
const SLICE_US = 20_000;
/** Commands between two looks at the clock. */
const SLICE_STEP = 100;
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Works until it is stopped (then it returns) or until its memory is in doubt (then it throws). */
export async function lead(options: LeadOptions): Promise<void> {
  const { machine, queue, batchMax, time, isStopping, probe } = options;
  let committing: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let ticksWaiting = 0;

  /** When no request arrives, timers still have to fire. */
  function armTimer(): void {
    clearTimeout(timer);
    const due = nextDue(machine.state);
    if (due === Infinity || ticksWaiting > 0) return;
    timer = setTimeout(
      () => {
        ticksWaiting += 1;
        queue.pushFirst(tickItem(() => (ticksWaiting -= 1)));
      },
      Math.min(MAX_TIMER_MS, Math.max(0, Math.ceil(due - time.now()))),
    );
  }

  try {
    armTimer();
    for (;;) {
      const taken = queue.take(batchMax);
      // One bounded step of the remaining sweeps goes with each batch, so that no request waits for
      // all of them. An engine that stops leaves the rest to the next one.
      const sweeps = !isStopping() && pendingSweeps(machine.state) > 0;
      const items = sweeps ? [sweepItem(), ...taken] : taken;
      if (items.length === 0) {
        if (isStopping()) {
          await committing;
          return;
        }
        // A commit that fails while nothing waits must be noticed too.
        await Promise.race([queue.wait(), committing.then(() => queue.wait())]);
        // Requests that arrived in the same turn of the event loop share the batch.
        await nextTurn();
        continue;
      }
      const takenMs = performance.now();
      const batch = tryBatch(options, items);
      const waitedMs = takenMs - (taken[0]?.sinceMs ?? takenMs);
      options.metrics.engineApplied(
        items.length,
        (performance.now() - takenMs) / 1000,
        waitedMs / 1000,
      );
      probe?.('applied');
      // Commands left undone by a throw of the core go back to the queue when the engine has
      // recovered its memory.
      const applied = batch instanceof Poisoned ? items : batch.items;
      const { length: count } = applied;
      queue.putBack(items.slice(count));
      const isFull = queue.length > 0;
      try {
        // Also when the core threw: the row being committed is older, and may well succeed.
        await committing;
        if (batch instanceof Poisoned) throw batch;
        if (batch.row === undefined) await confirm(options);
      } catch (error) {
        // None of these was sent to the disk, so the next leader can do them again. The engine's
        // own step was never in the queue, and will be requested again.
        if (!(error instanceof Poisoned)) queue.putBack(sweeps ? applied.slice(1) : applied);
        throw error;
      }
      if (batch.row === undefined) {
        send(batch);
        queue.finished(count, takenMs, isFull);
      } else {
        committing = commit(options, batch, batch.row).then(() =>
          queue.finished(count, takenMs, isFull),
        );
        // Awaited above; until then its failure must not count as an unhandled rejection.
        committing.catch(() => {});
      }
      armTimer();
    }
  } finally {
    clearTimeout(timer);
    queue.forgetTaken();
  }
}

export function tickItem(onAnswered: () => void): Intake {
  return {
    kind: 'command',
    command: { type: 'tick', time: 0 },
    text: '{"type":"tick"}',
    deadlineMs: 0,
    answer: onAnswered,
  };
}

function sweepItem(): Intake {
  return {
    kind: 'command',
    command: { type: 'sweep', time: 0 },
    text: '{"type":"sweep"}',
    deadlineMs: 0,
    answer: () => {},
  };
}

function tryBatch(options: LeadOptions, items: readonly Intake[]): Batch | Poisoned {
  try {
    return applyBatch(options, items);
  } catch (error) {
    if (error instanceof Poisoned) return error;
    throw error;
  }
}

function applyBatch({ machine, time, probe }: LeadOptions, items: readonly Intake[]): Batch {
  const nowMs = time.now();
  const earliestMs = time.earliest();
  const draft = machine.begin();
  const answers: string[] = [];
  const operators: OperatorResult[] = [];
  const untilUs = spentUs() + SLICE_US;
  for (const [index, item] of items.entries()) {
    if (index % SLICE_STEP === 0 && index > 0 && spentUs() > untilUs) break;
    if (item.kind === 'read') {
      answers.push(queryAnswerLine(answerRead(machine, item.name, item.query)));
      continue;
    }
    if (item.deadlineMs !== 0 && earliestMs > item.deadlineMs) {
      answers.push(failureLine('late', 'The engine took the command after its window had passed.'));
      continue;
    }
    if (item.wave?.isStopped === true) {
      answers.push(failureLine('unavailable', 'A movement before this one has to be looked up.'));
      continue;
    }
    try {
      const { command } = item;
      command.time = machine.stamp(nowMs);
      probe?.('applying', item.text);
      const isOperators = item.operatorId !== undefined;
      const { length: before } = draft.lines;
      // A movement that has to be looked up leaves nothing in the journal; it comes again.
      const always = isOperators && item.wave === undefined;
      const members = machine.apply(draft, command, item.text, { always });
      answers.push(outcomeLine(members));
      if (!isOperators) continue;
      const result = operatorResult(item.operatorId, members);
      if (result === undefined) {
        // Its row keeps waiting, and so do those behind it.
        if (item.wave !== undefined) item.wave.isStopped = true;
        continue;
      }
      operators.push(result);
      // A row ends with a row of the journal. It changed nothing the first time, so it changes
      // nothing now.
      if (draft.lines.length === before) {
        machine.apply(draft, command, item.text, { always: true });
      }
    } catch (error) {
      throw new Poisoned(
        item,
        items.filter((other) => other !== item),
        error,
      );
    }
  }
  const row = draft.lines.length === 0 ? undefined : machine.seal(draft);
  return { items: items.slice(0, answers.length), answers, row, operators };
}

/** Processor time of this thread. */
function spentUs(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

/** How a row ends, by the core's answer; undefined when nothing was decided. */
export function operatorResult(id: number, members: string): OperatorResult | undefined {
  const [outcome] = unpackOutcomes(`{${members}}`);
  assert(outcome !== undefined, 'a command has an outcome', { id });
  return toOperatorResult(id, outcome.result);
}

async function commit(options: LeadOptions, batch: Batch, row: Sealed): Promise<void> {
  const { connection, machine, epoch, metrics, onCommitted, probe } = options;
  const startedMs = performance.now();
  try {
    probe?.('committing');
    await withDeadline(
      appendRow(connection, { ...row, shard: machine.shard, epoch, operators: batch.operators }),
      COMMIT_DEADLINE_MS,
      'A commit of the engine',
    );
  } catch (error) {
    for (const item of batch.items) item.answer(failureLine(...lost(error)));
    throw error;
  }
  probe?.('committed');
  metrics.engineCommitted(row.commandCount, (performance.now() - startedMs) / 1000);
  onCommitted(row.commandCount);
  send(batch);
  probe?.('answered');
}

const lost = (error: unknown): [FailureKind, string] =>
  error instanceof Fenced
    ? // The row was refused, so nothing in it has happened.
      ['unavailable', 'Another engine has taken over. Nothing was done.']
    : ['unknown', 'The commit got no clear answer; ask for the order before repeating it.'];

/** Even a batch that leaves nothing in the journal is answered only by the leading engine. */
async function confirm({ connection, machine, epoch }: LeadOptions): Promise<void> {
  const head = await withDeadline(
    readHead(connection, machine.shard, machine.seq),
    COMMIT_DEADLINE_MS,
    "A look at the journal's head",
  );
  if (head.epoch !== epoch || head.seq !== machine.seq) {
    throw new Fenced(
      `The journal of shard ${machine.shard} is at row ${head.seq} of epoch ${head.epoch}, not at ${machine.seq} of ${epoch}.`,
    );
  }
}

function send({ items, answers }: Batch): void {
  for (const [index, item] of items.entries()) item.answer(answers[index] ?? '');
}
