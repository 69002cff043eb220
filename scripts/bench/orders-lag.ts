// Measures how far the consumers of the journal lag behind it.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../server/src/platform/context.ts';

const PATIENCE_MS = 120_000;

export interface Lag {
  /** Until the events of the journal's last row had their positions. */
  readonly eventsLagMs: number;
  /** Until the tables for readers held it. */
  readonly tablesLagMs: number;
}

/** Measures from now, the moment at which the last order of a step was answered. */
export async function measureLag({ database: { pool } }: Context): Promise<Lag> {
  const startedMs = performance.now();
  const sinceStart = () => performance.now() - startedMs;
  const { rows: heads } = await pool.query<{ seq: bigint }>(
    'SELECT max(seq) AS seq FROM trading_journal',
  );
  const head = heads[0]?.seq ?? 0n;
  let eventsLagMs: number | undefined;
  while (sinceStart() < PATIENCE_MS) {
    const { rows } = await pool.query<{ waiting: boolean; seq: bigint }>(
      `SELECT EXISTS (SELECT FROM outbox) AS waiting,
              (SELECT seq FROM projection_checkpoints WHERE shard = 0) AS seq`,
    );
    if (rows[0]?.waiting === false) eventsLagMs ??= sinceStart();
    if (eventsLagMs !== undefined && (rows[0]?.seq ?? 0n) >= head) {
      return { eventsLagMs, tablesLagMs: sinceStart() };
    }
    await sleep(5);
  }
  return { eventsLagMs: eventsLagMs ?? Number.NaN, tablesLagMs: Number.NaN };
}
