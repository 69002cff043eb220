// Writes snapshots of the engine's state now and then; the matching thread neither copies nor waits. A standby has the
// state anyway, so it writes them, a little earlier than the leader would. When one is due, the leader looks whether there is
// a newer one than it knows. If so, it does nothing, and needs no second copy of the state. If not, there is no standby, or it
// died: a thread of the leader follows the journal and writes one. So at most twice as many commands as between two
// snapshots are ever without one.
import { Worker } from 'node:worker_threads';
import type { CoreConfig } from '@rialto/matching';
import pg from 'pg';
import type { Context } from '../../platform/context.ts';
import { withDeadline } from '../../platform/std/wait.ts';
import type { Machine } from './machine.ts';
import { readNewestSnapshot, writeSnapshot } from './snapshot-store.ts';

export interface Snapshotter {
  /** A standby has followed the journal with this machine, and another engine leads. */
  followed(machine: Machine): void;
  /** This process leads from now on, with this machine. */
  leads(machine: Machine): void;
  /** This many more commands are in the journal. */
  committed(commands: number): void;
  /** For a machine that will not be used again and is entirely on disk. Given up after a while. */
  takeLast(machine: Machine): Promise<void>;
  stop(): Promise<void>;
}

/** How long an orderly stop may wait for it; the whole stop has less than five seconds. */
const LAST_MS = 2000;

interface WrittenSnapshot {
  readonly seq: number;
  readonly ms: number;
  readonly bytes: number;
}

export interface ThreadData {
  readonly databaseUrl: string;
  readonly core: CoreConfig;
}

/**
 * After a start the machine is busy: everybody who waited asks at once, and a standby starts too.
 */
const FIRST_MS = 3000;
/** A standby writes after this share of the commands, so that it comes before the leader. */
const STANDBY_SHARE = 0.75;
/** For the snapshot of a standby, on a busy disk. */
const STANDBY_MS = 60_000;

export function startSnapshotter(ctx: Context, core: CoreConfig): Snapshotter {
  const every = ctx.config.ENGINE_SNAPSHOT_COMMANDS;
  let thread: Worker | undefined;
  let sinceLast = 0;
  let isBusy = false;
  /** A standby is to write one the next time that it has followed. */
  let isWanted = false;
  /** The newest snapshot that this process knows. */
  let knownSeq = 0;
  /** A standby's machine, and how many commands it had replayed at that snapshot. */
  let mark: { machine: Machine; replayed: number } | undefined;

  const replayedSince = (machine: Machine): number => {
    if (mark?.machine !== machine) {
      mark = { machine, replayed: 0 };
      knownSeq = Math.max(knownSeq, machine.restoredSeq);
    }
    return machine.replayedCommands - mark.replayed;
  };

  function onWritten({ seq, ms, bytes }: WrittenSnapshot): void {
    knownSeq = Math.max(knownSeq, seq);
    ctx.metrics.engineSnapshot(seq, bytes, Date.now() / 1000);
    ctx.log.debug({ seq, ms, bytes }, 'A snapshot of the engine was written.');
  }

  /**
   * Started when the first snapshot is wanted: a quiet venue does without a second copy of its
   * state.
   */
  function getThread(): Worker {
    if (thread !== undefined) return thread;
    const data: ThreadData = { databaseUrl: ctx.config.DATABASE_URL, core };
    const started = new Worker(new URL('snapshot-thread.ts', import.meta.url), {
      workerData: data,
    });
    started.on('message', (written: WrittenSnapshot) => {
      isBusy = false;
      onWritten(written);
    });
    started.on('error', (error) => {
      // The next one is tried after as many commands again; meanwhile a recovery only takes longer.
      ctx.log.error({ err: error }, 'The snapshot thread failed.');
      isBusy = false;
      thread = undefined;
    });
    // It must not keep the process alive.
    started.unref();
    thread = started;
    return started;
  }

  let isStopped = false;
  let isEarly = true;
  const later = setTimeout(() => {
    isEarly = false;
    takeIfDue();
  }, FIRST_MS).unref();

  function takeIfDue(): void {
    if (isBusy || isEarly || sinceLast < every) return;
    sinceLast = 0;
    isBusy = true;
    void takeUnlessThere();
  }

  async function takeUnlessThere(): Promise<void> {
    if (await isThereNewer()) {
      isBusy = false;
      // Others write them, so its copy of the state is not needed.
      const idle = thread;
      thread = undefined;
      await idle?.terminate();
      return;
    }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    if (!isStopped) getThread().postMessage('snapshot');
  }

  /** Has another process written one since this one knew the newest? */
  async function isThereNewer(): Promise<boolean> {
    try {
      const newest = await readNewestSnapshot(ctx.database.pool, core.shard);
      if (newest === undefined || newest.seq <= knownSeq) return false;
      knownSeq = newest.seq;
      ctx.metrics.engineSnapshot(newest.seq, newest.bytes, newest.atMs / 1000);
      return true;
    } catch (error) {
      ctx.log.warn({ err: error }, 'The newest snapshot cannot be looked at.');
      return false;
    }
  }

  async function lookAsStandby(): Promise<void> {
    // Another standby may have been faster, or the leader, which knew of none.
    isWanted = !(await isThereNewer());
    isBusy = false;
  }

  async function takeAsStandby(machine: Machine): Promise<void> {
    try {
      await write(machine, STANDBY_MS, 'rialto standby snapshot');
    } catch (error) {
      // The next one is tried after as many commands again; the leader writes one before.
      ctx.log.warn({ err: error }, 'The standby could not write a snapshot.');
    } finally {
      isBusy = false;
    }
  }

  /** Writes the machine as it is at the moment of the call, on a connection of its own, and gives up after a while. */
  async function write(machine: Machine, withinMs: number, name: string): Promise<void> {
    const startedMs = performance.now();
    const client = new pg.Client({
      connectionString: ctx.config.DATABASE_URL,
      application_name: name,
    });
    // A discarded connection may fail once more.
    client.on('error', () => {});
    try {
      const { seq, digest, shard } = machine;
      const bytes = machine.snapshot();
      const writing = async () => {
        await client.connect();
        await writeSnapshot(client, { shard, seq, digest, bytes });
      };
      const leftMs = withinMs - (performance.now() - startedMs);
      await withDeadline(writing(), Math.max(0, leftMs), 'A snapshot');
      onWritten({ seq, ms: performance.now() - startedMs, bytes: bytes.length });
    } finally {
      // Its transaction ends with its connection.
      void client.end().catch(() => {});
    }
  }

  return {
    followed(machine) {
      if (isBusy || (!isWanted && replayedSince(machine) < every * STANDBY_SHARE)) return;
      isBusy = true;
      mark = { machine, replayed: machine.replayedCommands };
      if (isWanted) {
        isWanted = false;
        // The bytes are made before this returns: when this machine leads, it is ahead of the journal.
        void takeAsStandby(machine);
      } else void lookAsStandby();
    },
    leads(machine) {
      isWanted = false;
      sinceLast = replayedSince(machine);
      takeIfDue();
    },
    committed(commands) {
      sinceLast += commands;
      takeIfDue();
    },
    async takeLast(machine) {
      try {
        await write(machine, LAST_MS, 'rialto last snapshot');
      } catch (error) {
        // The next start only has more to replay.
        ctx.log.warn({ err: error }, 'No snapshot could be written at the stop.');
      }
    },
    async stop() {
      isStopped = true;
      clearTimeout(later);
      await thread?.terminate();
    },
  };
}
