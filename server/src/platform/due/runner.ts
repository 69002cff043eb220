// Runs what falls due at a time that people chose. A row says when; the worker that locks it acts,
// and marks it done in the same transaction. So any number of workers may run, be paused or be
// killed at any moment: each item runs once, and none before its time by the database's clock,
// which is the only clock that all of them share.
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';
import { rarely } from '../observe/rarely.ts';
import { pause } from '../std/wait.ts';

export interface DueList {
  /** Has `id`, `next_try_at` (null: nothing to do) and `attempts`. */
  readonly table: string;
  /**
   * Does it, in the transaction that holds the row, and sets `next_try_at` to null or deletes the
   * row. Throws to have it tried again a little later.
   */
  act(tx: Tx, id: number): Promise<void>;
}

export interface DueRunner {
  stop(): Promise<void>;
}

/** An outage is worth a line now and then, not one per try. */
const COMPLAIN_EVERY_MS = 5000;
const ERROR_PAUSE_MS = 200;
/** Seconds until the next try, doubled each time up to this. */
const RETRY_SECONDS_MAX = 60;

export function startDueRunner(ctx: Context, list: DueList): DueRunner {
  const stopping = new AbortController();
  const { signal } = stopping;
  const complain = rarely(COMPLAIN_EVERY_MS);

  /** Whether there was something to do. */
  async function doOne(): Promise<boolean> {
    let id: number | undefined;
    try {
      await ctx.inTransaction(async (tx) => {
        id = await claim(tx, list.table);
        if (id !== undefined) await list.act(tx, id);
      });
    } catch (error) {
      if (id === undefined) throw error;
      complain((keptBack) =>
        ctx.log.warn({ err: error, id, keptBack }, `${list.table}: this is tried again later.`),
      );
      // A failing item must not keep the others waiting.
      await postpone(ctx.db, list.table, id);
    }
    return id !== undefined;
  }

  async function drain(): Promise<void> {
    while (!signal.aborted && (await doOne())) {
      // Until there is nothing left.
    }
  }

  /** How long to sleep afterwards. */
  async function doWhatIsDue(): Promise<number> {
    if (await doOne()) {
      await Promise.all(Array.from({ length: ctx.config.DUE_CONCURRENCY }, drain));
    }
    return Math.min(ctx.config.DUE_POLL_MS, await untilNext(ctx.db, list.table));
  }

  async function loop(): Promise<void> {
    while (!signal.aborted) {
      let waitMs = ERROR_PAUSE_MS;
      try {
        waitMs = await doWhatIsDue();
      } catch (error) {
        complain((keptBack) =>
          ctx.log.warn({ err: error, keptBack }, `${list.table} could not be read; once more.`),
        );
      }
      await pause(waitMs, signal);
    }
  }

  const running = loop();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** `now()` is when the transaction began, so what is due by it is due. */
async function claim(tx: Tx, table: string): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM ${sql.table(table)} WHERE next_try_at <= now()
     ORDER BY next_try_at LIMIT 1 FOR UPDATE SKIP LOCKED`.execute(tx);
  return rows[0]?.id;
}

async function postpone(db: Db, table: string, id: number): Promise<void> {
  await sql`
    UPDATE ${sql.table(table)}
       SET attempts = attempts + 1,
           next_try_at = now() + least(${RETRY_SECONDS_MAX}, 2 ^ least(attempts, 10)) * interval '1 second'
     WHERE id = ${id} AND next_try_at <= now()`.execute(db);
}

/** Due rows locked by another worker are skipped: if it dies, the next look finds them. */
async function untilNext(db: Db, table: string): Promise<number> {
  const { rows } = await sql<{ ms: number | null }>`
    SELECT (extract(epoch FROM min(next_try_at) - clock_timestamp()) * 1000)::float8 AS ms
      FROM ${sql.table(table)} WHERE next_try_at > now()`.execute(db);
  const ms = rows[0]?.ms ?? null;
  return ms === null ? Infinity : Math.max(1, Math.ceil(ms));
}
