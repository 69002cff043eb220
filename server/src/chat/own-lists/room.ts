// Lists that a person fills and every client of theirs gets at once: drafts, snippets, what is to be sent later. Their
// lengths are limited where they are written; here are their bytes, since each entry may be as long as a message.
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { badRequest } from '../http/errors.ts';

/** Bytes of one such list, as it is told. */
const OWN_LIST_BYTES = 2 * 1024 * 1024;

export interface OwnList {
  /** What a person calls its entries. */
  readonly entries: string;
  readonly table: string;
  /** Which rows are in it, of a person's. */
  readonly isIn: RawBuilder<boolean>;
  readonly bytes: RawBuilder<number>;
  /** In which order rows are told; those at the end are left out where an earlier release let there be too many. */
  readonly order: RawBuilder<unknown>;
}

/** To be asked after writing, in the same transaction: refuses what makes the list too large. */
export async function checkOwnRoom(tx: Tx, list: OwnList, userId: number): Promise<void> {
  const { rows } = await sql<{ bytes: bigint }>`
    SELECT coalesce(sum(${list.bytes}), 0)::bigint AS bytes FROM ${sql.table(list.table)}
     WHERE user_id = ${userId} AND ${list.isIn}`.execute(tx);
  if (Number(rows[0]?.bytes ?? 0) <= OWN_LIST_BYTES) return;
  throw badRequest(
    `Your ${list.entries} would have more than ${OWN_LIST_BYTES} bytes together. Delete some first.`,
  );
}

/** The ids of a person's entries that fit, in order. Their texts are not read for it. */
export async function listOwnIds(db: Db, list: OwnList, userId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM (
      SELECT id, row_number() OVER told AS nth, sum(${list.bytes}) OVER told AS bytes
        FROM ${sql.table(list.table)} WHERE user_id = ${userId} AND ${list.isIn}
      WINDOW told AS (ORDER BY ${list.order})) fitting
     WHERE bytes <= ${OWN_LIST_BYTES} ORDER BY nth`.execute(db);
  return rows.map(({ id }) => id);
}
