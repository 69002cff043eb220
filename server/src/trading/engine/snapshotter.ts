// Writes the engine's state down now and then, in a thread of its own that follows the journal: the
// matching thread neither copies nor waits.
import { Worker } from 'node:worker_threads';
import type { CoreConfig } from '@rialto/matching';
import type { Context } from '../../platform/context.ts';

export interface Snapshotter {
  /** So many commands more stand in the journal after the last snapshot. */
  committed(commands: number): void;
  stop(): Promise<void>;
}

export interface ThreadData {
  readonly databaseUrl: string;
  readonly core: CoreConfig;
}

export function startSnapshotter(ctx: Context, core: CoreConfig): Snapshotter {
  const every = ctx.config.ENGINE_SNAPSHOT_COMMANDS;
  let thread: Worker | undefined;
  let sinceLast = 0;
  let isBusy = false;

  /** Started when the first snapshot is wanted: a quiet venue does without a second copy of its state. */
  function getThread(): Worker {
    if (thread !== undefined) return thread;
    const data: ThreadData = { databaseUrl: ctx.config.DATABASE_URL, core };
    const started = new Worker(new URL('snapshot-thread.ts', import.meta.url), {
      workerData: data,
    });
    started.on('message', ({ seq, ms, bytes }: { seq: number; ms: number; bytes: number }) => {
      isBusy = false;
      ctx.log.debug({ seq, ms, bytes }, 'A snapshot of the engine was written.');
    });
    started.on('error', (error) => {
      // The next one is tried after as many commands again; recovery only takes longer meanwhile.
      ctx.log.error({ err: error }, 'The snapshot thread failed.');
      isBusy = false;
      thread = undefined;
    });
    // It must not keep a process alive that wants to end.
    started.unref();
    thread = started;
    return started;
  }

  return {
    committed(commands) {
      sinceLast += commands;
      if (isBusy || sinceLast < every) return;
      sinceLast = 0;
      isBusy = true;
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      getThread().postMessage('snapshot');
    },
    async stop() {
      await thread?.terminate();
    },
  };
}
