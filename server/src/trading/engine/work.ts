// One epoch of a leading engine: takes over, fires due timers, accepts requests until it is stopped, and releases
// the shard.
import type pg from 'pg';
import { SUBJECTS } from '../../platform/bus/subjects.ts';
import { doorSubject } from './door.ts';
import { Admission } from './admission.ts';
import { Backlog } from './backlog.ts';
import { createDoorkeeper } from './doorkeeper.ts';
import { startHeart } from './heart.ts';
import { lead } from './lead.ts';
import type { Machine } from './machine.ts';
import { readCommandsPerRow } from './overview.ts';
import type { EngineParts } from './parts.ts';
import { settleDue } from './settle.ts';
import { appendRow, releaseLease, type Fenced } from './store.ts';
import { takeOver } from './take-over.ts';
import { EngineTime } from './time.ts';

export interface WorkListener {
  /** The engine accepts requests in this epoch. */
  onServing(epoch: number): void;
  /** A batch is in the journal. */
  onCommitted(): void;
  /** Another engine has taken over while this one worked. */
  onReplaced(error: Fenced): void;
}

/** One epoch, with its state in memory and its time. */
interface Epoch {
  readonly epoch: number;
  readonly connection: pg.PoolClient;
  readonly machine: Machine;
  readonly time: EngineTime;
  readonly admission: Admission;
  readonly backlog: Backlog;
}

/** Takes over after the epoch `before` and leads. Returns when stopped; throws when the memory is in doubt. */
export async function work(
  parts: EngineParts,
  {
    connection,
    machine,
    before,
  }: Pick<Epoch, 'connection' | 'machine'> & { readonly before: number },
  listener: WorkListener,
): Promise<void> {
  const { ctx, shard, queue, poisons, snapshotter } = parts;
  const wall = () => ctx.clock.now();
  const time = new EngineTime({ wall, notBeforeMs: machine.stamp(0) });
  const epoch = await takeOver(parts, connection, machine, { before, time });
  await poisons.load(connection);
  ctx.metrics.engineLeads(epoch);
  ctx.log.info({ shard, epoch, seq: machine.seq }, 'The engine is at work.');
  snapshotter.leads(machine);
  const backlog = new Backlog({
    seq: machine.seq,
    perRow: await readCommandsPerRow(connection, shard, machine.seq),
    nowMs: performance.now(),
  });
  const admission = new Admission(limitOf(ctx.config));
  const heart = startHeart(ctx, {
    shard,
    epoch,
    time,
    machine,
    queue,
    backlog,
    admission,
    onReplaced: listener.onReplaced,
  });
  try {
    await settleDue({
      machine,
      time,
      write: async (row) => {
        await appendRow(connection, { ...row, shard, epoch, operators: [] });
        snapshotter.committed(row.commandCount);
        backlog.committed(row.commandCount);
      },
    });
    await serve(parts, { epoch, connection, machine, time, admission, backlog }, listener);
  } finally {
    // Otherwise its last beat would renew the released lease.
    await heart.stop();
  }
  await releaseLease(connection, shard, epoch);
  // With a released lease and a fresh snapshot the successor starts at once.
  await snapshotter.takeLast(machine);
}

/** The tables rest for up to PROJECTION_LAG_MAX_MS, which is no standstill. */
const RESTS = 4;

const limitOf = ({
  PROJECTION_WAIT_MAX_MS: waitMs,
  PROJECTION_LAG_MAX_MS: lagMs,
}: EngineParts['ctx']['config']): number => (waitMs === 0 ? 0 : Math.max(waitMs, RESTS * lagMs));

async function serve(
  parts: EngineParts,
  { epoch, connection, machine, time, admission, backlog }: Epoch,
  listener: WorkListener,
): Promise<void> {
  const { ctx, shard, queue, signer, poisons, operators, snapshotter, stopping, probe } = parts;
  const { config, bus, log, metrics } = ctx;
  const isStopping = () => stopping.aborted;
  const doorkeeper = createDoorkeeper({
    shard,
    epoch,
    signer,
    queue,
    poisons,
    admission,
    metrics,
    log,
    toleranceMs: config.ENGINE_CLOCK_TOLERANCE_MS,
    time,
    isStopping,
  });
  const door = bus.serve(doorSubject(shard, epoch), doorkeeper);
  listener.onServing(epoch);
  const collecting = operators.collect(epoch, machine);
  bus.publish(SUBJECTS.engineLeader, `${shard} ${epoch}`);
  try {
    await lead({
      machine,
      epoch,
      connection,
      queue,
      batchMax: config.ENGINE_BATCH_MAX,
      time,
      metrics,
      isStopping,
      onCommitted: (commands) => {
        listener.onCommitted();
        bus.publish(SUBJECTS.outboxBell, '');
        snapshotter.committed(commands);
        backlog.committed(commands);
      },
      ...(probe === undefined ? {} : { probe }),
    });
  } finally {
    door.unsubscribe();
    await collecting.stop();
  }
}
