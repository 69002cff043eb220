// How far the projections are, for their readers: a caller always finds its own writes.
import type { Context } from '../../platform/context.ts';
import { SUBJECTS } from '../../platform/bus/subjects.ts';
import { pause } from '../../platform/std/wait.ts';
import { refuse } from '../http/errors.ts';
import type { Db } from '../../platform/db/pool.ts';
import { findCheckpointSeq, readCheckpointRow, readProgress } from './store.ts';

export { inTransactionOf } from './store.ts';

type ProjectionContext = Pick<Context, 'database' | 'bus'>;

export interface AwaitOptions {
  /** How long to wait for the projections. */
  readonly patienceMs?: number;
  /** What to do then: refuse, or read what is there. */
  readonly orElse?: 'refuse' | 'read';
  readonly shard?: number;
}

const PATIENCE_MS = 1000;

/**
 * Resolves when everything that was in the journal on arrival is in the projections. Refuses with
 * UNAVAILABLE after a second, unless told to read on.
 */
export async function awaitProjection(
  ctx: ProjectionContext,
  { patienceMs = PATIENCE_MS, orElse = 'refuse', shard = 0 }: AwaitOptions = {},
): Promise<void> {
  if (await watchOf(ctx, shard).passed(patienceMs)) return;
  if (orElse === 'read') return;
  throw refuse(
    'UNAVAILABLE',
    'The history is not yet up to date with the engine. Ask again in a second.',
    {},
    { 'Retry-After': '1' },
  );
}

/** How far lookups in the projections reach; goes on a command with a client id. */
export async function readCheckpoint(
  ctx: ProjectionContext,
  shard = 0,
): Promise<{ seq: number; engineSeq: number }> {
  const { seq, engineSeq } = await readCheckpointRow(ctx.database.pool, shard);
  return { seq, engineSeq };
}

/** Reads tables of the projections as one state, and the row of the journal that they reach. */
export const readAtCheckpoint = <T>(
  ctx: Pick<Context, 'inTransaction'>,
  read: (db: Db) => Promise<T>,
  shard = 0,
): Promise<{ readonly seq: number; readonly value: T }> =>
  ctx.inTransaction(
    async (tx) => ({ seq: await findCheckpointSeq(tx, shard), value: await read(tx) }),
    { isolation: 'repeatable read' },
  );

/** Rows of the journal that the projections lack. */
export async function readProjectionLag(
  ctx: Pick<Context, 'database'>,
  shard = 0,
): Promise<number> {
  const { head, seq } = await readProgress(ctx.database.pool, shard);
  return head - seq;
}

/** One per process and shard, for all callers. */
const watches = new WeakMap<object, Map<number, Watch>>();

function watchOf(ctx: ProjectionContext, shard: number): Watch {
  const { pool } = ctx.database;
  let ofPool = watches.get(pool);
  if (ofPool === undefined) watches.set(pool, (ofPool = new Map()));
  let watch = ofPool.get(shard);
  if (watch === undefined) ofPool.set(shard, (watch = new Watch(ctx, shard)));
  return watch;
}

/** While somebody waits, the checkpoint is read this often, in case its bell is lost. */
const POLL_MS = 20;

class Watch {
  readonly #ctx: ProjectionContext;
  readonly #shard: number;
  /** The furthest checkpoint that was seen or announced. */
  #seq = 0;
  #looking: Promise<number> | undefined;
  #next: Promise<number> | undefined;
  #moved = Promise.withResolvers<void>();
  #polling = false;
  #waiting = 0;

  constructor(ctx: ProjectionContext, shard: number) {
    this.#ctx = ctx;
    this.#shard = shard;
    ctx.bus.subscribe(SUBJECTS.projected, (text) => {
      const [about, seq = 0] = text.split(' ').map(Number);
      if (about === shard) this.#learn(seq);
    });
  }

  #learn(seq: number): void {
    if (seq <= this.#seq) return;
    this.#seq = seq;
    this.#moved.resolve();
    this.#moved = Promise.withResolvers<void>();
  }

  async passed(patienceMs: number): Promise<boolean> {
    const deadlineMs = performance.now() + patienceMs;
    const head = await this.#head();
    if (this.#seq >= head) return true;
    this.#waiting += 1;
    void this.#poll();
    try {
      while (this.#seq < head) {
        const leftMs = deadlineMs - performance.now();
        if (leftMs <= 0) return false;
        const late = new AbortController();
        await Promise.race([this.#moved.promise, pause(leftMs, late.signal)]);
        late.abort();
      }
      return true;
    } finally {
      this.#waiting -= 1;
    }
  }

  /** The head of the journal, read after the call: a read already under way may be too old. */
  #head(): Promise<number> {
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
    try {
      const { head, seq } = await readProgress(this.#ctx.database.pool, this.#shard);
      this.#learn(seq);
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
        if (this.#waiting > 0) await this.#head().catch(() => {});
      }
    } finally {
      this.#polling = false;
    }
  }
}
