// Lets one request at a time write an upload, across processes. The lock is a lease in the upload's row. A database
// lock would need a connection for each slow upload, and a process that dies must not keep others out.
import { randomUUID } from 'node:crypto';
import { ERRORS, type Lock, type Locker, type RequestRelease } from '@tus/server';
import { sql } from 'kysely';
import type { Context } from '../../../platform/context.ts';
import { pause } from '../../../platform/std/wait.ts';

const LEASE_SECONDS = 10;
const RENEW_MS = 1000;
/** A holder that could not renew for this long stops writing, well before another may begin. */
const LOST_MS = 6000;
const WAIT_MS = 15_000;
const ASK_AGAIN_MS = 50;

const locked = {
  status_code: 423,
  body: 'Another request is writing to this upload. Ask for its offset again in a moment.',
};

export function createLocker(ctx: Pick<Context, 'db' | 'log'>): Locker {
  /** Holders in this process release on request. Holders elsewhere see the request when they renew. */
  const holders = new Map<string, RequestRelease>();
  return { newLock: (id) => createLock(ctx, holders, id) };
}

function createLock(
  { db, log }: Pick<Context, 'db' | 'log'>,
  holders: Map<string, RequestRelease>,
  id: string,
): Lock {
  const me = randomUUID();
  let timer: NodeJS.Timeout | undefined;

  async function take(): Promise<boolean> {
    const { rows } = await sql<{ isMine: boolean }>`
      UPDATE uploads_under_way SET
        lock_holder = CASE WHEN free THEN ${me}::uuid ELSE lock_holder END,
        locked_until = CASE WHEN free THEN now() + make_interval(secs => ${LEASE_SECONDS})
                            ELSE locked_until END,
        is_wanted = NOT free
        FROM (SELECT storage_key AS key, lock_holder IS NULL OR locked_until < now() AS free
                FROM uploads_under_way WHERE storage_key = ${id} FOR UPDATE) AS found
       WHERE storage_key = found.key
      RETURNING found.free AS is_mine`.execute(db);
    const [row] = rows;
    if (row === undefined) throw ERRORS.FILE_NOT_FOUND;
    return row.isMine;
  }

  function keep(release: RequestRelease): void {
    let renewedMs = performance.now();
    timer = setInterval(() => {
      sql<{ isWanted: boolean }>`
        UPDATE uploads_under_way SET locked_until = now() + make_interval(secs => ${LEASE_SECONDS})
         WHERE storage_key = ${id} AND lock_holder = ${me}::uuid RETURNING is_wanted`
        .execute(db)
        .then(({ rows: [row] }) => {
          if (row !== undefined) renewedMs = performance.now();
          if (row === undefined || row.isWanted) return release();
        })
        .catch((error: unknown) => {
          log.warn({ err: error }, 'The lock of an upload could not be renewed.');
          if (performance.now() - renewedMs > LOST_MS) return release();
        });
    }, RENEW_MS);
    timer.unref();
  }

  return {
    async lock(signal, release) {
      const untilMs = performance.now() + WAIT_MS;
      while (!(await take())) {
        await holders.get(id)?.();
        if (signal.aborted || performance.now() > untilMs) throw locked;
        await pause(ASK_AGAIN_MS, signal);
      }
      holders.set(id, release);
      keep(release);
    },
    async unlock() {
      clearInterval(timer);
      holders.delete(id);
      await sql`
        UPDATE uploads_under_way SET lock_holder = NULL, locked_until = NULL, is_wanted = false
         WHERE storage_key = ${id} AND lock_holder = ${me}::uuid`
        .execute(db)
        // The lease expires by itself.
        .catch((error: unknown) => log.warn({ err: error }, 'An upload could not be unlocked.'));
    },
  };
}
