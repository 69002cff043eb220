// The projector's pause between two turns: what it gathers meanwhile is written at once.
import type { Bus } from '../../platform/bus/bus.ts';
import { SUBJECTS } from '../../platform/bus/subjects.ts';
import type { Clock } from '../../platform/std/clock.ts';
import { Bell } from '../../platform/std/bell.ts';

/**
 * The pause after a stretch, as a share of the time that the stretch took. Longer stretches cost less per order: an
 * order that changed often is written once, and each statement writes more rows.
 */
const REST_SHARE = 0.5;
/** The share while more comes than one turn writes: then gathering pays most. The age of the tables still bounds it. */
const REST_SHARE_BUSY = 4;
/**
 * The shortest pause. A turn costs some twenty statements and a commit, however little it writes, and the engine writes up to
 * some hundred rows a second: to follow each of them would take a core. Who waits for the tables ends the pause.
 */
const REST_MIN_MS = 100;

export interface RestOptions {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly shard: number;
  readonly lagMaxMs: number;
}

export interface Rest {
  /** Pauses, but not when the tables are too old; ends early when a reader waits for them. */
  after(stretch: { workedMs: number; atMs: number; isBehind: boolean }): Promise<void>;
  stop(): void;
}

export function createRest({ bus, clock, shard, lagMaxMs }: RestOptions): Rest {
  /** Rings when a reader waits for rows that are not in the tables yet. */
  const wanted = new Bell();
  let isStopped = false;
  const asking = bus.subscribe(SUBJECTS.projectionWanted, (text) => {
    if (Number(text) === shard) wanted.ring();
  });
  return {
    async after({ workedMs, atMs, isBehind }) {
      // Nothing is left when the tables are too old: then it never rests, however busy the engine is.
      const leftMs = lagMaxMs - (clock.now() - atMs);
      const shareMs = workedMs * (isBehind ? REST_SHARE_BUSY : REST_SHARE);
      const wishedMs = Math.max(shareMs, REST_MIN_MS);
      const restMs = Math.floor(Math.min(wishedMs, leftMs));
      if (restMs <= 0 || isStopped) return;
      await wanted.wait(restMs);
    },
    stop() {
      isStopped = true;
      wanted.ring();
      asking.unsubscribe();
    },
  };
}
