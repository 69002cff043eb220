// Retries while the database is too busy: that is no reason to end a process that has only begun.
import pg from 'pg';
import type { Log } from '../observe/log.ts';
import { pause } from '../std/wait.ts';
import { PoolFullError } from './pool.ts';

const STATEMENT_CANCELLED = '57014';
const TOO_MANY_CONNECTIONS = '53300';
/** The pool's own errors have no code: none was free in time, or a new one was not open in time. */
const POOL_TIMEOUT =
  /timeout exceeded when trying to connect|Connection terminated due to connection timeout/;

/** Whether a statement took longer than it may. */
export const isStatementCancelled = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === STATEMENT_CANCELLED;

/** Whether the database is there and only too busy. */
export function isDatabaseBusy(error: unknown): boolean {
  if (error instanceof PoolFullError) return true;
  if (error instanceof pg.DatabaseError) {
    return isStatementCancelled(error) || error.code === TOO_MANY_CONNECTIONS;
  }
  return error instanceof Error && POOL_TIMEOUT.test(error.message);
}

/** Each attempt waits up to two seconds for a connection, so this is about half a minute. */
const ATTEMPTS_MAX = 12;
const PAUSE_MS = 250;
const PAUSE_MAX_MS = 1000;

/**
 * Reads what a process needs to begin. While the database is busy it retries; an unreachable or
 * refusing database is reported at once.
 */
export async function readAtStart<T>(log: Pick<Log, 'warn'>, read: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read();
    } catch (error) {
      if (attempt >= ATTEMPTS_MAX || !isDatabaseBusy(error)) throw error;
      log.warn({ err: error, attempt }, 'The database is busy; this start tries again.');
      await pause(Math.min(PAUSE_MS * attempt, PAUSE_MAX_MS));
    }
  }
}
