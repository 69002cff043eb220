// The form of archived rows of the journal: files of some thousand rows each, one row a line, compressed, and a manifest
// that lists them. Pure; the store is elsewhere.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import { assert } from '../../../platform/std/assert.ts';
import type { JournalRow } from '../access.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

/** A row with everything that its table has. */
export interface ArchivedRow extends JournalRow {
  readonly commandCount: number;
  readonly engineSeq: number;
  /** When it was written, by the database's clock, in microseconds of UTC. */
  readonly at: string;
}

/** What lies in the store under a key. */
export interface StoredFile {
  readonly key: string;
  /** Of the bytes as they are stored, in hexadecimal. */
  readonly sha256: string;
  readonly bytes: number;
}

export interface RowsFile extends StoredFile {
  readonly firstSeq: number;
  readonly lastSeq: number;
  /** The length of the text before it was compressed. */
  readonly textBytes: number;
}

const FORMAT = 'rialto journal 1';

export interface Manifest {
  readonly format: typeof FORMAT;
  readonly shard: number;
  readonly firstSeq: number;
  readonly lastSeq: number;
  /** In hexadecimal: of the row before the first, and of the last. */
  readonly digestBefore: string;
  readonly digestAfter: string;
  readonly files: readonly RowsFile[];
}

export const sha256 = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

/** A row as one line of its file. */
export const writeLine = ({ digest, ...row }: ArchivedRow): string =>
  JSON.stringify({ ...row, digest: digest.toString('hex') });

function readLine(line: string): ArchivedRow {
  const { digest, ...row } = JSON.parse(line) as Omit<ArchivedRow, 'digest'> & { digest: string };
  return { ...row, digest: Buffer.from(digest, 'hex') };
}

/** The rows of a file, as text. They are decoded one by one, because a reader may want a few of them. */
export class RowLines {
  readonly #lines: readonly string[];
  readonly firstSeq: number;

  constructor(text: string, { firstSeq, lastSeq }: Pick<RowsFile, 'firstSeq' | 'lastSeq'>) {
    this.firstSeq = firstSeq;
    this.#lines = text.split('\n');
    if (this.#lines.length !== lastSeq - firstSeq + 1) {
      throw new WrongArchive(
        `a file of rows ${firstSeq} to ${lastSeq} has ${this.#lines.length} rows`,
      );
    }
  }

  get lastSeq(): number {
    return this.firstSeq + this.#lines.length - 1;
  }

  /** The row with this number, which must be one of these. */
  at(seq: number): ArchivedRow {
    const line = this.#lines[seq - this.firstSeq];
    assert(line !== undefined, 'the file has this row', { seq });
    const row = readLine(line);
    if (row.seq !== seq) {
      throw new WrongArchive(`row ${row.seq} stands in the place of row ${seq}`);
    }
    return row;
  }
}

/** The files are whole, and yet not what they should be. */
export class WrongArchive extends Error {
  override name = 'WrongArchive';
  constructor(what: string) {
    super(`The archive of the journal is wrong: ${what}.`);
  }
}

export const compressText = (text: string): Promise<Buffer> =>
  compress(Buffer.from(text), COMPRESSION);

export async function openRows(bytes: Uint8Array, file: RowsFile): Promise<RowLines> {
  const text = await decompress(bytes, { maxOutputLength: file.textBytes });
  if (text.length !== file.textBytes) {
    throw new WrongArchive(`a file of ${file.textBytes} bytes has ${text.length}`);
  }
  return new RowLines(text.toString(), file);
}

export function writeManifest(manifest: Omit<Manifest, 'format'>): Buffer {
  checkManifest(manifest);
  return Buffer.from(JSON.stringify({ format: FORMAT, ...manifest }));
}

export function readManifest(bytes: Buffer): Manifest {
  const manifest = JSON.parse(bytes.toString()) as Manifest;
  if (manifest.format !== FORMAT) {
    throw new WrongArchive(`a manifest is of the form ${JSON.stringify(manifest.format)}`);
  }
  checkManifest(manifest);
  return manifest;
}

/** The files have every row from the first to the last, once. */
function checkManifest({ firstSeq, lastSeq, files }: Omit<Manifest, 'format'>): void {
  let next = firstSeq;
  for (const file of files) {
    if (file.firstSeq !== next || file.lastSeq < file.firstSeq) {
      throw new WrongArchive(
        `a file has rows ${file.firstSeq} to ${file.lastSeq} where ${next} comes next`,
      );
    }
    next = file.lastSeq + 1;
  }
  if (next !== lastSeq + 1) {
    throw new WrongArchive(`the files end before row ${next}, and not after row ${lastSeq}`);
  }
}

/** The file with this row. */
export function fileOf({ files }: Manifest, seq: number): RowsFile {
  let low = 0;
  let high = files.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((files[middle]?.lastSeq ?? 0) < seq) low = middle + 1;
    else high = middle;
  }
  const file = files[low];
  assert(file !== undefined && file.firstSeq <= seq && seq <= file.lastSeq, 'a file has the row', {
    seq,
  });
  return file;
}
