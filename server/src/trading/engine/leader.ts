// Knows which engine leads a shard, by its epoch, as the lease says it. Words on the bus are only a reason to
// look: somebody who invents a leader must not have this process wait for it.
import type pg from 'pg';
import type { Bus } from '../../platform/bus/bus.ts';
import { SUBJECTS } from '../../platform/bus/subjects.ts';
import type { Log } from '../../platform/observe/log.ts';
import { pause } from '../../platform/std/wait.ts';
import { readLease } from './store.ts';

/** How often the lease is read, should the word of a new leader have been lost. */
const LOOK_MS = 500;
/** The least time between two looks at the lease, however often somebody says that there is a new leader. */
const LOOK_GAP_MS = 20;

export interface LeaderOptions {
  readonly bus: Bus;
  readonly pool: pg.Pool;
  readonly log: Log;
  readonly shard: number;
  /** Another engine than before leads, or the first one that is known of. */
  onNew(): void;
}

export interface Leader {
  /** Zero while none is known. */
  epoch(): number;
  look(): Promise<void>;
  /** Looks when the last look is long enough ago. */
  lookSoon(): Promise<void>;
  stop(): Promise<void>;
}

export function followLeader({ bus, pool, log, shard, onNew }: LeaderOptions): Leader {
  const stopping = new AbortController();
  let epoch = 0;
  let isLooking = false;
  let isTold = false;

  async function look(): Promise<void> {
    try {
      const newest = (await readLease(pool, shard))?.epoch ?? 0;
      if (newest <= epoch) return;
      epoch = newest;
      onNew();
    } catch (error) {
      log.debug({ err: error }, 'The lease of the engine cannot be read.');
    }
  }

  async function lookSoon(): Promise<void> {
    isTold = true;
    if (isLooking) return;
    isLooking = true;
    while (isTold && !stopping.signal.aborted) {
      isTold = false;
      await look();
      await pause(LOOK_GAP_MS, stopping.signal);
    }
    isLooking = false;
  }

  const word = bus.subscribe(SUBJECTS.engineLeader, () => void lookSoon());
  const looking = (async () => {
    while (!stopping.signal.aborted) {
      await look();
      await pause(LOOK_MS, stopping.signal);
    }
  })();

  return {
    epoch: () => epoch,
    look,
    lookSoon,
    async stop() {
      stopping.abort();
      word.unsubscribe();
      await looking;
    },
  };
}
