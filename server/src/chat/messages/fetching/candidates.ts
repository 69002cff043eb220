// The statement that lists the ids of a page: the first messages of a narrow on one side of an anchor.
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import type { SearchPart } from '../search/query.ts';
import { joinsFor } from '../message/joins.ts';
import type { KnownChannels } from '../message/known-channels.ts';
import type { Source } from '../narrow/sources.ts';

/** Ids from `from` through `through`; without one of them, from the oldest or through the newest. */
export interface Stretch {
  readonly from?: number;
  readonly through?: number;
}

export interface Wanted {
  readonly condition: RawBuilder<boolean>;
  readonly source: Source | undefined;
  /** The parts of a search. */
  readonly parts?: readonly SearchPart[] | undefined;
  /** What the statement may rely on, because it checks that. */
  readonly known?: KnownChannels | undefined;
  readonly stretch: Stretch;
  readonly order: 'ASC' | 'DESC';
  readonly limit: number;
}

/**
 * Limits that stand in the text, because a prepared plan does not know the value of a parameter and would expect a
 * tenth of all rows. There are few, so that there are few texts; the exact limit is a parameter beside it.
 */
const LIMITS = [1, 10, 100, 1000, 10_000];

const LAST_ID = sql.raw('9223372036854775807');

/** Ids as `id`, in order. */
export function selectIds(db: Db, readerId: number, wanted: Wanted): RawBuilder<unknown> {
  const { condition, source, parts, known, stretch, limit } = wanted;
  const order = sql.raw(wanted.order);
  if (parts !== undefined) return selectSearched(db, readerId, wanted, parts);
  const joins = joinsFor(db, readerId, condition, known);
  if (source !== undefined) return selectFromPlaces(readerId, wanted, source, joins);
  const most = sql.lit(LIMITS.find((one) => one >= limit) ?? limit);
  return sql`SELECT id FROM (SELECT m.id FROM messages m ${joins}
    WHERE ${condition} ${within(sql`m.id`, boundsOf(stretch))}
    ORDER BY m.id ${order} LIMIT ${most}) AS found ORDER BY id ${order} LIMIT ${limit}`;
}

/** When so few ids are between the ends of a page, they are read one after the other. */
const NEAR_IDS = 20_000;

/**
 * First what the index finds. Topics that were renamed can only add messages between the ends of that page, if it is
 * full. When these are near each other, the messages between them are read; else those that the index has for the rest
 * of the search, or without a rest the messages of the topics.
 */
function selectSearched(
  db: Db,
  readerId: number,
  { stretch, order: direction, limit }: Wanted,
  [indexed, ...renamed]: readonly SearchPart[],
): RawBuilder<unknown> {
  if (indexed === undefined) return sql`SELECT NULL::bigint AS id WHERE false`;
  const order = sql.raw(direction);
  const bounds = boundsOf(stretch);
  const most = sql.lit(LIMITS.find((one) => one >= limit) ?? limit);
  const look = (
    { condition }: SearchPart,
    from: RawBuilder<unknown>,
    where: RawBuilder<unknown>,
    inside: Bounds,
  ) => sql`SELECT m.id FROM ${from} ${joinsFor(db, readerId, condition)}
    WHERE ${condition} ${where} ${within(sql`m.id`, inside)}
    ORDER BY m.id ${order} LIMIT ${most}`;
  const { listed } = indexed;
  const first =
    listed === undefined
      ? look(indexed, sql`messages m`, sql``, bounds)
      : sql`(${lookListed(db, readerId, indexed, bounds)})
        UNION ALL (${look(indexed, sql`messages m`, sql`AND NOT ${HAS_FEW}`, bounds)})`;
  const page = (rows: RawBuilder<unknown>) =>
    sql`SELECT id FROM (${rows}) AS found ORDER BY id ${order} LIMIT ${limit}`;
  const lists = listed === undefined ? sql`` : sql`${listOf(listed)},`;
  if (renamed.length === 0) {
    return listed === undefined ? page(first) : sql`WITH ${listOf(listed)} ${page(first)}`;
  }
  const end = sql`(SELECT id FROM farthest)`;
  const inside =
    direction === 'DESC'
      ? { ...bounds, from: sql`greatest(${bounds.from ?? sql`0`}, ${end})` }
      : { ...bounds, through: sql`least(${bounds.through ?? LAST_ID}, ${end})` };
  const isNear = sql<boolean>`coalesce((SELECT span FROM farthest) < ${sql.lit(NEAR_IDS)}, false)`;
  const others = renamed.flatMap((part) => {
    const { topics = sql``, indexed: ofRest } = part;
    const among = sql`AND (m.conversation_id, lower(m.topic)) IN (${topics})`;
    const near = look(part, sql`messages m`, sql`AND ${isNear} ${among}`, inside);
    if (ofRest !== undefined) {
      const where = sql`AND NOT ${isNear} AND ${ofRest} ${among}`;
      return [near, look(part, sql`messages m`, where, inside)];
    }
    const { condition } = part;
    return [
      near,
      sql`SELECT one.id FROM (SELECT * FROM (${topics}) AS named WHERE NOT ${isNear}) p
        CROSS JOIN LATERAL (
          SELECT m.id FROM messages m ${joinsFor(db, readerId, condition)}
           WHERE m.conversation_id = p.conversation_id AND lower(m.topic) = p.key AND ${condition}
             ${within(sql`m.id`, inside)}
           ORDER BY m.id ${order} LIMIT ${most}) AS one`,
    ];
  });
  return sql`WITH ${lists} near AS MATERIALIZED (${page(first)}), farthest AS MATERIALIZED (
      SELECT ${direction === 'DESC' ? sql`min(id)` : sql`max(id)`} AS id, max(id) - min(id) AS span
        FROM near HAVING count(*) >= ${limit}
    )
    ${page(sql.join([sql`SELECT id FROM near`, ...others.map((one) => sql`(${one})`)], sql` UNION `))}`;
}

