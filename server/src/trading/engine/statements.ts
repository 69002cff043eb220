// How the engine speaks to the database: plain statements, each with an end.
import type pg from 'pg';

export type Queryable = Pick<pg.ClientBase, 'query'>;

/**
 * Every statement of the engine has an end. Longer than the database's own limit for one, so that only a
 * network that fell silent gets here; the connection is thrown away then.
 */
const ANSWER_MS = 6000;
export const bounded = <Q extends pg.QueryConfig>(query: Q) => ({
  ...query,
  query_timeout: ANSWER_MS,
});
