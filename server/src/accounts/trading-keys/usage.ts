// When a key was last used. Kept in memory and written in bulk, so that a request costs no update;
// a killed process loses at most the last ten seconds of it.
import type pg from 'pg';

export interface Usage {
  note(keyId: string, atMs: number): void;
  stop(): Promise<void>;
}

const WRITE_EVERY_MS = 10_000;

export function trackUsage(pool: pg.Pool, onError: (error: unknown) => void): Usage {
  let used = new Map<string, number>();

  async function write(): Promise<void> {
    if (used.size === 0) return;
    const written = used;
    used = new Map();
    await pool.query(
      `UPDATE trading_keys k
          SET last_used_at = greatest(k.last_used_at, to_timestamp(u.ms / 1000.0))
         FROM unnest($1::text[], $2::float8[]) AS u (key_id, ms) WHERE k.key_id = u.key_id`,
      [[...written.keys()], [...written.values()]],
    );
  }

  const timer = setInterval(() => void write().catch(onError), WRITE_EVERY_MS);
  timer.unref();
  return {
    note: (keyId, atMs) => void used.set(keyId, atMs),
    async stop() {
      clearInterval(timer);
      await write().catch(onError);
    },
  };
}