/** Beyond so many messages that have the signs, a page is sooner found by reading from its beginning. */
const LISTED_MAX = 10_000;

/** The index of signs knows no order, so the list has no bounds: with them the planner would read a stretch instead. */
const listOf = (condition: RawBuilder<boolean>): RawBuilder<unknown> => sql`
  listed AS MATERIALIZED (
    SELECT m.id FROM messages m WHERE ${condition} LIMIT ${sql.lit(LISTED_MAX + 1)}
  )`;

const HAS_FEW = sql<boolean>`((SELECT count(*) FROM listed) <= ${sql.lit(LISTED_MAX)})`;

/** Looks at each listed message by itself. A join could be carried out by reading all messages in order. */
const lookListed = (
  db: Db,
  readerId: number,
  { condition }: SearchPart,
  bounds: Bounds,
): RawBuilder<unknown> => sql`
  SELECT one.id FROM (SELECT l.id FROM listed l WHERE ${HAS_FEW} ${within(sql`l.id`, bounds)}) AS few
    CROSS JOIN LATERAL (
      SELECT m.id FROM messages m ${joinsFor(db, readerId, condition)}
       WHERE m.id = few.id AND ${condition} LIMIT 1) AS one`;

interface Bounds {
  readonly from?: RawBuilder<unknown>;
  readonly through?: RawBuilder<unknown>;
}

const boundsOf = ({ from, through }: Stretch): Bounds => ({
  ...(from !== undefined && { from: sql`${from}::bigint` }),
  ...(through !== undefined && { through: sql`${through}::bigint` }),
});

const within = (id: RawBuilder<unknown>, { from, through }: Bounds): RawBuilder<unknown> => sql`
  ${from === undefined ? sql`` : sql`AND ${id} >= ${from}`}
  ${through === undefined ? sql`` : sql`AND ${id} <= ${through}`}`;

/**
 * Looks into each place in order. The first look takes few messages of each; the farthest that can be needed is then
 * known, and the second look ends there. So the work grows with the places and the page, not with their product.
 */
function selectFromPlaces(
  readerId: number,
  { condition, stretch, order, limit }: Wanted,
  source: Source,
  joins: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const direction = sql.raw(order);
  const bounds = boundsOf(stretch);
  const look = (most: RawBuilder<unknown>, inside: Bounds) =>
    sql.join(
      branches(source, { readerId, condition, joins, bounds: inside, direction, most }),
      sql` UNION `,
    );
  const first = (most: RawBuilder<unknown>) => sql`
    SELECT id FROM (${look(most, bounds)}) AS near ORDER BY id ${direction}`;
  if (limit === 1) return sql`${placesOf(source)} ${first(sql`1`)} LIMIT 1`;
  const end =
    order === 'DESC'
      ? sql`greatest(${bounds.from ?? sql`0`}, (SELECT id FROM farthest))`
      : sql`least(${bounds.through ?? LAST_ID}, (SELECT id FROM farthest))`;
  return sql`
    ${placesOf(source)}, share AS MATERIALIZED (
      SELECT 2 * ${limit}::bigint / greatest(1, ${countOf(source)}) + 2 AS most
    ), farthest AS MATERIALIZED (
      ${first(sql`(SELECT most FROM share)`)} OFFSET ${limit}::bigint - 1 LIMIT 1
    )
    SELECT id FROM (${look(sql`${limit}::bigint`, {
      ...bounds,
      ...(order === 'DESC' ? { from: end } : { through: end }),
    })}) AS found ORDER BY id ${direction} LIMIT ${limit}`;
}

