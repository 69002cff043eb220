// Lists of which each person gets all of their own rows at once: finds the rows that fit into a
// number of bytes. PostgreSQL knows the length of a stored text without reading it, so rows that do
// not fit are never loaded.
import { sql, type RawBuilder } from 'kysely';
import type { Db } from './pool.ts';

export interface OwnList {
  /** The user's word for its entries. */
  readonly entries: string;
  /** It has columns `id` and `user_id`. */
  readonly table: string;
  /** Which of a person's rows are in it. */
  readonly isIn: RawBuilder<boolean>;
  /** The size of a row when it is sent. */
  readonly bytes: RawBuilder<number>;
  /** The order in which rows are sent; where there are too many, the last are left out. */
  readonly order: RawBuilder<unknown>;
}

/** Bytes of one such list when it is sent. */
export const OWN_LIST_BYTES = 2 * 1024 * 1024;

export async function measureOwnList(db: Db, list: OwnList, userId: number): Promise<number> {
  const { rows } = await sql<{ bytes: bigint }>`
    SELECT coalesce(sum(${list.bytes}), 0)::bigint AS bytes FROM ${sql.table(list.table)}
     WHERE user_id = ${userId} AND ${list.isIn}`.execute(db);
  return Number(rows[0]?.bytes ?? 0);
}

/**
 * The ids of a person's rows that fit, in order: all of them, unless an earlier release allowed too
 * many.
 */
export async function listOwnIds(db: Db, list: OwnList, userId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM (
      SELECT id, row_number() OVER told AS nth, sum(${list.bytes}) OVER told AS bytes
        FROM ${sql.table(list.table)} WHERE user_id = ${userId} AND ${list.isIn}
      WINDOW told AS (ORDER BY ${list.order})) fitting
     WHERE bytes <= ${OWN_LIST_BYTES} ORDER BY nth`.execute(db);
  return rows.map(({ id }) => id);
}
