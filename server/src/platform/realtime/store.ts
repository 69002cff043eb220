// SQL of event queues: their descriptions, when they were last in use, and the log's events for one queue.
import type pg from 'pg';
import { parseDatabaseSnapshot } from '../db/snapshot.ts';
import type { Db } from '../db/pool.ts';
import { fittingRows, LOG_PAGE_BYTES, toEvent, type LogRow } from '../events/log.ts';
import { TRADING_BATCH, type LoggedEvent } from '../events/event.ts';
import type { QueueDescription } from './queue.ts';

/** Last-seen times are saved once a minute, so a queue lives this much longer than requested. */
const GRACE = "interval '2 minutes'";

interface QueueRow {
  id: string;
  user_id: number;
  start_position: bigint;
  snapshot: string;
  event_types: string[] | null;
  filter: Record<string, unknown>;
  idle_seconds: number;
}

export interface NewQueue {
  id: string;
  userId: number;
  startPosition: number;
  snapshot: string;
  eventTypes: readonly string[] | null;
  /** Further options of the client, by which the products filter and shape its events. */
  filter?: Readonly<Record<string, unknown>>;
  idleSeconds: number;
}

/** Written in the transaction that read the initial state. */
export async function insertQueue(db: Db, queue: NewQueue): Promise<void> {
  await db
    .insertInto('eventQueues')
    .values({
      id: queue.id,
      userId: queue.userId,
      startPosition: BigInt(queue.startPosition),
      snapshot: queue.snapshot,
      eventTypes: queue.eventTypes === null ? null : [...queue.eventTypes],
      filter: JSON.stringify(queue.filter ?? {}),
      idleSeconds: queue.idleSeconds,
    })
    .execute();
}

