// Tables of which each person has some rows, and gets all of theirs at once: which of them fit into so many bytes.
// PostgreSQL knows the length of a stored text without reading it, so what does not fit is never loaded.
import { sql, type RawBuilder } from 'kysely';
import type { Db } from './pool.ts';

export interface OwnList {
  /** What a person calls its entries. */
  readonly entries: string;
  /** It has columns `id` and `user_id`. */
  readonly table: string;
  /** Which of a person's rows are in it. */
  readonly isIn: RawBuilder<boolean>;
  /** What a row takes when it is told. */
  readonly bytes: RawBuilder<number>;
  /** In which order rows are told; those at the end are left out where there are too many. */
  readonly order: RawBuilder<unknown>;
}

/** Bytes of one such list, as it is told. */
export const OWN_LIST_BYTES = 2 * 1024 * 1024;

export async function measureOwnList(db: Db, list: OwnList, userId: number): Promise<number> {
  const { rows } = await sql<{ bytes: bigint }>`
    SELECT coalesce(sum(${list.bytes}), 0)::bigint AS bytes FROM ${sql.table(list.table)}
     WHERE user_id = ${userId} AND ${list.isIn}`.execute(db);
  return Number(rows[0]?.bytes ?? 0);
}

/** The ids of a person's rows that fit, in order: all of them, unless an earlier release let there be too many. */
export async function listOwnIds(db: Db, list: OwnList, userId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM (
      SELECT id, row_number() OVER told AS nth, sum(${list.bytes}) OVER told AS bytes
        FROM ${sql.table(list.table)} WHERE user_id = ${userId} AND ${list.isIn}
      WINDOW told AS (ORDER BY ${list.order})) fitting
     WHERE bytes <= ${OWN_LIST_BYTES} ORDER BY nth`.execute(db);
  return rows.map(({ id }) => id);
}
