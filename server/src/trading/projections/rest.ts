// The projector's rest between two turns, which leaves the machine to the engine.
import type { Bus } from '../../platform/bus/bus.ts';
import { SUBJECTS } from '../../platform/bus/subjects.ts';
import type { Clock } from '../../platform/std/clock.ts';
import { pause } from '../../platform/std/wait.ts';

/**
 * Rest after a stretch, as a share of the time it took. The engine comes first: orders that are being placed are
 * worth more than tables that are up to date at once, and stretches that had time to grow cost less an order,
 * because an order that changes often is written once and every statement holds more.
 */
const REST_SHARE = 0.5;
/** While there is more to do than it gets done, which is when it would take the most from the engine. */
const REST_SHARE_BEHIND = 4;
const REST_MAX_MS = 5000;

export interface RestOptions {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly shard: number;
  readonly lagMaxMs: number;
  readonly stopping: AbortSignal;
}

export interface Rest {
  /** Does not rest when the tables are too old for that; ends when somebody waits for them. */
  after(stretch: { workedMs: number; atMs: number; isBehind: boolean }): Promise<void>;
  stop(): void;
}

export function createRest({ bus, clock, shard, lagMaxMs, stopping }: RestOptions): Rest {
  /** Somebody waits for what is not in the tables yet. */
  let wanted = Promise.withResolvers<void>();
  const asking = bus.subscribe(SUBJECTS.projectionWanted, (text) => {
    if (Number(text) === shard) wanted.resolve();
  });
  return {
    async after({ workedMs, atMs, isBehind }) {
      const leftMs = lagMaxMs - (clock.now() - atMs);
      const wishedMs = workedMs * (isBehind ? REST_SHARE_BEHIND : REST_SHARE);
      const restMs = Math.floor(Math.min(wishedMs, leftMs, REST_MAX_MS));
      if (restMs <= 0 || stopping.aborted) return;
      wanted = Promise.withResolvers<void>();
      const awake = new AbortController();
      const isDisturbed = AbortSignal.any([awake.signal, stopping]);
      await Promise.race([pause(restMs, isDisturbed), wanted.promise]);
      awake.abort();
    },
    stop() {
      wanted.resolve();
      asking.unsubscribe();
    },
  };
}
