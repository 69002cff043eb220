// Finds the ids of a time: halves the range of ids until it is there, because times have no index.
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';

/**
 * Ids are drawn in conversations at the same time, and a message may get its time before another and its id after it.
 * No sending takes nearly as long.
 */
const SLACK = sql`interval '10 minutes'`;

/** An id before the first message of that time, and not far before it. */
export async function findIdNear(db: Db, date: Date): Promise<number> {
  const { rows } = await sql<{ id: bigint }>`
    WITH RECURSIVE halves AS (
      SELECT coalesce((SELECT min(id) FROM messages), 0) AS low,
             coalesce((SELECT max(id) FROM messages), 0) + 1 AS high
      UNION ALL
      SELECT CASE WHEN probe.sent_at < ${date}::timestamptz - ${SLACK} THEN probe.id + 1 ELSE low END,
             CASE WHEN probe.sent_at < ${date}::timestamptz - ${SLACK} THEN high ELSE (low + high) / 2 END
        FROM halves LEFT JOIN LATERAL (
          SELECT id, sent_at FROM messages
           WHERE id >= (low + high) / 2 AND id < high ORDER BY id LIMIT 1) AS probe ON true
       WHERE low < high
    )
    SELECT low AS id FROM halves WHERE low >= high`.execute(db);
  return Number(rows[0]?.id ?? 0);
}
