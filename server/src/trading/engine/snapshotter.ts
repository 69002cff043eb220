// Writes snapshots of the engine's state now and then, in a separate thread that follows the
// journal: the matching thread neither copies nor waits.
import { Worker } from 'node:worker_threads';
import type { CoreConfig } from '@rialto/matching';
import pg from 'pg';
import type { Context } from '../../platform/context.ts';
import { withDeadline } from '../../platform/std/wait.ts';
import type { Machine } from './machine.ts';
import { hashBytes } from './recover.ts';
import { writeSnapshot } from './snapshot-store.ts';

export interface Snapshotter {
  /** This many more commands are in the journal since the last snapshot. */
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

export function startSnapshotter(ctx: Context, core: CoreConfig): Snapshotter {
  const every = ctx.config.ENGINE_SNAPSHOT_COMMANDS;
  let thread: Worker | undefined;
  let sinceLast = 0;
  let isBusy = false;

  function onWritten({ seq, ms, bytes }: WrittenSnapshot): void {
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

  let isEarly = true;
  const later = setTimeout(() => {
    isEarly = false;
    takeIfDue();
  }, FIRST_MS).unref();

  function takeIfDue(): void {
    if (isBusy || isEarly || sinceLast < every) return;
    sinceLast = 0;
    isBusy = true;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    getThread().postMessage('snapshot');
  }

  return {
    committed(commands) {
      sinceLast += commands;
      takeIfDue();
    },
    async takeLast(machine) {
      const startedMs = performance.now();
      const client = new pg.Client({
        connectionString: ctx.config.DATABASE_URL,
        application_name: 'rialto last snapshot',
      });
      // A discarded connection may fail once more.
      client.on('error', () => {});
      try {
        const { seq, digest, shard } = machine;
        const bytes = machine.snapshot();
        const write = async () => {
          await client.connect();
          await writeSnapshot(client, { shard, seq, digest, hash: hashBytes(bytes), bytes });
        };
        const leftMs = LAST_MS - (performance.now() - startedMs);
        await withDeadline(write(), Math.max(0, leftMs), 'The snapshot at the stop');
        onWritten({ seq, ms: performance.now() - startedMs, bytes: bytes.length });
      } catch (error) {
        // Its transaction ends with its connection. The next start only has more to replay.
        ctx.log.warn({ err: error }, 'No snapshot could be written at the stop.');
      } finally {
        void client.end().catch(() => {});
      }
    },
    async stop() {
      clearTimeout(later);
      await thread?.terminate();
    },
  };
}
