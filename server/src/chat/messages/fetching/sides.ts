// The statement that reads the messages of a page, together with the check that what the page relied on still holds.
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import { PLANNED_EACH_TIME } from '../../../platform/db/prepared.ts';
import { FactsChanged, holds, NO_BASIS, type Basis } from '../../../platform/facts/memory.ts';
import type { KnownChannels } from '../message/known-channels.ts';
import { selectSizes, type ShownRow } from '../message/rows.ts';
import { LARGE_BYTES } from './large.ts';
import { selectPackedRows, unpackRows, type PackedRow, type ShownText } from './packed.ts';
import type { Sized } from './page.ts';

export interface Sides {
  /** Each lists ids as `id`. */
  readonly ids: readonly RawBuilder<unknown>[];
  /** A plan is worth keeping. */
  readonly isFixed: boolean;
  /** What the sides rely on. */
  readonly basis: Basis;
  /** Of what is in `basis`: the channels that the narrow looked at. */
  readonly known?: KnownChannels | undefined;
}

export interface Found extends Sized {
  readonly row?: ShownRow;
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
 * The messages of these sides, ascending, in one statement if a plan is worth keeping, else in two. The database knows
 * sizes without reading the texts, so messages that do not fit are never loaded; a small page comes with its messages.
 */
export async function readMessages(
  db: Db,
  readerId: number,
  { ids, isFixed, basis, known }: Sides,
  text: ShownText,
): Promise<Found[]> {
  if (!isFixed) {
    // What is planned each time is kept short: only the ids. The prepared statement checks for both of them.
    const found = await readIds(db, { ids, isFixed, basis: NO_BASIS });
    const listed = sql`SELECT id FROM unnest(${found}::bigint[]) AS id`;
    const rows = await readMessages(
      db,
      readerId,
      { ids: [listed], isFixed: true, basis, known },
      text,
    );
    const rowOf = new Map(rows.map((row) => [row.id, row]));
    // A message that was deleted in between still counts, so that the page knows its ends.
    return found.map((id) => rowOf.get(id) ?? { id, bytes: 0 });
  }
  const sized = sql`${pageOf(ids)}, sized AS MATERIALIZED (
      ${selectSizes(sql`ARRAY (SELECT id FROM page)`)})`;
  const from = sql`FROM ${checkOf(basis)} LEFT JOIN sized ON true`;
  type SizedRow = { foundId: bigint | null; bytes: number };
  const small = sql`ARRAY (SELECT found_id FROM sized
    WHERE (SELECT sum(bytes) FROM sized) < ${LARGE_BYTES})`;
  const rows = await readHeld<SizedRow & PackedRow>(
    db,
    sql`${sized} SELECT checked.holds, sized.found_id, sized.bytes, packed.* ${from}
      LEFT JOIN (${selectPackedRows(readerId, small, text, known)}) AS packed ON packed.id = sized.found_id
     ORDER BY sized.found_id`,
  );
  const shown = unpackRows(rows.filter((row) => row.facts !== null));
  return rows.flatMap(({ foundId, bytes }) => {
    if (foundId === null) return [];
    const id = Number(foundId);
    const row = shown.get(id);
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
