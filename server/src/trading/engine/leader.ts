// Follows which engine leads a shard. The lease in the database decides; an announcement on the bus is only a reason to
// read the lease, so a forged announcement misleads nobody.
import type pg from 'pg';
import type { Bus } from '../../platform/bus/bus.ts';
import { SUBJECTS } from '../../platform/bus/subjects.ts';
import type { Log } from '../../platform/observe/log.ts';
import { pause } from '../../platform/std/wait.ts';
import { readLease } from './store.ts';

/** How often the lease is read, in case an announcement was lost. */
const LOOK_MS = 500;
/** The least time between two reads of the lease, however many announcements come. */
const LOOK_GAP_MS = 20;

export interface LeaderOptions {
  readonly bus: Bus;
  readonly pool: pg.Pool;
  readonly log: Log;
  readonly shard: number;
  /** Called when a new leader is known, the first one included. */
  onNew(): void;
}

export interface Leader {
  /** Zero while none is known. */
  epoch(): number;
  look(): Promise<void>;
  /** Looks at once, or as soon as the last look is long enough ago. */
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