const NAMES = ['topics', 'conversations', 'spans'] as const;

const placesOf = (source: Source): RawBuilder<unknown> => {
  const parts = NAMES.flatMap((name) => {
    const rows = source[name];
    return rows === undefined ? [] : [sql`${sql.raw(`${name}_of`)} AS MATERIALIZED (${rows})`];
  });
  return sql`WITH ${sql.join(parts)}`;
};

const countOf = (source: Source): RawBuilder<unknown> =>
  sql.join(
    NAMES.filter((name) => source[name] !== undefined).map(
      (name) => sql`(SELECT count(*) FROM ${sql.raw(`${name}_of`)})`,
    ),
    sql` + `,
  );

interface Look {
  readonly readerId: number;
  readonly condition: RawBuilder<boolean>;
  readonly joins: RawBuilder<unknown>;
  readonly bounds: Bounds;
  readonly direction: RawBuilder<unknown>;
  /** The most messages of each place. */
  readonly most: RawBuilder<unknown>;
}

function branches(source: Source, look: Look): RawBuilder<unknown>[] {
  const { readerId, condition, joins, bounds, direction, most } = look;
  const inPlace = (places: string, where: RawBuilder<unknown>) => sql`
    SELECT one.id FROM ${sql.raw(places)} p CROSS JOIN LATERAL (
      SELECT m.id FROM messages m ${joins}
       WHERE m.conversation_id = p.conversation_id ${where}
         ${within(sql`m.id`, bounds)} AND ${condition}
       ORDER BY m.id ${direction} LIMIT ${most}) AS one`;
  return [
    ...(source.topics === undefined
      ? []
      : [inPlace('topics_of', sql`AND lower(m.topic) = p.topic`)]),
    ...(source.conversations === undefined ? [] : [inPlace('conversations_of', sql``)]),
    ...(source.spans === undefined ? [] : [inSpans(look)]),
    ...(source.flags === undefined
      ? []
      : [
          sql`(SELECT m.id FROM message_flags n JOIN messages m ON m.id = n.message_id ${joins}
                WHERE n.user_id = ${readerId} AND n.flags & ${sql.lit(source.flags)} <> 0
                  ${within(sql`n.message_id`, bounds)} AND ${condition}
                ORDER BY n.message_id ${direction} LIMIT ${most})`,
        ]),
  ];
}

/**
 * Within one home the order of numbers is the order of ids, and only the numbers have an index there. So a bound is
 * taken from a message that is still at home beside it: the numbers beyond that one have ids beyond the bound. The sum
 * keeps the planner from the index of ids, which would have to be read through to the end.
 */
function inSpans({ condition, joins, bounds, direction, most }: Look): RawBuilder<unknown> {
  const { from, through } = bounds;
  const numberAt = (where: RawBuilder<unknown>, towards: 'ASC' | 'DESC') => sql`(
    SELECT o.seq FROM messages o
     WHERE o.conversation_id = p.home_id AND o.home_id = p.home_id AND ${where}
     ORDER BY o.id ${sql.raw(towards)} LIMIT 1)`;
  const low = from === undefined ? sql`0` : numberAt(sql`o.id <= ${from}`, 'DESC');
  const high = through === undefined ? LAST_ID : numberAt(sql`o.id >= ${through}`, 'ASC');
  return sql`
    SELECT one.id FROM spans_of p
     CROSS JOIN LATERAL (SELECT greatest(p.first, ${low}) AS first,
                                coalesce(least(p.last, ${high}), ${LAST_ID}) AS last OFFSET 0) AS numbers
     CROSS JOIN LATERAL (
       SELECT m.id FROM messages m ${joins}
        WHERE m.home_id = p.home_id AND m.seq >= numbers.first AND m.seq <= numbers.last
          ${within(sql`(m.id + 0)`, bounds)} AND ${condition}
        ORDER BY m.seq ${direction} LIMIT ${most}) AS one`;
}
