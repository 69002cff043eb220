// Writes the rows of one day into a file. They stream from a cursor through blocks into the file store, so memory has one
// block and one fetch, however many rows there are.
import { TRADES_NAME } from '../../trade-tables.ts';
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
  SECTIONS,
  type Block,
  type RowOfSection,
  type Section,
} from './format.ts';
import { dayText } from './read.ts';
import { addBlocks, beginArchive, BLOCKS_AT_ONCE, finishArchive, type Manifest } from './store.ts';

const ROWS_PER_FETCH = 1000;
/** More than the largest file that S3 takes in parts of 8 MB. */
const FILE_BYTES_MAX = 80 * 1024 ** 3;

const OF_DAY = 'FROM trading_trades AS t WHERE t.time_ms >= $1::bigint AND t.time_ms < $2::bigint';
const LINE = 't.time_ms::text AS ms, row_to_json(t)::text AS line';

/** The rows of each section in its order. */
const SOURCES: Readonly<Record<Section, string>> = {
  market: `SELECT t.symbol AS key, ${LINE} ${OF_DAY} ORDER BY t.symbol COLLATE "C", t.time_ms, t.trade_id`,
  // Once where an account trades with itself.
  account: `SELECT lpad(account_id::text, 19, '0') AS key, ms,
                   '{"account_id":' || account_id || ',' || substr(line, 2) AS line
              FROM (SELECT t.buyer_account_id AS account_id, t.trade_id, t.time_ms, ${LINE} ${OF_DAY}
                    UNION ALL
                    SELECT t.seller_account_id, t.trade_id, t.time_ms, ${LINE} ${OF_DAY}
                       AND t.seller_account_id <> t.buyer_account_id) AS sides
             ORDER BY account_id, time_ms, trade_id`,
};

/**
 * Writes a file of a day. `client` is used by nobody else. The row that names the file is committed before its first byte, so
 * the file of an attempt that was killed is found, and removed by the next.
 */
export async function writeDay(
  ctx: Context,
  client: pg.Client,
  dayMs: bigint,
  rowsPerBlock = ROWS_PER_BLOCK,
): Promise<void> {
  const fileKey = newFileKey();
  const columns = await listColumns(client);
  const begun = { name: TRADES_NAME, dayMs, fileKey, format: FORMAT, columns };
  const archiveId = await beginArchive(ctx.db, begun);
  // One snapshot for both sections.
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const file = new FileOfDay(ctx, client, { archiveId, dayMs, rowsPerBlock });
  await ctx.files.put(fileKey, file.bytes(), FILE_BYTES_MAX);
  await client.query('COMMIT');
  await finishArchive(ctx.db, archiveId, file.manifest());
}

async function listColumns(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT attname::text AS name FROM pg_attribute
      WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [`public.${TRADES_NAME}`],
  );
  return rows.map(({ name }) => name);
}

type Sums = Omit<Manifest, 'fileBytes' | 'fileSha256' | 'contentSha256'>;

interface DayOfFile {
  readonly archiveId: bigint;
  readonly dayMs: bigint;
  readonly rowsPerBlock: number;
}

class FileOfDay {
  readonly #ctx: Context;
  readonly #client: pg.Client;
  readonly #archiveId: bigint;
  readonly #dayMs: bigint;
  readonly #rowsPerBlock: number;
  readonly #file = createHash('sha256');
  readonly #content = createHash('sha256');
  #fileBytes = 0n;
  #blocks: Block[] = [];
  #sums: Sums | undefined;
  #contentSha256 = '';

  constructor(ctx: Context, client: pg.Client, { archiveId, dayMs, rowsPerBlock }: DayOfFile) {
    this.#ctx = ctx;
    this.#client = client;
    this.#archiveId = archiveId;
    this.#dayMs = dayMs;
    this.#rowsPerBlock = rowsPerBlock;
  }

  /** The whole file. It knows its blocks only while it is made, so this is called once. */
  async *bytes(): AsyncGenerator<Buffer> {
    const sums = await this.#readSums();
    for (const section of SECTIONS) {
      for await (const block of packSection(section, this.#rows(section), {
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
    const manifest = { format: FORMAT, table: TRADES_NAME, day: dayText(this.#dayMs) };
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
    const { rows } = await this.#client.query<Record<keyof Sums, string | null>>(
      `SELECT count(*)::text AS rows, min(t.trade_id)::text AS "firstId", max(t.trade_id)::text AS "lastId",
              min(t.engine_seq)::text AS "firstSeq", max(t.engine_seq)::text AS "lastSeq" ${OF_DAY}`,
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

  async *#rows(section: Section): AsyncGenerator<RowOfSection[]> {
    const cursor = `day_${section}`;
    await this.#client.query(`DECLARE ${cursor} CURSOR FOR ${SOURCES[section]}`, [...this.#day]);
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
