// Watches how far the projections are, once per process and shard for all readers that wait for them.
import { SUBJECTS } from '../../platform/bus/subjects.ts';
import type { Context } from '../../platform/context.ts';
import { pause } from '../../platform/std/wait.ts';
import { readProgress } from './store.ts';

export type ProjectionContext = Pick<Context, 'database' | 'bus'>;

const watches = new WeakMap<object, Map<number, Watch>>();

export function watchOf(ctx: ProjectionContext, shard: number): Watch {
  const { pool } = ctx.database;
  let ofPool = watches.get(pool);
  if (ofPool === undefined) watches.set(pool, (ofPool = new Map()));
  let watch = ofPool.get(shard);
  if (watch === undefined) ofPool.set(shard, (watch = new Watch(ctx, shard)));
  return watch;
}

export interface Passed {
  readonly isPassed: boolean;
  /** The engine event up to which the tables are complete. */
  readonly completeTo: number;
}

/** While somebody waits, the checkpoint is read this often, in case its bell is lost. */
const POLL_MS = 20;

class Watch {
  readonly #ctx: ProjectionContext;
  readonly #shard: number;
  /** The furthest checkpoint that was seen or announced: the row of the journal, and its last event. */
  #seq = 0;
  #engineSeq = 0;
  #looking: Promise<number> | undefined;
  #next: Promise<number> | undefined;
  #moved = Promise.withResolvers<void>();
  #polling = false;
  #waiting = 0;

  constructor(ctx: ProjectionContext, shard: number) {
    this.#ctx = ctx;
    this.#shard = shard;
    ctx.bus.subscribe(SUBJECTS.projected, (text) => {
      const [about, seq = 0, engineSeq] = text.split(' ').map(Number);
      // A worker of an older release does not name the event; the next look finds it.
      if (about === shard && engineSeq !== undefined) this.#learn(seq, engineSeq);
    });
  }

  #learn(seq: number, engineSeq: number): void {
    if (seq <= this.#seq) return;
    this.#seq = seq;
    this.#engineSeq = engineSeq;
    this.#moved.resolve();
    this.#moved = Promise.withResolvers<void>();
  }

  /** Waits for an engine event, or without one for everything that is in the journal now. */
  async pass({
    through,
    patienceMs,
  }: {
    readonly through: number | undefined;
    readonly patienceMs: number;
  }): Promise<Passed> {
    const deadlineMs = performance.now() + patienceMs;
    const isThrough = () => through !== undefined && this.#engineSeq >= through;
    // Nearly every wait for an event ends here: it is older than what was announced.
    if (isThrough()) return this.#passed(true);
    const head = await this.head();
    const isPassed = () => isThrough() || this.#seq >= head;
    if (isPassed()) return this.#passed(true);
    this.#waiting += 1;
    void this.#poll();
    try {
      while (!isPassed()) {
        const leftMs = deadlineMs - performance.now();
        if (leftMs <= 0) return this.#passed(false);
        const late = new AbortController();
        await Promise.race([this.#moved.promise, pause(leftMs, late.signal)]);
        late.abort();
      }
      return this.#passed(true);
    } finally {
      this.#waiting -= 1;
    }
  }

  #passed(isPassed: boolean): Passed {
    return { isPassed, completeTo: this.#engineSeq };
  }

  /** The head of the journal, read after the call: a read already under way may be too old. */
  head(): Promise<number> {
    if (this.#looking === undefined) return this.#begin();
    this.#next ??= this.#looking
      .catch(() => 0)
      .then(() => {
        this.#next = undefined;
        return this.#looking ?? this.#begin();
      });
    return this.#next;
  }

  #begin(): Promise<number> {
    this.#looking = this.#look();
    return this.#looking;
  }

  async #look(): Promise<number> {
    const known = this.#seq;
    try {
      const { head, seq, engineSeq } = await readProgress(
        this.#ctx.database.pool,
        this.#shard,
        known,
      );
      if (seq < known) {
        // The database has lost its last commits in a crash; the projector does them again.
        this.#seq = seq;
        this.#engineSeq = engineSeq;
      }
      this.#learn(seq, engineSeq);
      return head;
    } finally {
      this.#looking = undefined;
    }
  }

  async #poll(): Promise<void> {
    if (this.#polling) return;
    this.#polling = true;
    try {
      while (this.#waiting > 0) {
        // The projector may be resting; it does not rest while somebody waits.
        this.#ctx.bus.publish(SUBJECTS.projectionWanted, String(this.#shard));
        await pause(POLL_MS);
        if (this.#waiting > 0) await this.head().catch(() => {});
      }
    } finally {
      this.#polling = false;
    }
  }
}
