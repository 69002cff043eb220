// Writes the rows of one day into a file. They stream from a cursor through blocks into the file store, so memory has one
// block and one fetch, however many rows there are.
import { createHash } from 'node:crypto';
import type pg from 'pg';
import { newFileKey } from '../../../platform/files/files.ts';
import type { Context } from '../../../platform/context.ts';
import { DAY_MS } from '../../../platform/std/time.ts';
import {
  FORMAT,
  packManifest,
  packSection,
  ROWS_PER_BLOCK,
  type Block,
  type RowOfSection,
  type Section,
} from './format.ts';
import { dayText } from './read.ts';
import type { Source } from './sources.ts';
import { addBlocks, beginArchive, BLOCKS_AT_ONCE, finishArchive, type Manifest } from './store.ts';

const ROWS_PER_FETCH = 1000;
/** More than the largest file that S3 takes in parts of 8 MB. */
const FILE_BYTES_MAX = 80 * 1024 ** 3;

interface DayWanted {
  readonly dayMs: bigint;
  readonly rowsPerBlock?: number | undefined;
}

/**
 * Writes a file of a day. `client` is used by nobody else. The row that names the file is committed before its first byte, so
 * the file of an attempt that was killed is found, and removed by the next.
 */
export async function writeDay(
  ctx: Context,
  client: pg.Client,
  source: Source,
  { dayMs, rowsPerBlock = ROWS_PER_BLOCK }: DayWanted,
): Promise<void> {
  const fileKey = newFileKey();
  const columns = await listColumns(client, source);
  const begun = { name: source.name, dayMs, fileKey, format: FORMAT, columns };
  const archiveId = await beginArchive(ctx.db, begun);
  // One snapshot for both sections.
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const file = new FileOfDay(ctx, client, { source, archiveId, dayMs, rowsPerBlock });
  await ctx.files.put(fileKey, file.bytes(), FILE_BYTES_MAX);
  await client.query('COMMIT');
  await finishArchive(ctx.db, archiveId, file.manifest());
}

async function listColumns(client: pg.Client, { name }: Source): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT attname::text AS name FROM pg_attribute
      WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [`public.${name}`],
  );
  return rows.map((column) => column.name);
}

type Sums = Omit<Manifest, 'fileBytes' | 'fileSha256' | 'contentSha256'>;

interface DayOfFile {
  readonly source: Source;
  readonly archiveId: bigint;
  readonly dayMs: bigint;
  readonly rowsPerBlock: number;
}

class FileOfDay {
  readonly #ctx: Context;
  readonly #client: pg.Client;
  readonly #source: Source;
  readonly #archiveId: bigint;
  readonly #dayMs: bigint;
  readonly #rowsPerBlock: number;
  readonly #file = createHash('sha256');
  readonly #content = createHash('sha256');
  #fileBytes = 0n;
  #blocks: Block[] = [];
  #sums: Sums | undefined;
  #contentSha256 = '';

  constructor(ctx: Context, client: pg.Client, day: DayOfFile) {
    this.#ctx = ctx;
    this.#client = client;
    this.#source = day.source;
    this.#archiveId = day.archiveId;
    this.#dayMs = day.dayMs;
    this.#rowsPerBlock = day.rowsPerBlock;
  }

  /** The whole file. It knows its blocks only while it is made, so this is called once. */
  async *bytes(): AsyncGenerator<Buffer> {
    const sums = await this.#readSums();
    for (const { section, rows } of this.#source.sections) {
      for await (const block of packSection(section, this.#rows(section, rows), {
        firstByte: this.#fileBytes,
        rowsPerBlock: this.#rowsPerBlock,
      })) {
        const { packed, text, ...place } = block;
        this.#content.update(text);
        this.#blocks.push(place);
        if (this.#blocks.length >= BLOCKS_AT_ONCE) await this.#storeBlocks();
        yield this.#count(packed);
      }
    }
    await this.#storeBlocks();
    this.#contentSha256 = this.#content.digest('hex');
    const numbers = Object.fromEntries(
      Object.entries(sums).map(([name, value]) => [name, value === null ? null : String(value)]),
    );
    const manifest = { format: FORMAT, table: this.#source.name, day: dayText(this.#dayMs) };
    yield this.#count(
      await packManifest({ ...manifest, ...numbers, contentSha256: this.#contentSha256 }),
    );
    this.#sums = sums;
  }

  manifest(): Manifest {
    if (this.#sums === undefined) throw new Error('The file is not written yet.');
    return {
      ...this.#sums,
      fileBytes: this.#fileBytes,
      fileSha256: this.#file.digest('hex'),
      contentSha256: this.#contentSha256,
    };
  }

  #count(bytes: Buffer): Buffer {
    this.#file.update(bytes);
    this.#fileBytes += BigInt(bytes.length);
    return bytes;
  }

  async #storeBlocks(): Promise<void> {
    await addBlocks(this.#ctx.db, this.#archiveId, this.#blocks);
    this.#blocks = [];
  }

  get #day(): readonly [fromMs: bigint, toMs: bigint] {
    return [this.#dayMs, this.#dayMs + BigInt(DAY_MS)];
  }

  async #readSums(): Promise<Sums> {
    const { name, time, id } = this.#source;
    const { rows } = await this.#client.query<Record<keyof Sums, string | null>>(
      `SELECT count(*)::text AS rows, min(${id})::text AS "firstId", max(${id})::text AS "lastId",
              min(engine_seq)::text AS "firstSeq", max(engine_seq)::text AS "lastSeq"
         FROM ${name} WHERE ${time} >= $1::bigint AND ${time} < $2::bigint`,
      [...this.#day],
    );
    const toNumber = (text: string | null = null) => (text === null ? null : BigInt(text));
    const [sums] = rows;
    return {
      rows: BigInt(sums?.rows ?? 0),
      firstId: toNumber(sums?.firstId),
      lastId: toNumber(sums?.lastId),
      firstSeq: toNumber(sums?.firstSeq),
      lastSeq: toNumber(sums?.lastSeq),
    };
  }

  async *#rows(section: Section, source: string): AsyncGenerator<RowOfSection[]> {
    const cursor = `day_${section}`;
    await this.#client.query(`DECLARE ${cursor} CURSOR FOR ${source}`, [...this.#day]);
    for (;;) {
      const { rows } = await this.#client.query<{ key: string; ms: string; line: string }>(
        `FETCH ${ROWS_PER_FETCH} FROM ${cursor}`,
      );
      if (rows.length === 0) break;
      yield rows.map(({ key, ms, line }) => ({ key, ms: BigInt(ms), line }));
    }
    await this.#client.query(`CLOSE ${cursor}`);
  }
}
