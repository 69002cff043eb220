// The form of a file with the rows of one day: JSON lines in blocks of some hundred rows, each compressed by itself, so
// that a page reads a few of them by their bytes. The rows come twice: trades by market and by account, where a trade stands
// with both of its sides; orders by their ids and by account. The whole is one gzip file as well, whose last line is the
// manifest. Pure.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

/** Raised when a file is written otherwise. Readers know every earlier form. */
export const FORMAT = 1;

export type Section = 'market' | 'account' | 'order';

/** A row as it goes into a section. Rows of one key come in order of their times. */
export interface RowOfSection {
  readonly key: string;
  readonly ms: bigint;
  /** The row as JSON, without a line feed. */
  readonly line: string;
}

export interface Block {
  readonly section: Section;
  readonly number: number;
  readonly firstKey: string;
  readonly lastKey: string;
  /** Times of the first row and of the last one. */
  readonly firstMs: bigint;
  readonly lastMs: bigint;
  readonly rows: number;
  readonly firstByte: bigint;
  readonly bytes: number;
  readonly sha256: string;
}

export const ROWS_PER_BLOCK = 500;
/** A block is whole in memory, packed and unpacked. */
export const UNPACKED_MAX = 8 * 1024 * 1024;

const pack = promisify(gzip);
const unpack = promisify(gunzip);

export const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Accounts and orders in the order of their numbers are in the order of these texts too. */
export const keyOfNumber = (id: bigint): string => String(id).padStart(19, '0');

export interface PackedBlock extends Block {
  readonly packed: Buffer;
  /** For the checksum of the content. */
  readonly text: string;
}

/** Packs the rows of a section, the first block beginning at `firstByte`. Holds one block in memory. */
export async function* packSection(
  section: Section,
  rows: AsyncIterable<readonly RowOfSection[]>,
  { firstByte, rowsPerBlock }: { readonly firstByte: bigint; readonly rowsPerBlock: number },
): AsyncGenerator<PackedBlock> {
  let at = firstByte;
  let number = 0;
  let held: RowOfSection[] = [];
  async function close(): Promise<PackedBlock> {
    const [first, last] = [held[0], held.at(-1)];
    if (first === undefined || last === undefined) throw new Error('A block has at least one row.');
    const text = held.map(({ line }) => `${line}\n`).join('');
    const packed = await pack(text);
    const block: PackedBlock = {
      section,
      number,
      firstKey: first.key,
      lastKey: last.key,
      firstMs: first.ms,
      lastMs: last.ms,
      rows: held.length,
      firstByte: at,
      bytes: packed.length,
      sha256: sha256Of(packed),
      packed,
      text,
    };
    at += BigInt(packed.length);
    number += 1;
    held = [];
    return block;
  }
  for await (const some of rows) {
    for (const row of some) {
      held.push(row);
      if (held.length >= rowsPerBlock) yield await close();
    }
  }
  if (held.length > 0) yield await close();
}

export const packManifest = (manifest: object): Promise<Buffer> =>
  pack(`${JSON.stringify({ manifest })}\n`);

/** The lines of a block, or undefined if the bytes are not those that were written. */
export async function unpackBlock(
  packed: Buffer,
  { bytes, sha256, rows }: Pick<Block, 'bytes' | 'sha256' | 'rows'>,
): Promise<string[] | undefined> {
  if (packed.length !== bytes || sha256Of(packed) !== sha256) return undefined;
  const text = (await unpack(packed, { maxOutputLength: UNPACKED_MAX })).toString('utf8');
  const lines = text.split('\n');
  lines.pop();
  return lines.length === rows ? lines : undefined;
}

/**
 * A row of the section by account says whose it is: the other side of the trade has another row. In the texts of a row the
 * quotes are escaped, so none of them looks like this.
 */
export const isRowOf =
  (accountId: bigint) =>
  (line: string): boolean =>
    line.includes(`"account_id":${accountId},`);

/** The rows of these orders. */
export const isOrderAmong =
  (ids: ReadonlySet<string>) =>
  (line: string): boolean =>
    ids.has(/"order_id":(\d+),/.exec(line)?.[1] ?? '');

export const isRowIn =
  (symbol: string) =>
  (line: string): boolean =>
    line.includes(`"symbol":${JSON.stringify(symbol)},`);

export const toJsonArray = (lines: readonly string[]): string => `[${lines.join(',')}]`;
