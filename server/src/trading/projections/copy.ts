// Appends rows by COPY: no arrays, no plan, and the database writes whole pages at once. Only for rows that cannot
// exist already.
import pg from 'pg';
import type { Queryable, Table, Value } from './bulk.ts';

/** What the driver's connection can do besides what its types say. */
interface CopyConnection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** A query that hands over its rows when the database is ready for them. The driver's own one refuses then. */
class CopyIn extends pg.Query {
  readonly #data: Buffer;

  constructor(
    statement: string,
    data: Buffer,
    callback: (error: Error | undefined | null) => void,
  ) {
    super(statement, undefined, callback);
    this.#data = data;
  }

  handleCopyInResponse(connection: CopyConnection): void {
    connection.sendCopyFromChunk(this.#data);
    connection.endCopyFrom();
  }
}

/** Appends the rows, or does nothing when there are none. Fails if one of them exists. */
export async function copyRows<R>(
  db: Queryable,
  { name, columns }: Pick<Table<R>, 'name' | 'columns'>,
  rows: readonly R[],
): Promise<void> {
  if (rows.length === 0) return;
  const names = columns.map(([column]) => column).join(', ');
  const data = Buffer.from(toCopyText(columns, rows), 'utf8');
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const settle = (error: Error | undefined | null): void => {
    if (error) reject(error);
    else resolve();
  };
  db.query(new CopyIn(`COPY ${name} (${names}) FROM STDIN`, data, settle));
  await promise;
}

/** One line for each row, with tabs between the values. */
export function toCopyText<R>(columns: Table<R>['columns'], rows: readonly R[]): string {
  const sources = columns.map(([, type, of]) => (type === 'text' ? escaped(of) : of));
  let text = '';
  for (const row of rows) {
    let tab = '';
    for (const of of sources) {
      const value = of(row);
      text += tab + (value === null ? '\\N' : String(value));
      tab = '\t';
    }
    text += '\n';
  }
  return text;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};

const escaped =
  <R>(of: (row: R) => Value) =>
  (row: R): string | null => {
    const given = of(row);
    if (given === null) return null;
    const value = String(given);
    return /[\\\t\n\r]/.test(value)
      ? value.replaceAll(/[\\\t\n\r]/g, (sign) => ESCAPES[sign] ?? sign)
      : value;
  };
