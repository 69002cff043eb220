// Reads a part of a snapshot by COPY in its binary form, which gives the bytes as they are. The result of a query would be
// text, because the driver reads binary ones as UTF-8.
import pg from 'pg';
import { ANSWER_MS, type Queryable } from './statements.ts';

/** Every such COPY begins with it, then flags and the length of an extension, four bytes each. */
const SIGNATURE = Buffer.from('PGCOPY\n\u00ff\r\n\0', 'latin1');
const HEADER_BYTES = SIGNATURE.length + 8;
/** Stands where a row says how many columns it has. */
const END = -1;

/** What the driver hands over: a message for each row, of which the first begins with the header. */
interface CopyData {
  readonly chunk: Buffer;
}

class CopyOut extends pg.Query {
  readonly query_timeout = ANSWER_MS;
  readonly #onRow: (row: Buffer) => void;

  constructor(statement: string, onRow: (row: Buffer) => void) {
    super(statement);
    this.#onRow = onRow;
  }

  handleCopyData({ chunk }: CopyData): void {
    const isFirst = chunk.subarray(0, SIGNATURE.length).equals(SIGNATURE);
    const row = isFirst ? chunk.subarray(HEADER_BYTES) : chunk;
    if (row.length > 2 && row.readInt16BE(0) !== END) this.#onRow(row);
  }
}

/**
 * The bytes of a part; undefined if it is missing. Each part is a statement of its own, because a statement has a time
 * limit, and a snapshot has as many parts as it needs.
 */
export async function readPart(
  db: Queryable,
  shard: number,
  seq: number,
  part: number,
): Promise<Buffer | undefined> {
  // COPY takes no parameters. These are numbers of ours.
  const statement = `COPY (SELECT bytes FROM trading_snapshot_parts
    WHERE shard = ${Math.trunc(shard)} AND seq = ${Math.trunc(seq)} AND part = ${Math.trunc(part)}) TO STDOUT (FORMAT binary)`;
  let bytes: Buffer | undefined;
  const copy = new CopyOut(statement, (row) => {
    // One column, after its length. The driver uses the memory of a message again.
    bytes = Buffer.from(row.subarray(6, 6 + row.readInt32BE(2)));
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // The types do not know that a query of one's own may come with a callback.
  const query = db.query.bind(db) as unknown as (
    copy: CopyOut,
    values: undefined,
    callback: (error: Error | null | undefined) => void,
  ) => void;
  query(copy, undefined, (error) => {
    if (error) reject(error);
    else resolve();
  });
  await promise;
  return bytes;
}
