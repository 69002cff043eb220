// Which statements a process sends to PostgreSQL over some of its pools while something runs.
import type pg from 'pg';

type Query = pg.PoolClient['query'];

const watched = new WeakSet<pg.PoolClient>();
const listeners = new WeakMap<pg.Pool, (text: string) => void>();

/**
 * The texts of all statements of `work`, in their order. BEGIN and COMMIT count, because each is a round trip. Nothing
 * else may use these pools meanwhile.
 */
export async function statementsOf(
  pools: readonly pg.Pool[],
  work: () => Promise<unknown>,
): Promise<string[]> {
  const texts: string[] = [];
  const stops = pools.map((pool) => listen(pool, (text) => texts.push(text)));
  try {
    await work();
    return texts;
  } finally {
    for (const stop of stops) stop();
  }
}

function listen(pool: pg.Pool, onStatement: (text: string) => void): () => void {
  const watch = (client: pg.PoolClient): void => {
    if (watched.has(client)) return;
    watched.add(client);
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    client.query = ((...given: unknown[]) => {
      listeners.get(pool)?.(textOf(given[0]));
      return query(...given);
    }) as Query;
  };
  pool.on('acquire', watch);
  listeners.set(pool, onStatement);
  return () => {
    listeners.delete(pool);
    pool.off('acquire', watch);
  };
}

const textOf = (given: unknown): string =>
  (typeof given === 'string' ? given : (given as { text: string }).text)
    .replaceAll(/\s+/g, ' ')
    .trim();
