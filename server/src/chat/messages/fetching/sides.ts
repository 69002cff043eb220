// The statement that reads the messages of a page, together with the check that what the page relied on still holds.
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import { PLANNED_EACH_TIME } from '../../../platform/db/prepared.ts';
import { FactsChanged, holds, type Basis } from '../../../platform/facts/memory.ts';
import {
  messageRowsOf,
  selectMessageRows,
  selectSizes,
  type MessageRow,
  type RawRow,
} from '../message/rows.ts';
import { LARGE_BYTES } from './large.ts';
import type { Sized } from './page.ts';

export interface Sides {
  /** Each lists ids as `id`. */
  readonly ids: readonly RawBuilder<unknown>[];
  /** A plan is worth keeping. */
  readonly isFixed: boolean;
  /** What the sides rely on. */
  readonly basis: Basis;
}

export interface Found extends Sized {
  readonly row?: MessageRow;
}

interface Held {
  readonly holds: boolean;
}

/** The ids of these sides, ascending. */
export async function readIds(db: Db, { ids, isFixed, basis }: Sides): Promise<number[]> {
  const rows = await readHeld<{ id: bigint | null }>(
    db,
    sql`${pageOf(ids)} SELECT ${markOf(isFixed)} checked.holds, page.id
          FROM ${checkOf(basis)} LEFT JOIN page ON true ORDER BY page.id`,
  );
  return rows.flatMap(({ id }) => (id === null ? [] : [Number(id)]));
}

/**
 * The messages of these sides, ascending, in one statement. The database knows sizes without reading the texts, so
 * messages that do not fit are never loaded; a small page comes with its messages.
 */
export async function readMessages(
  db: Db,
  readerId: number,
  { ids, isFixed, basis }: Sides,
): Promise<Found[]> {
  const sized = sql`${pageOf(ids)}, sized AS MATERIALIZED (
      ${selectSizes(sql`ARRAY (SELECT id FROM page)`)})`;
  const from = sql`FROM ${checkOf(basis)} LEFT JOIN sized ON true`;
  type SizedRow = { foundId: bigint | null; bytes: number };
  // What is planned each time is kept short: the messages of such a page are a prepared statement of their own.
  if (!isFixed) {
    const rows = await readHeld<SizedRow>(
      db,
      sql`${sized} SELECT ${markOf(isFixed)} checked.holds, sized.found_id, sized.bytes ${from} ORDER BY sized.found_id`,
    );
    return rows.flatMap(({ foundId, bytes }) =>
      foundId === null ? [] : [{ id: Number(foundId), bytes }],
    );
  }
  const small = sql`ARRAY (SELECT found_id FROM sized
    WHERE (SELECT sum(bytes) FROM sized) < ${LARGE_BYTES})`;
  const rows = await readHeld<SizedRow & (RawRow | { id: null })>(
    db,
    sql`${sized} SELECT checked.holds, sized.found_id, sized.bytes, shown.* ${from}
      LEFT JOIN (${selectMessageRows(readerId, small)}) AS shown ON shown.id = sized.found_id
     ORDER BY sized.found_id`,
  );
  const shown = messageRowsOf(rows.filter((row) => row.id !== null));
  const rowOf = new Map(shown.map((row) => [row.id, row]));
  return rows.flatMap(({ foundId, bytes }) => {
    if (foundId === null) return [];
    const id = Number(foundId);
    const row = rowOf.get(id);
    return [{ id, bytes, ...(row !== undefined && { row }) }];
  });
}

/** Without a side there is no page, but it may have relied on something all the same. */
const NO_IDS = sql`SELECT NULL::bigint AS id WHERE false`;

const pageOf = (ids: Sides['ids']): RawBuilder<unknown> =>
  sql`WITH page AS MATERIALIZED (${
    ids.length === 0
      ? NO_IDS
      : sql.join(
          ids.map((one) => sql`(${one})`),
          sql` UNION ALL `,
        )
  })`;

const markOf = (isFixed: boolean): RawBuilder<unknown> => (isFixed ? sql`` : PLANNED_EACH_TIME);

/** One row, so that the answer comes also when no message is found. */
const checkOf = (basis: Basis): RawBuilder<unknown> =>
  sql`(SELECT ${holds(basis)} AS holds) AS checked`;

async function readHeld<Row>(db: Db, statement: RawBuilder<unknown>): Promise<Row[]> {
  const { rows } = await (statement as RawBuilder<Held & Row>).execute(db);
  if (rows[0]?.holds !== true) throw new FactsChanged();
  return rows;
}
