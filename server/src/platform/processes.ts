// Which processes run. Without a bus there may be only one, because only it hears its own notifications; a second
// one is refused at the start, since both would miss events.
import pg from 'pg';
import type { Role } from './config/schema.ts';
import { pause } from './std/wait.ts';

export class SecondProcessError extends Error {
  override name = 'SecondProcessError';
}

/** Any constant, as long as it stays the same: the advisory lock of one deployment's database. */
const LOCK = 7_241_001;
const ACQUIRE_MS = 3000;
const HEARTBEAT_MS = 5000;
const FRESH = "interval '15 seconds'";

export interface ProcessLock {
  release(): Promise<void>;
}

/**
 * A process without a bus holds the lock exclusively, processes with a bus share it. `onLost` is called when the
 * lock was lost and could not be taken again: the process must end.
 */
export async function lockDatabase(
  url: string,
  isAlone: boolean,
  onLost: (error: Error) => void,
): Promise<ProcessLock> {
  let released = false;
  let client = await acquire();

  async function acquire(): Promise<pg.Client> {
    const deadline = performance.now() + ACQUIRE_MS;
    for (;;) {
      const attempt = new pg.Client({
        connectionString: url,
        application_name: 'rialto process lock',
        keepAlive: true,
      });
      attempt.on('error', () => {});
      await attempt.connect();
      const { rows } = await attempt.query<{ locked: boolean }>(
        `SELECT ${isAlone ? 'pg_try_advisory_lock' : 'pg_try_advisory_lock_shared'}($1) AS locked`,
        [LOCK],
      );
      if (rows[0]?.locked === true) {
        attempt.once('end', () => void reacquire());
        return attempt;
      }
      await attempt.end();
      // PostgreSQL releases the lock of a killed process as soon as it notices.
      if (performance.now() > deadline) {
        throw new SecondProcessError(
          isAlone
            ? 'Another Rialto process uses this database. One process needs only PostgreSQL; several need NATS_URL and REDIS_URL, in every one of them.'
            : 'A Rialto process without NATS uses this database alone. Stop it, or give it NATS_URL and REDIS_URL too.',
        );
      }
      await pause(100);
    }
  }

  async function reacquire(): Promise<void> {
    let lastError: Error | undefined;
    for (let attempt = 0; attempt < 600 && !released; attempt += 1) {
      await pause(Math.min(100 * 2 ** attempt, 1000));
      if (released) return;
      try {
        client = await acquire();
        return;
      } catch (error) {
        lastError = error as Error;
        if (error instanceof SecondProcessError) break;
      }
    }
    if (!released && lastError !== undefined) onLost(lastError);
  }

  return {
    async release() {
      released = true;
      await client.end().catch(() => {});
    },
  };
}

export interface ProcessRegister {
  /** Processes that serve the APIs and were seen recently; at least one. */
  apiCount(): number;
  stop(): Promise<void>;
}

/** Keeps this process's row fresh and counts the others. */
export async function registerProcess(
  pool: pg.Pool,
  id: string,
  roles: readonly Role[],
  onError: (error: unknown) => void,
): Promise<ProcessRegister> {
  let count = 1;
  async function beat(): Promise<void> {
    await pool.query(
      `INSERT INTO processes (id, roles, knows_topic_keys) VALUES ($1, $2, true)
       ON CONFLICT (id) DO UPDATE SET seen_at = now()`,
      [id, roles],
    );
    const { rows } = await pool.query<{ count: bigint }>(
      `SELECT count(*) FROM processes WHERE 'api' = ANY (roles) AND seen_at > now() - ${FRESH}`,
    );
    count = Math.max(1, Number(rows[0]?.count ?? 1));
  }
  await beat();
  const timer = setInterval(() => void beat().catch(onError), HEARTBEAT_MS);
  timer.unref();
  return {
    apiCount: () => count,
    async stop() {
      clearInterval(timer);
      await pool.query('DELETE FROM processes WHERE id = $1', [id]).catch(onError);
    },
  };
}

/** A process that was killed leaves its row. It counts no more after seconds; here it goes. Returns how many went. */
export async function forgetDeadProcesses(pool: pg.Pool): Promise<number> {
  const { rowCount } = await pool.query(
    "DELETE FROM processes WHERE seen_at < now() - interval '1 hour'",
  );
  return rowCount ?? 0;
}
