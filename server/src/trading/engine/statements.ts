// Runs the engine's SQL: plain statements, each with a time limit.
import type pg from 'pg';

export type Queryable = Pick<pg.ClientBase, 'query'>;

/**
 * The time limit of a statement. It is longer than the database's own limit, so only a silent network reaches it;
 * the connection is then discarded.
 */
export const ANSWER_MS = 6000;
export const bounded = <Q extends pg.QueryConfig>(query: Q) => ({
  ...query,
  query_timeout: ANSWER_MS,
});
