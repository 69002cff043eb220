// Takes old parts of the journal out of its table, once they are in the file store and a snapshot after them is proven.
// Each step can be interrupted: files have the names that their content gives them, an archive counts when it was read
// back, and a part leaves the table in one transaction. The next run goes on from there.
import pg from 'pg';
import type { Context } from '../../../platform/context.ts';
import { requireOwner } from '../../../platform/db/server-role.ts';
import { Refusal } from '../../../platform/http/refusal.ts';
import { pause } from '../../../platform/std/wait.ts';
import { readHead } from '../access.ts';
import { Archive } from './archive.ts';
import { archivePart, type ArchivePoint } from './archive-part.ts';
import { listArchives, listJournalParts, type JournalPart } from './archives-store.ts';
import { planPrune, type Plan, type PlannedPart } from './plan.ts';
import { verifySnapshot } from './verify-snapshot.ts';

export interface PruneOptions {
  readonly shard?: number;
  /** Rows from this one on stay; or rows of so many days. */
  readonly keep: { readonly fromSeq: number } | { readonly days: number };
  /** Only say what would be done. */
  readonly isDryRun: boolean;
  /** Text of a file before it is compressed. */
  readonly fileBytes?: number;
  onStep?(text: string): void;
  /** Points at which a test may stop it. */
  probe?(point: PrunePoint): void;
}

export type PrunePoint = ArchivePoint | 'proved a snapshot' | 'removed a part';

export interface PruneReport {
  readonly isDryRun: boolean;
  /** The row of the snapshot that was proven; undefined when nothing was to be done. */
  readonly snapshotSeq: number | undefined;
  readonly parts: readonly (PlannedPart & {
    readonly isArchived: boolean;
    readonly isRemoved: boolean;
  })[];
  /** Why the part after these stays. */
  readonly because: string;
}

const LOCK_TRIES = 100;
const LOCK_PAUSE_MS = 50;

export async function pruneJournal(ctx: Context, options: PruneOptions): Promise<PruneReport> {
  return asOwner(ctx, async (client) => {
    const { shard = 0, isDryRun } = options;
    const plan = await readPlan(client, shard, options.keep);
    const known = await listArchives(client, shard);
    const isArchived = ({ firstSeq }: PlannedPart) =>
      known.some((row) => row.firstSeq === firstSeq);
    if (isDryRun || plan.parts.length === 0) {
      const parts = plan.parts.map((part) => ({
        ...part,
        isArchived: isArchived(part),
        isRemoved: false,
      }));
      return { isDryRun, snapshotSeq: undefined, parts, because: plan.because };
    }
    return prune(ctx, client, { ...options, shard }, plan);
  });
}

async function prune(
  ctx: Context,
  client: pg.Client,
  { shard, fileBytes, onStep = () => {}, probe = () => {} }: PruneOptions & { shard: number },
  plan: Plan,
): Promise<PruneReport> {
  const { files, log } = ctx;
  for (const { name, firstSeq, lastSeq } of plan.parts) {
    onStep(`${name}: rows ${firstSeq} to ${lastSeq} go to the file store and are read back.`);
    await archivePart(client, files, {
      shard,
      firstSeq,
      lastSeq,
      probe,
      ...(fileBytes === undefined ? {} : { fileBytes }),
    });
  }
  onStep('The newest snapshot is restored and compared with the journal.');
  const proof = await verifySnapshot(client, shard, { log, archive: new Archive(files) });
  probe('proved a snapshot');
  const parts: PruneReport['parts'][number][] = [];
  let { because } = plan;
  for (const part of plan.parts) {
    const isRemoved = part.lastSeq <= proof.limit;
    if (isRemoved) {
      onStep(`${part.name} leaves the table.`);
      await removePart(client, shard, part.firstSeq);
      probe('removed a part');
    } else {
      because = `the oldest snapshot that a start may need stands at row ${proof.limit}, before the end of ${part.name}`;
    }
    parts.push({ ...part, isArchived: true, isRemoved });
    if (!isRemoved) break;
  }
  log.warn(
    { shard, parts: parts.length, snapshot: proof.seq },
    'Parts of the journal were archived and taken out of the database.',
  );
  return { isDryRun: false, snapshotSeq: proof.seq, parts, because };
}

/** One statement, and so one transaction. The engine waits for it for as long as PostgreSQL needs to unlink the file. */
async function removePart(client: pg.Client, shard: number, firstSeq: number): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.query('SELECT remove_journal_part($1::smallint, $2)', [shard, firstSeq]);
      return;
    } catch (error) {
      if (attempt >= LOCK_TRIES || !isLockTimeout(error)) throw error;
      await pause(LOCK_PAUSE_MS);
    }
  }
}

const isLockTimeout = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '55P03';

async function readPlan(
  client: pg.Client,
  shard: number,
  keep: PruneOptions['keep'],
): Promise<Plan> {
  const parts = await listJournalParts(client);
  const { rows } = await client.query<{ projected: string; published: string | null }>(
    `SELECT seq::text AS projected,
            (SELECT seq::text FROM public_log_progress l WHERE l.shard = p.shard AND last_event > 0) AS published
       FROM projection_checkpoints p WHERE shard = $1`,
    [shard],
  );
  const { projected = '0', published = null } = rows[0] ?? {};
  return planPrune({
    parts,
    belowSeq:
      'fromSeq' in keep
        ? keep.fromSeq
        : await findOldRows(client, { shard, parts, days: keep.days }),
    headSeq: (await readHead(client, shard)).seq,
    readers: [
      { name: 'the tables of orders and trades', seq: Number(projected) },
      ...(published === null ? [] : [{ name: 'the public log', seq: Number(published) }]),
    ],
  });
}

/** The first row of the first part that has rows of these days. */
async function findOldRows(
  client: pg.Client,
  {
    shard,
    parts,
    days,
  }: { readonly shard: number; readonly parts: readonly JournalPart[]; readonly days: number },
): Promise<number> {
  for (const { firstSeq, pastSeq } of parts) {
    if (pastSeq === undefined) return firstSeq;
    const { rows } = await client.query<{ is_old: boolean }>(
      `SELECT at < clock_timestamp() - make_interval(days => $3) AS is_old
         FROM trading_journal WHERE shard = $1 AND seq = $2`,
      [shard, pastSeq - 1, days],
    );
    if (rows[0]?.is_old !== true) return firstSeq;
  }
  return 1;
}

async function asOwner<T>(
  { config }: Context,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString:
      config.DATABASE_OWNER_URL === '' ? config.DATABASE_URL : config.DATABASE_OWNER_URL,
    application_name: 'rialto journal',
  });
  client.on('error', () => {});
  await client.connect();
  try {
    await requireOwner(client);
    const { rows } = await client.query<{ free: boolean }>(
      "SELECT pg_try_advisory_lock(hashtext('rialto.journal_prune')) AS free",
    );
    if (rows[0]?.free !== true) {
      throw new Refusal({
        code: 'PRUNE_RUNS',
        status: 409,
        message: 'Parts of the journal are being removed already. Wait for the end of that.',
      });
    }
    return await work(client);
  } finally {
    await client.end();
  }
}
