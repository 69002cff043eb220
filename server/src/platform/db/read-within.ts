// Reads that are given up at a moment, because their answer would come too late to be of use.
import type pg from 'pg';
import { isStatementCancelled } from './busy.ts';

/**
 * Runs a read whose statements end at `untilMs` of the monotonic clock; undefined when they did not get ready. Without a time
 * it runs as usual, with the pool's own limit.
 */
export async function readWithin<T>(
  pool: pg.Pool,
  untilMs: number | undefined,
  read: (db: Pick<pg.Pool, 'query'>) => Promise<T>,
): Promise<T | undefined> {
  if (untilMs === undefined) return read(pool);
  const client = await pool.connect();
  let isUsable = false;
  try {
    const leftMs = Math.floor(untilMs - performance.now());
    if (leftMs <= 0) {
      isUsable = true;
      return undefined;
    }
    await client.query(`BEGIN READ ONLY; SET LOCAL statement_timeout = ${leftMs}`);
    try {
      return await read(client);
    } catch (error) {
      if (isStatementCancelled(error)) return undefined;
      throw error;
    } finally {
      await client.query('ROLLBACK');
      isUsable = true;
    }
  } finally {
    // A connection whose transaction could not be ended is not given to anybody else.
    client.release(!isUsable);
  }
}
