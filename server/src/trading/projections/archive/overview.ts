// How far the archive is, for the doctor.
import type { Queryable } from '../bulk.ts';
import { DAY_MS } from '../../../platform/std/time.ts';
import { keptDays, listOldParts } from './parts.ts';

export interface HistoryOverview {
  readonly archived: number;
  readonly attempts: number;
  readonly fileBytes: bigint;
  /** By how many days the oldest part in the table is older than it should be. */
  readonly overdue: number;
}

export async function readHistoryOverview(
  db: Queryable,
  keepDays: number,
): Promise<HistoryOverview> {
  const { rows } = await db.query<{ archived: number; attempts: number; bytes: string }>(
    `SELECT count(*) FILTER (WHERE state = 'archived')::integer AS archived,
            count(*) FILTER (WHERE state <> 'archived')::integer AS attempts,
            coalesce(sum(file_bytes) FILTER (WHERE state = 'archived'), 0)::text AS bytes FROM history_archives`,
  );
  const { archived = 0, attempts = 0, bytes = '0' } = rows[0] ?? {};
  const fileBytes = BigInt(bytes);
  if (keepDays === 0) return { archived, attempts, fileBytes, overdue: 0 };
  const dueMs = BigInt(Date.now() - keptDays(keepDays) * DAY_MS);
  const [oldest] = await listOldParts(db, dueMs);
  const overdue = oldest === undefined ? 0 : Number((dueMs - oldest.toMs) / BigInt(DAY_MS));
  return { archived, attempts, fileBytes, overdue };
}
