// Reads rows of archived days, for one account or one market at a time. Every block is checked before a row of it is
// shown: a missing, damaged or shortened file is an error, and never a page with fewer rows.
import type { Context } from '../../../platform/context.ts';
import { refuse } from '../../http/errors.ts';
import {
  isRowIn,
  isRowOf,
  keyOfNumber,
  toJsonArray,
  unpackBlock,
  type Block,
  type Section,
} from './format.ts';
import { sourceOf } from './sources.ts';
import { listBlocks, listBlocksOf, type Archive, type Days } from './store.ts';

/** What reading history needs: tables, and the files of old days. */
export type History = Pick<Context, 'db' | 'files' | 'log'>;

/** The same, as a transaction sees the tables. */
export const historyIn = ({ files, log }: Omit<History, 'db'>, db: History['db']): History => ({
  db,
  files,
  log,
});

/** Blocks that one request may read: a page of one row from each of so many days. */
export const BLOCKS_MAX = 1500;

/** How many blocks a request may still read. */
export interface BlockBudget {
  left: number;
}

export const newBudget = (): BlockBudget => ({ left: BLOCKS_MAX });

/** Whose rows. */
export type RowsOf =
  { readonly accountId: bigint } | { readonly accountId?: undefined; readonly symbol: string };

/** A file is not what was written. Says to operators what to do. */
export class ArchiveDamaged extends Error {
  override name = 'ArchiveDamaged';
  constructor({ name, dayMs, fileKey }: Pick<Archive, 'name' | 'dayMs' | 'fileKey'>, what: string) {
    super(
      `The file ${fileKey} has ${name} of ${dayText(dayMs)} and ${what}. The rows are not lost: they follow from the journal. ` +
        'Put the file back from a backup and run `rialto archive verify`, or bring all days back into the tables with `rialto admin rebuild-projections`.',
    );
  }
}

export const dayText = (dayMs: bigint): string =>
  new Date(Number(dayMs)).toISOString().slice(0, 10);

/**
 * Rows of an archived day as JSON arrays, in the order of the walk. Some may lie beyond
 * the times: the statement that gets them looks again.
 */
export async function* readRowsOf(
  history: History,
  archive: Archive,
  of: RowsOf,
  within: Days & { readonly sort: 'asc' | 'desc' },
  budget: BlockBudget,
): AsyncGenerator<string> {
  const { db } = history;
  const isAccount = of.accountId !== undefined;
  const fits = isAccount ? isRowOf(of.accountId) : isRowIn(of.symbol);
  const wanted = {
    section: isAccount ? ('account' as const) : ('market' as const),
    key: isAccount ? keyOfNumber(of.accountId) : of.symbol,
    ...within,
  };
  let after: number | undefined;
  for (;;) {
    const blocks = await listBlocksOf(db, archive.archiveId, { ...wanted, after });
    for (const block of blocks) {
      after = block.number;
      const lines = (await readForReader(history, archive, block, budget)).filter(fits);
      if (lines.length > 0) yield toJsonArray(lines);
    }
    if (blocks.length === 0) return;
  }
}

const tooFar = () =>
  refuse(
    'PARAMETER_RANGE',
    `This page lies in old days that are kept in files, and finding its rows would read more than ${BLOCKS_MAX} pieces of them. Ask for a shorter stretch with from and to.`,
    { parameter: 'from' },
  );

/** The lines of one block for somebody who asked: refuses instead of telling of files. */
export async function readForReader(
  history: History,
  archive: Archive,
  block: Block,
  budget: BlockBudget,
): Promise<string[]> {
  if (budget.left === 0) throw tooFar();
  budget.left -= 1;
  try {
    return await readBlock(history, archive, block);
  } catch (error) {
    if (!(error instanceof ArchiveDamaged)) throw error;
    history.log.error({ err: error }, 'ARCHIVE: a file of old days is damaged or cannot be read.');
    throw refuse(
      'UNAVAILABLE',
      `The history of ${dayText(archive.dayMs)} cannot be read at the moment, and nothing is shown instead of too little. The operators of the venue were alerted. Other days can be read.`,
      {},
      { 'Retry-After': '60' },
    );
  }
}

/** The lines of one block. */
export async function readBlock(
  { files }: Pick<History, 'files'>,
  archive: Archive,
  block: Block,
): Promise<string[]> {
  const start = Number(block.firstByte);
  const packed = await readBytes(files, archive, { start, end: start + block.bytes - 1 });
  const lines = await unpackBlock(packed, block);
  if (lines !== undefined) return lines;
  throw new ArchiveDamaged(
    archive,
    packed.length === block.bytes
      ? `its bytes from ${start} on are not those that were written`
      : `ends too early: of ${block.bytes} bytes from ${start} on there are ${packed.length}`,
  );
}

async function readBytes(
  files: History['files'],
  archive: Archive,
  range: { readonly start: number; readonly end: number },
): Promise<Buffer> {
  try {
    const stream = await files.read(archive.fileKey, range);
    if (stream === undefined) throw new ArchiveDamaged(archive, 'is missing in the file store');
    const pieces: Buffer[] = [];
    for await (const piece of stream as AsyncIterable<Buffer>) pieces.push(piece);
    return Buffer.concat(pieces);
  } catch (error) {
    if (error instanceof ArchiveDamaged) throw error;
    throw new ArchiveDamaged(archive, `cannot be read: ${(error as Error).message}`);
  }
}

/** Every row of a day once, as JSON arrays. */
export async function* readEveryRow(
  history: Pick<History, 'db' | 'files'>,
  archive: Archive,
): AsyncGenerator<string> {
  let rows = 0;
  const [first] = sourceOf(archive.name).sections;
  for await (const [block, lines] of readSection(history, archive, first.section)) {
    rows += block.rows;
    yield toJsonArray(lines);
  }
  if (BigInt(rows) !== archive.manifest?.rows) {
    throw new ArchiveDamaged(
      archive,
      `has ${rows} rows where the manifest says ${archive.manifest?.rows}`,
    );
  }
}

export async function* readSection(
  history: Pick<History, 'db' | 'files'>,
  archive: Archive,
  section: Section,
): AsyncGenerator<readonly [Block, string[]]> {
  let after = -1;
  for (;;) {
    const blocks = await listBlocks(history.db, archive.archiveId, section, after);
    for (const block of blocks) {
      yield [block, await readBlock(history, archive, block)];
      after = block.number;
    }
    if (blocks.length === 0) return;
  }
}