export async function countQueues(db: Db, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('eventQueues')
    .select((e) => e.fn.countAll<bigint>().as('count'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function findQueue(pool: pg.Pool, id: string): Promise<QueueDescription | undefined> {
  const { rows } = await pool.query<QueueRow>({
    name: 'event-queue',
    text: `SELECT id, user_id, start_position, snapshot, event_types, filter, idle_seconds FROM event_queues
            WHERE id = $1 AND last_seen > now() - idle_seconds * interval '1 second' - ${GRACE}
              AND database = database_identity()`,
    values: [id],
  });
  const row = rows[0];
  return (
    row && {
      id: row.id,
      userId: row.user_id,
      startPosition: Number(row.start_position),
      snapshot: parseDatabaseSnapshot(row.snapshot),
      eventTypes: row.event_types && new Set(row.event_types),
      filter: row.filter,
      idleSeconds: row.idle_seconds,
    }
  );
}

/** Deletes the user's queue; false when there is none with that id. */
export async function deleteQueue(pool: pg.Pool, id: string, userId: number): Promise<boolean> {
  const { rowCount } = await pool.query('DELETE FROM event_queues WHERE id = $1 AND user_id = $2', [
    id,
    userId,
  ]);
  return rowCount === 1;
}

export async function deleteIdleQueues(pool: pg.Pool): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM event_queues
      WHERE last_seen < now() - idle_seconds * interval '1 second' - ${GRACE}`,
  );
  return rowCount ?? 0;
}

/** Saves that these queues were in use; returns those that still exist. */
export async function touchQueues(pool: pg.Pool, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await pool.query<{ id: string }>(
    'UPDATE event_queues SET last_seen = now() WHERE id = ANY ($1::uuid[]) RETURNING id',
    [ids],
  );
  return new Set(rows.map((row) => row.id));
}

type Queryable = Pick<pg.Pool, 'query'>;

export interface Concern {
  readonly userId: number;
  /** Channels whose events may concern the user. */
  readonly channelIds: readonly number[];
  /** Whether the events of any channel may. */
  readonly isWide: boolean;
  /** Whether batches of the engine may; only their content says whom they concern. */
  readonly withBatches: boolean;
}

/** Each is the condition of an index, so it stands in the statement as a constant. */
const IS_BATCH = `type = '${TRADING_BATCH}'`;
const IS_NO_BATCH = `type <> '${TRADING_BATCH}'`;

/** How many rows in (after, through] a queue may have to read, whomever they concern; counts to `max` at most. */
export async function countAmong(
  pool: Queryable,
  { withBatches }: Concern,
  after: number,
  through: number,
  max: number,
): Promise<number> {
  if (withBatches) return Math.min(through - after, max);
  const { rows } = await pool.query<{ count: number }>({
    name: 'event-log-count',
    text: `SELECT count(*)::int AS count
             FROM (SELECT FROM event_log
                    WHERE position > $1 AND position <= $2 AND ${IS_NO_BATCH} LIMIT $3) AS rows`,
    values: [after, through, max],
  });
  return rows[0]?.count ?? 0;
}

/**
 * Where the events in (after, through] are that may concern the user, without batches; undefined if there are more than
 * `max`. An index of whom events concern leaves out those of others, so this costs what it finds.
 *
 * It asks for no order, and it has no name: with either, the planner can take it for cheaper to read all rows in their
 * order until there are enough.
 */
export async function listConcerning(
  pool: Queryable,
  { userId, channelIds }: Concern,
  after: number,
  through: number,
  max: number,
): Promise<number[] | undefined> {
  const { rows } = await pool.query<{ position: bigint }>({
    text: `SELECT position FROM event_log
            WHERE position > $2 AND position <= $3 AND ${IS_NO_BATCH}
              AND concerns_of(audience, rights_of) && $1::int[]
            LIMIT $4`,
    values: [[0, userId, ...channelIds.map((id) => -id)], after, through, max + 1],
  });
  return rows.length > max
    ? undefined
    : rows.map(({ position }) => Number(position)).sort((a, b) => a - b);
}

/**
 * Events in (after, through] that may concern the user, or change what the user may see: at most `limit`, as many
 * as fit. The directory decides which of those with a channel as their audience really do. `among` says where they
 * are, if that is known.
 */
export async function readEventsFor(
  pool: Queryable,
  { userId, channelIds, isWide, withBatches }: Concern,
  after: number,
  through: number,
  limit: number,
  among?: readonly number[],
): Promise<{ readonly events: LoggedEvent[]; readonly isAll: boolean }> {
  const next = among?.filter((position) => position > after && position <= through);
  // Not as a list in a condition: the planner would weigh each of thousands for each part of the log.
  const log =
    next === undefined
      ? 'event_log'
      : 'unnest($8::bigint[]) AS own (place), LATERAL (SELECT * FROM event_log WHERE position = place OFFSET 0) AS event_log';
  const others = `SELECT event_log.* FROM ${log}
            WHERE position > $2 AND position <= $3 AND ${IS_NO_BATCH}
              AND (audience @> '{"everyone": true}'
                   OR audience -> 'users' @> to_jsonb($1::int)
                   OR rights_of && ARRAY[$1::int, 0]
                   OR (audience ? 'channel'
                       AND ($6
                            OR audience ->> 'who' <> 'subscribers'
                            OR (audience ->> 'channel')::int = ANY ($5::int[])
                            OR audience -> 'also' @> to_jsonb($1::int)
                            OR audience -> 'called' @> to_jsonb($1::int))))
            ORDER BY position LIMIT $4`;
  const batches = `SELECT * FROM event_log
            WHERE position > $2 AND position <= $3 AND ${IS_BATCH} ORDER BY position LIMIT $4`;
  const page = withBatches
    ? `SELECT * FROM ((${others}) UNION ALL (${batches})) AS rows ORDER BY position LIMIT $4`
    : others;
  const values = [userId, after, through, limit, channelIds, isWide, LOG_PAGE_BYTES];
  const { rows } = await pool.query<LogRow & { found: number }>({
    name: `event-log-${next === undefined ? 'for' : 'of'}-${withBatches ? 'trader' : 'user'}`,
    text: `WITH page AS MATERIALIZED (${page}), fitting AS (${fittingRows('SELECT * FROM page', '$7')})
           SELECT fitting.*, (SELECT count(*)::int FROM page) AS found FROM fitting ORDER BY position`,
    values: next === undefined ? values : [...values, next],
  });
  const found = rows[0]?.found ?? 0;
  return { events: rows.map(toEvent), isAll: found < limit && rows.length === found };
}
