// Work that ends when nobody waits for it any more. PostgreSQL goes on with a statement until its end, whoever
// has hung up; only another connection can tell it to stop.
import type pg from 'pg';
import { processIdOf, type Database, type Db } from './pool.ts';

export interface Cancelling {
  /** On which the work is done. */
  readonly database: Database;
  /** From which a running statement is told to end; it must not wait behind what it is to cancel. */
  readonly canceller: pg.Pool;
  /** When it aborts, the work ends. */
  readonly signal: AbortSignal;
}

/** Runs `work` on one connection. When the signal aborts, its statement is cancelled and the rest is not begun. */
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
    // If it cannot be told, the limit on the time of a statement ends it.
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
    // What was told to end may end the next statement instead, which would be somebody else's.
    client.release(cancelling !== undefined);
  }
}
