// Measures how far the consumers of the journal lag behind it, and how much they keep.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../server/src/platform/context.ts';
import { REBUILT_TABLES } from '../../server/src/trading/projections/tables.ts';
import { quantile } from './stats.ts';

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

const SAMPLE_MS = 50;

/** Samples the age of the oldest row of the journal that the tables lack, until stopped; returns its 99th percentile. */
export function watchTables({ database: { pool } }: Context): { stop(): Promise<number> } {
  const ages: number[] = [];
  let isOn = true;
  const sampling = (async () => {
    while (isOn) {
      const { rows } = await pool.query<{ ms: number }>(
        `SELECT coalesce(extract(epoch FROM clock_timestamp() - j.at) * 1000, 0)::float8 AS ms
           FROM projection_checkpoints p
           LEFT JOIN trading_journal j ON j.shard = p.shard AND j.seq = p.seq + 1 WHERE p.shard = 0`,
      );
      ages.push(rows[0]?.ms ?? 0);
      await sleep(SAMPLE_MS);
    }
  })();
  return {
    async stop() {
      isOn = false;
      await sampling;
      return quantile(
        ages.toSorted((a, b) => a - b),
        0.99,
      );
    },
  };
}

/** Bytes of the projections, with their indices, for each command of the journal. */
export async function measureBytes({ database: { pool } }: Context): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>(
    `SELECT ((SELECT sum(pg_total_relation_size(coalesce(i.inhrelid, name::regclass)))
                FROM unnest($1::text[]) AS name LEFT JOIN pg_inherits i ON i.inhparent = name::regclass)
             / (SELECT greatest(1, sum(command_count)) FROM trading_journal))::float8 AS bytes`,
    [[...REBUILT_TABLES]],
  );
  return rows[0]?.bytes ?? Number.NaN;
}
