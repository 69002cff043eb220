// Work that ends when its caller has gone. PostgreSQL runs a statement to its end even after the
// client hung up; only another connection can cancel it.
import type pg from 'pg';
import { processIdOf, type Database, type Db } from './pool.ts';

export interface Cancelling {
  /** The pool for the work. */
  readonly database: Database;
  /** The pool for cancelling a running statement; it must not be exhausted by the work. */
  readonly canceller: pg.Pool;
  /** When it aborts, the work ends. */
  readonly signal: AbortSignal;
}

/**
 * Runs `work` on one connection. When the signal aborts, its statement is cancelled and the rest is
 * not begun.
 */
export async function runCancellable<T>(
  { database, canceller, signal }: Cancelling,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const client = await database.pool.connect();
  if (signal.aborted) {
    client.release();
    signal.throwIfAborted();
  }
  let cancelling: Promise<unknown> | undefined;
  const cancel = () => {
    // If the cancel cannot be sent, the statement's time limit ends it.
    cancelling ??= canceller
      .query('SELECT pg_cancel_backend($1)', [processIdOf(client)])
      .catch(() => {});
  };
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const query = (statement: pg.QueryConfig) => {
      signal.throwIfAborted();
      return client.query(statement);
    };
    return await work(database.on({ query: query as pg.PoolClient['query'] }));
  } finally {
    signal.removeEventListener('abort', cancel);
    await cancelling;
    // A late cancel could hit the next statement on this connection, which would be another
    // caller's.
    client.release(cancelling !== undefined);
  }
}
