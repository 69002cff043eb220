// Trades stand in a table with a part for each day, and those of old days in files. A statement reads either by the same
// words: rows of a file go into it as JSON.
import { sql, type RawBuilder } from 'kysely';

/** The table of which days go into files. */
export const TRADES_NAME = 'trading_trades';

/** From a time on, and until before another one. */
export interface Stretch {
  readonly fromMs: bigint;
  readonly toMs: bigint;
  /** Some rows of an archived day, as a JSON array; the statement reads these instead of the table. */
  readonly archived?: string | undefined;
}

/** The trades that a statement reads, for `archived` as an expression of SQL. */
export const tradesFrom = (archived: string | undefined): string =>
  archived === undefined
    ? TRADES_NAME
    : `json_populate_recordset(NULL::${TRADES_NAME}, ${archived}::json)`;

/** The same in a statement of the query builder. */
export const tradesOf = ({ archived }: Stretch): RawBuilder<unknown> =>
  archived === undefined
    ? sql.raw(tradesFrom(undefined))
    : sql`json_populate_recordset(NULL::${sql.raw(TRADES_NAME)}, ${archived}::json)`;
