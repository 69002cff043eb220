// Moves old days of trades and orders from their tables into files. Each step can be the last one before a crash: an unfinished file is
// removed by the next run, and the rows leave the table in the same transaction that says where they are.
import pg from 'pg';
import type { Context } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import { Refusal } from '../../../platform/http/refusal.ts';
import { DAY_MS } from '../../../platform/std/time.ts';
import { findJournalTime } from '../../engine/journal-search.ts';
import { inTransactionOf, readCheckpoint } from '../access.ts';
import { closeDay, listDaysOfPart } from './leave.ts';
import { ARCHIVE_LOCK } from './lock.ts';
import { readHistoryExtent } from './overview.ts';
import { keptDays, listOldParts } from './parts.ts';
import { ArchiveDamaged, dayText } from './read.ts';
import { SOURCES, type Source } from './sources.ts';
import { forgetArchive, listArchives, type Archive } from './store.ts';
import { verifyArchive } from './verify.ts';
import { writeDay } from './write.ts';

/** Parts of each table that one run takes, so that a run of the upkeep ends. The next one goes on. */
const PARTS_PER_RUN = 40;
const DAY = BigInt(DAY_MS);

export type Step = 'began' | 'written' | 'verified' | 'dropped';

export interface RunOptions {
  readonly keepDays: number;
  readonly nowMs: number;
  readonly partsMax?: number;
  readonly rowsPerBlock?: number;
  onStep?(step: Step, dayMs: bigint, table: string): Promise<void> | void;
}

export interface RunReport {
  /** Parts that left their tables, and how many rows they had. */
  readonly parts: number;
  readonly rows: bigint;
}

/** The job of the upkeep: nothing if days are kept for ever, or while another run or a rebuild is at it. */
export async function archiveWhenDue(ctx: Context): Promise<number> {
  const keepDays = ctx.config.HISTORY_KEEP_DAYS;
  const report =
    keepDays === 0 ? undefined : await archiveOldDays(ctx, { keepDays, nowMs: ctx.clock.now() });
  for (const source of SOURCES) {
    const { archived, oldestDay } = await readHistoryExtent(ctx.database.pool, source);
    ctx.metrics.history(source.name, archived, oldestDay);
  }
  return report?.parts ?? 0;
}

/** Undefined while another run or a rebuild is under way. */
export async function archiveOldDays(
  ctx: Context,
  options: RunOptions,
): Promise<RunReport | undefined> {
  const client = new pg.Client({
    connectionString: ctx.config.DATABASE_URL,
    application_name: 'rialto archive',
  });
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ free: boolean }>(
      `SELECT pg_try_advisory_lock(${ARCHIVE_LOCK}) AS free`,
    );
    if (rows[0]?.free !== true) return undefined;
    let [parts, dropped] = [0, 0n];
    for (const source of SOURCES) {
      const report = await archiveParts(ctx, client, source, options);
      parts += report.parts;
      dropped += report.rows;
    }
    return { parts, rows: dropped };
  } finally {
    await client.end();
  }
}

/** The oldest parts first. One that an order holds which has not ended is passed over, and those after it may leave before it. */
async function archiveParts(
  ctx: Context,
  client: pg.Client,
  source: Source,
  options: RunOptions,
): Promise<RunReport> {
  const { keepDays, nowMs, partsMax = PARTS_PER_RUN, onStep } = options;
  const beforeMs = BigInt(Math.floor(nowMs)) - BigInt(keptDays(keepDays)) * DAY;
  const parts = (await listOldParts(client, source, beforeMs)).filter(({ isHeld }) => !isHeld);
  let [count, dropped] = [0, 0n];
  for (const part of parts.slice(0, partsMax)) {
    // A row of the journal that is still to come may have rows of these days.
    if (!(await isProjected(ctx, part.toMs))) break;
    const days = await listDaysOfPart(client, source, part);
    for (const dayMs of days) await fileDay(ctx, client, source, { ...options, dayMs });
    dropped += await inTransactionOf(client, async () => {
      for (const dayMs of days) await closeDay(client, source, dayMs);
      const { rows } = await client.query<{ dropped: string }>(
        'SELECT drop_history_part($1, $2)::text AS dropped',
        [source.name, part.name],
      );
      return BigInt(rows[0]?.dropped ?? 0);
    });
    count += 1;
    await onStep?.('dropped', part.toMs - DAY, source.name);
  }
  return { parts: count, rows: dropped };
}

async function isProjected(ctx: Pick<Context, 'db' | 'database'>, toMs: bigint): Promise<boolean> {
  const { seq } = await readCheckpoint(ctx);
  const missingMs = await findJournalTime(ctx.db, seq + 1);
  return missingMs === undefined || BigInt(missingMs) >= toMs;
}

/** A file that is whole and has every row is kept; anything else is begun anew. */
async function fileDay(
  ctx: Context,
  client: pg.Client,
  source: Source,
  { dayMs, rowsPerBlock, onStep }: DayOptions,
): Promise<void> {
  const { name } = source;
  const found = await findAttempt(ctx.db, name, dayMs);
  if (found?.state === 'archived') {
    throw new Refusal({
      code: 'ARCHIVED_TWICE',
      status: 409,
      message: `${name} has rows of ${dayText(dayMs)}, which is in a file already. Run \`rialto admin rebuild-projections\`: it brings every day back into the tables.`,
    });
  }
  if (found?.state === 'written' && (await isRight(ctx, client, source, found))) {
    await onStep?.('verified', dayMs, name);
    return;
  }
  if (found !== undefined) {
    // First the file: without its row nobody would find it again.
    await ctx.files.remove(found.fileKey);
    await forgetArchive(ctx.db, found.archiveId);
  }
  await onStep?.('began', dayMs, name);
  await writeDay(ctx, client, source, { dayMs, rowsPerBlock });
  await onStep?.('written', dayMs, name);
  const written = await findAttempt(ctx.db, name, dayMs);
  if (written === undefined) throw new Error('The row of a file that was just written is missing.');
  await verifyArchive(ctx, written);
  await onStep?.('verified', dayMs, name);
}

interface DayOptions extends Pick<RunOptions, 'rowsPerBlock' | 'onStep'> {
  readonly dayMs: bigint;
}

/** Rows of such days do not change; a rebuild makes every file an attempt again. */
async function isRight(
  ctx: Context,
  client: pg.Client,
  { name, time }: Source,
  archive: Archive,
): Promise<boolean> {
  const { rows } = await client.query<{ count: string }>(
    `SELECT count(*)::text AS count FROM ${name} WHERE ${time} >= $1::bigint AND ${time} < $2::bigint`,
    [archive.dayMs, archive.dayMs + DAY],
  );
  if (rows[0]?.count !== String(archive.manifest?.rows)) return false;
  try {
    await verifyArchive(ctx, archive);
    return true;
  } catch (error) {
    if (!(error instanceof ArchiveDamaged)) throw error;
    ctx.log.warn(
      { err: error },
      'ARCHIVE: a file of an earlier run is not right, and is written anew.',
    );
    return false;
  }
}

async function findAttempt(db: Db, name: string, dayMs: bigint): Promise<Archive | undefined> {
  const day = { fromMs: dayMs, toMs: dayMs + DAY };
  const states = ['writing', 'written', 'archived'] as const;
  return (await listArchives(db, name, day, states))[0];
}
