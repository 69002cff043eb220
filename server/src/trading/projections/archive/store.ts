// Which days are in files, and where in them the rows are.
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import type { Block, Section } from './format.ts';
import { SOURCES } from './sources.ts';

export interface Archive {
  readonly archiveId: bigint;
  readonly name: string;
  readonly dayMs: bigint;
  readonly fileKey: string;
  readonly state: 'writing' | 'written' | 'archived';
  readonly columns: readonly string[];
  readonly format: number;
  readonly startedAt: Date;
  readonly archivedAt: Date | null;
  readonly manifest: Manifest | undefined;
}

/** What is in a file. */
export interface Manifest {
  readonly rows: bigint;
  readonly firstId: bigint | null;
  readonly lastId: bigint | null;
  readonly firstSeq: bigint | null;
  readonly lastSeq: bigint | null;
  readonly fileBytes: bigint;
  readonly fileSha256: string;
  /** Of all lines of both sections, before they were compressed. */
  readonly contentSha256: string;
}

interface Row extends Omit<Archive, 'manifest' | 'state'>, Nullable<Manifest> {
  readonly state: string;
}
type Nullable<T> = { readonly [K in keyof T]: T[K] | null };

function toArchive(row: Row): Archive {
  const { rows, firstId, lastId, firstSeq, lastSeq, ...rest } = row;
  const { fileBytes, fileSha256, contentSha256, ...archive } = rest;
  const isWhole =
    rows !== null && fileBytes !== null && fileSha256 !== null && contentSha256 !== null;
  const manifest = isWhole
    ? { rows, firstId, lastId, firstSeq, lastSeq, fileBytes, fileSha256, contentSha256 }
    : undefined;
  // A CHECK of the table allows no others.
  return { ...archive, state: row.state as Archive['state'], manifest };
}

export async function beginArchive(
  db: Db,
  begun: Pick<Archive, 'name' | 'dayMs' | 'fileKey' | 'format'> & { readonly columns: string[] },
): Promise<bigint> {
  const { archiveId } = await db
    .insertInto('historyArchives')
    .values(begun)
    .returning('archiveId')
    .executeTakeFirstOrThrow();
  return archiveId;
}

export async function addBlocks(
  db: Db,
  archiveId: bigint,
  blocks: readonly Block[],
): Promise<void> {
  if (blocks.length === 0) return;
  await db
    .insertInto('historyArchiveBlocks')
    .values(
      blocks.map((block) => ({
        archiveId,
        section: block.section,
        number: block.number,
        firstKey: block.firstKey,
        lastKey: block.lastKey,
        firstMs: block.firstMs,
        lastMs: block.lastMs,
        rows: block.rows,
        firstByte: block.firstByte,
        bytes: block.bytes,
        sha256: block.sha256,
      })),
    )
    .execute();
}

export async function finishArchive(db: Db, archiveId: bigint, manifest: Manifest): Promise<void> {
  await db
    .updateTable('historyArchives')
    .set({ ...manifest, state: 'written' })
    .where('archiveId', '=', archiveId)
    .where('state', '=', 'writing')
    .execute();
}

export async function forgetArchive(db: Db, archiveId: bigint): Promise<void> {
  await db
    .deleteFrom('historyArchives')
    .where('archiveId', '=', archiveId)
    .where('state', '<>', 'archived')
    .execute();
}

export interface Days {
  readonly fromMs: bigint;
  readonly toMs: bigint;
}

const DAY = 86_400_000n;

/** Those of some days, the oldest first. */
export async function listArchives(
  db: Db,
  name: string,
  { fromMs, toMs }: Days,
  states: readonly Archive['state'][] = ['archived'],
): Promise<Archive[]> {
  const rows = await db
    .selectFrom('historyArchives')
    .selectAll()
    .where('name', '=', name)
    .where('dayMs', '>', fromMs - DAY)
    .where('dayMs', '<', toMs)
    .where('state', 'in', [...states])
    .orderBy('dayMs')
    .execute();
  return rows.map(toArchive);
}

/** Those of every table, one table after the other. */
export async function listEveryArchive(
  db: Db,
  days: Days,
  states?: readonly Archive['state'][],
): Promise<Archive[]> {
  const all: Archive[] = [];
  for (const { name } of SOURCES) all.push(...(await listArchives(db, name, days, states)));
  return all;
}

const BLOCK_COLUMNS = [
  'section',
  'number',
  'firstKey',
  'lastKey',
  'firstMs',
  'lastMs',
  'rows',
  'firstByte',
  'bytes',
  'sha256',
] as const;

/** Blocks that are read together. */
export const BLOCKS_AT_ONCE = 100;

export interface BlocksWanted extends Days {
  readonly section: Section;
  readonly key: string;
  readonly sort: 'asc' | 'desc';
  /** After this block, in the order of the walk. */
  readonly after: number | undefined;
}

/** The next blocks that may have rows of a key within times. */
export async function listBlocksOf(
  db: Db,
  archiveId: bigint,
  { section, key, sort, after, fromMs, toMs }: BlocksWanted,
): Promise<Block[]> {
  let query = db
    .selectFrom('historyArchiveBlocks')
    .select(BLOCK_COLUMNS)
    .where('archiveId', '=', archiveId)
    .where('section', '=', section)
    .where('lastKey', '>=', key)
    .where('firstKey', '<=', key)
    // Where a block begins or ends with rows of others, its time says nothing about those of the key.
    .where(sql<boolean>`NOT (first_key = ${key} AND first_ms >= ${toMs})`)
    .where(sql<boolean>`NOT (last_key = ${key} AND last_ms < ${fromMs})`);
  if (after !== undefined) query = query.where('number', sort === 'asc' ? '>' : '<', after);
  return (await query.orderBy('number', sort).limit(BLOCKS_AT_ONCE).execute()).map(toBlock);
}

/**
 * The blocks that may have rows of these keys, in their order. Each key has at most one row in the section, so the first block
 * that ends at the key or behind it is the one: a look into the index for each key.
 */
export async function listBlocksOfKeys(
  db: Db,
  archiveId: bigint,
  section: Section,
  keys: readonly string[],
): Promise<Block[]> {
  const columns = sql.join(BLOCK_COLUMNS.map((column) => sql.ref(column)));
  const { rows } = await sql<StoredBlock>`
    SELECT DISTINCT ${columns}
      FROM unnest(${keys}::text[]) AS k (key) CROSS JOIN LATERAL (
        SELECT ${columns} FROM history_archive_blocks
         WHERE archive_id = ${archiveId} AND section = ${section} AND last_key >= k.key
         ORDER BY last_key LIMIT 1) AS b
     WHERE b.first_key <= k.key ORDER BY number`.execute(db);
  return rows.map(toBlock);
}

/** The next blocks of a section, in their order. */
export async function listBlocks(
  db: Db,
  archiveId: bigint,
  section: Section,
  after: number,
): Promise<Block[]> {
  const rows = await db
    .selectFrom('historyArchiveBlocks')
    .select(BLOCK_COLUMNS)
    .where('archiveId', '=', archiveId)
    .where('section', '=', section)
    .where('number', '>', after)
    .orderBy('number')
    .limit(BLOCKS_AT_ONCE)
    .execute();
  return rows.map(toBlock);
}

type StoredBlock = Omit<Block, 'section'> & { readonly section: string };

// A CHECK of the table allows no other section.
const toBlock = (row: StoredBlock): Block => ({
  ...row,
  section: row.section as Section,
});
