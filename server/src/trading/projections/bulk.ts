// Writes many rows in one statement: every column travels as one array, which costs one parse and
// one plan however many rows there are. Array literals are built by hand, because the driver would
// inspect every element.
import type pg from 'pg';

export type Queryable = Pick<pg.ClientBase, 'query'>;

export type Value = string | number | bigint | boolean | null;

export interface Table<R> {
  readonly name: string;
  /** Column, type and source. */
  readonly columns: ReadonlyArray<readonly [column: string, type: string, of: (row: R) => Value]>;
  /** The clause after the rows, for rows that may exist already. */
  readonly onConflict?: string;
}

/**
 * An `ON CONFLICT` clause that takes everything from the new row except the key and the columns
 * that never change.
 */
export function overwrite(
  key: readonly string[],
  columns: ReadonlyArray<readonly [column: string, ...rest: unknown[]]>,
  constant: readonly string[] = [],
): string {
  const set = columns
    .map(([column]) => column)
    .filter((column) => !key.includes(column) && !constant.includes(column))
    .map((column) => `${column} = excluded.${column}`);
  return `ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${set.join(', ')}`;
}

/** Writes the rows, or does nothing when there are none. */
export async function writeRows<R>(
  db: Queryable,
  { name, columns, onConflict = '' }: Table<R>,
  rows: readonly R[],
): Promise<void> {
  if (rows.length === 0) return;
  const names = columns.map(([column]) => column).join(', ');
  const arrays = columns.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ');
  await db.query({
    name: `project ${name}`,
    text: `INSERT INTO ${name} (${names}) SELECT * FROM unnest(${arrays}) ${onConflict}`,
    values: columns.map(([, type, of]) => toArray(type, rows, of)),
  });
}

/** An array as PostgreSQL reads it: `{1,2}` or `{"a","b"}`. */
export function toArray<R>(type: string, rows: readonly R[], of: (row: R) => Value): string {
  const isText = type === 'text';
  let literal = '{';
  let comma = '';
  for (const row of rows) {
    const value = of(row);
    // Null is NULL: an element without quotes, in capitals or not.
    literal += comma + (isText && value !== null ? quote(String(value)) : String(value));
    comma = ',';
  }
  return `${literal}}`;
}

const quote = (text: string): string =>
  /["\\]/.test(text) ? `"${text.replaceAll(/["\\]/g, '\\$&')}"` : `"${text}"`;
