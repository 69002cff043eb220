// The projector's pause between two turns, which leaves processor and disk to the engine.
import type { Bus } from '../../platform/bus/bus.ts';
import { SUBJECTS } from '../../platform/bus/subjects.ts';
import type { Clock } from '../../platform/std/clock.ts';
import { pause } from '../../platform/std/wait.ts';

/**
 * The pause after a stretch, as a share of the time that the stretch took. The engine comes first: placing orders
 * matters more than tables that are up to date at once. Longer stretches also cost less per order: an order that
 * changed often is written once, and each statement writes more rows.
 */
const REST_SHARE = 0.5;
/** The share while the projector falls behind, because it would then take the most from the engine. */
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
  /** Pauses, but not when the tables are too old; ends early when a reader waits for them. */
  after(stretch: { workedMs: number; atMs: number; isBehind: boolean }): Promise<void>;
  stop(): void;
}

export function createRest({ bus, clock, shard, lagMaxMs, stopping }: RestOptions): Rest {
  /** Resolved when a reader waits for rows that are not in the tables yet. */
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
