// Prepares frequent statements: parsing and planning ours costs more than running them, because
// most touch a handful of rows through many joins.
import { createHash } from 'node:crypto';
import { sql, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type pg from 'pg';

/** From its n-th use on, a text is worth a prepared plan on each connection. */
const USES_BEFORE = 3;
/** Each takes some tens of kilobytes in every connection's server process. */
export const PREPARED_MAX = 200;
/**
 * Texts that are counted but not prepared yet; clients' requests shape them, so there may be many.
 */
const COUNTED_MAX = 2000;
/** BEGIN, COMMIT and the like have no plan. */
const SHORTEST = 30;

/** The marker below, for statements that are put together as texts. */
export const PLANNED_EACH_TIME_MARK = '/* planned each time */';

/**
 * A marker for a statement whose best plan depends on the values, such as a search: a common and a
 * rare word need different indexes, and a prepared plan knows neither. A prepared plan also locks every part of a table,
 * where one with values locks only the parts that these need.
 */
export const PLANNED_EACH_TIME = sql.raw(PLANNED_EACH_TIME_MARK);

/** Gives names to statements that are worth preparing, at most `PREPARED_MAX` of them. */
export class StatementNames {
  readonly #names = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  nameOf(text: string): string | undefined {
    const name = this.#names.get(text);
    if (name !== undefined) return name;
    if (
      this.#names.size >= PREPARED_MAX ||
      text.length < SHORTEST ||
      text.includes(PLANNED_EACH_TIME_MARK)
    ) {
      return undefined;
    }
    const count = (this.#counts.get(text) ?? 0) + 1;
    if (count < USES_BEFORE) {
      // The entry counted longest ago makes room: it did not come again.
      this.#counts.delete(text);
      this.#counts.set(text, count);
      if (this.#counts.size > COUNTED_MAX) {
        for (const oldest of this.#counts.keys()) {
          this.#counts.delete(oldest);
          break;
        }
      }
      return undefined;
    }
    this.#counts.delete(text);
    const given = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    this.#names.set(text, given);
    return given;
  }
}

/** The pool in the query builder's form, with names for frequent statements. */
export function preparing(
  pool: Pick<pg.Pool, 'options' | 'connect' | 'end'>,
  names: StatementNames,
): PostgresPool {
  const wrapped = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  const wrap = (client: pg.PoolClient): PostgresPoolClient => {
    const query = (text: string, values: readonly unknown[]) => {
      const name = names.nameOf(text);
      return client.query({ text, values: [...values], ...(name !== undefined && { name }) });
    };
    return {
      query: query as unknown as PostgresPoolClient['query'],
      release: (destroy) => client.release(destroy),
    };
  };
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect();
      const known = wrapped.get(client) ?? wrap(client);
      wrapped.set(client, known);
      return known;
    },
    end: () => pool.end(),
  };
}
