// Rebuilds the projections from the journal beside the live ones, and swaps them in while orders
// flow. Readers and the projector notice a pause of some milliseconds. The journal is the source of
// truth: the new tables depend on nothing else, so a comparison with the live tables proves them.
import pg from 'pg';
import type { Context } from '../../platform/context.ts';
import { requireOwner, roleOf } from '../../platform/db/server-role.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { pause } from '../../platform/std/wait.ts';
import { Archive } from '../engine/journal/archive.ts';
import type { Machine } from '../engine/machine.ts';
import { machineAt, readJournalHead } from '../engine/replay.ts';
import type { Counters } from './fold.ts';
import { listEveryArchive } from './archive/access.ts';
import { readEveryRow } from './archive/read.ts';
import { ARCHIVE_LOCK } from './archive/lock.ts';
import { projectReplayed } from './project.ts';
import type { AccountRow } from './rows.ts';
import {
  analyzeTables,
  createTables,
  dropTables,
  fingerprint,
  fingerprintWithFiles,
  grantTables,
  swapTables,
  type ArchivedRows,
  type Fingerprint,
} from './schema.ts';
import {
  inTransactionOf,
  lockCheckpoint,
  readCheckpointRow,
  writeAccounts,
  writeCheckpoint,
} from './store.ts';

export interface RebuildOptions {
  readonly shard?: number;
  /** Compare with the live tables, both at the same row of the journal. */
  readonly compare?: boolean;
  /** False: only build and compare. */
  readonly swap?: boolean;
  onProgress?(progress: Progress): void;
}

export interface Progress {
  readonly seq: number;
  /** The last row of the journal when it was last looked at. */
  readonly through: number;
  readonly steps: number;
}

export interface TableReport {
  readonly table: string;
  readonly rows: number;
  /** Only after a comparison. */
  readonly isSame?: boolean;
  readonly liveRows?: number;
}

export interface RebuildReport {
  /** The row of the journal at which the new tables took over, or were complete. */
  readonly seq: number;
  readonly steps: number;
  readonly seconds: number;
  readonly isSwapped: boolean;
  /** Undefined when nothing was compared. */
  readonly isSame: boolean | undefined;
  readonly tables: readonly TableReport[];
}

/** Rows of the journal that may be left when the locks are taken. */
const NEAR = 20;
/**
 * How often the rebuild catches up with the journal's end; the end moves, but more slowly than a
 * replay.
 */
const ROUNDS_MAX = 1000;
const LIVE_PATIENCE_MS = 30_000;
const LOCK_TRIES = 100;
const LOCK_PAUSE_MS = 50;

export async function rebuildProjections(
  ctx: Context,
  options: RebuildOptions = {},
): Promise<RebuildReport> {
  const client = await connect(ctx);
  try {
    const { rows } = await client.query<{ free: boolean }>(
      "SELECT pg_try_advisory_lock(hashtext('rialto.rebuild_projections')) AS free",
    );
    if (rows[0]?.free !== true) {
      throw new Refusal({
        code: 'REBUILD_RUNS',
        status: 409,
        message: 'A rebuild of the projections is under way already. Wait for its end.',
      });
    }
    const { rows: archive } = await client.query<{ free: boolean }>(
      `SELECT pg_try_advisory_lock(${ARCHIVE_LOCK}) AS free`,
    );
    if (archive[0]?.free !== true) {
      throw new Refusal({
        code: 'ARCHIVE_RUNS',
        status: 409,
        message:
          'Old days are being moved into files, which takes some minutes for each day. Wait for its end: `rialto archive list` shows what is written.',
      });
    }
    await requireOwner(client);
    await dropTables(client);
    await createTables(client);
    const server = roleOf(ctx.config.DATABASE_URL).name;
    if (server !== roleOf(ownerUrlOf(ctx)).name) await grantTables(client, server);
    return await new Rebuild(ctx, client, options).run();
  } finally {
    await dropTables(client).catch(() => {});
    await client.end();
  }
}

/** Needs the owner's role, because tables are created and swapped here. */
const ownerUrlOf = ({ config }: Context): string =>
  config.DATABASE_OWNER_URL === '' ? config.DATABASE_URL : config.DATABASE_OWNER_URL;

/** A separate connection: its search path, its time limits and its lock are not for others. */
async function connect(ctx: Context): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: ownerUrlOf(ctx),
    application_name: 'rialto rebuild-projections',
  });
  client.on('error', () => {});
  await client.connect();
  // The new tables are worthless before the swap, whose commit is flushed like any other.
  await client.query('SET synchronous_commit = off');
  return client;
}

class Rebuild {
  readonly #ctx: Context;
  readonly #client: pg.Client;
  readonly #options: RebuildOptions;
  readonly #shard: number;
  readonly #startedMs = performance.now();
  readonly #accounts = new Map<number, AccountRow>();
  readonly #archive: Archive;
  #counters: Counters = { lastOrderId: 0, lastEntryId: 0 };
  #streamsAfter = 0;
  #steps = 0;

  constructor(ctx: Context, client: pg.Client, options: RebuildOptions) {
    this.#ctx = ctx;
    this.#client = client;
    this.#options = options;
    this.#shard = options.shard ?? 0;
    this.#archive = new Archive(ctx.files);
  }

  async run(): Promise<RebuildReport> {
    const { compare = false, swap = true } = this.#options;
    this.#streamsAfter = (await readCheckpointRow(this.#client, this.#shard)).streamsAfter;
    const machine = await machineAt(this.#client, this.#shard, 0, {
      log: this.#ctx.log,
      archive: this.#archive,
    });
    await this.#catchUp(machine);
    await analyzeTables(this.#client);
    const compared = compare ? await this.#compare(machine) : undefined;
    if (swap) {
      await this.#catchUp(machine);
      await this.#swap(machine);
    }
    const tables =
      compared ??
      (await fingerprint(this.#client, swap ? 'public' : 'next', { hashed: false })).map(
        ({ table, rows }): TableReport => ({ table, rows }),
      );
    return {
      seq: machine.seq,
      steps: this.#steps,
      seconds: (performance.now() - this.#startedMs) / 1000,
      isSwapped: swap,
      isSame: compared?.every(({ isSame }) => isSame),
      tables,
    };
  }

  /** Replays until the end of the journal is near. */
  async #catchUp(machine: Machine): Promise<void> {
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const through = await readJournalHead(this.#client, this.#shard);
      if (through - machine.seq <= NEAR && round > 0) return;
      await this.#replay(machine, through);
    }
  }

  async #replay(machine: Machine, through: number): Promise<void> {
    while (machine.seq < through) {
      await inTransactionOf(this.#client, () => this.#replaySome(machine, through));
    }
  }

  async #replaySome(machine: Machine, through: number): Promise<void> {
    await this.#client.query('SET LOCAL search_path = projections_next, public');
    const fold = await projectReplayed(
      this.#client,
      machine,
      { through, archive: this.#archive },
      this.#counters,
      this.#streamsAfter,
    );
    if (fold === undefined) throw new Error(`Row ${machine.seq + 1} of the journal is missing.`);
    this.#counters = fold.counters;
    this.#steps += fold.stepCount;
    for (const row of fold.accounts.values()) this.#accounts.set(row.account, row);
    this.#options.onProgress?.({ seq: machine.seq, through, steps: this.#steps });
  }

  /** Compares both at one row: the live tables in a snapshot, ours by stopping there. */
  async #compare(machine: Machine): Promise<TableReport[]> {
    const deadlineMs = performance.now() + LIVE_PATIENCE_MS;
    const reader = await connect(this.#ctx);
    try {
      for (;;) {
        await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
        const { seq } = await readCheckpointRow(reader, this.#shard);
        if (seq >= machine.seq) {
          const live = await fingerprintWithFiles(reader, readArchivedRows(this.#ctx));
          await reader.query('COMMIT');
          await this.#replay(machine, seq);
          return report(await fingerprint(this.#client, 'next', { hashed: true }), live);
        }
        await reader.query('COMMIT');
        if (performance.now() > deadlineMs) {
          throw new Refusal({
            code: 'PROJECTIONS_LATE',
            status: 503,
            message: `The live projections stand at row ${seq} and do not move on to ${machine.seq}: is a worker running?`,
          });
        }
        await pause(20);
      }
    } finally {
      await reader.end();
    }
  }

  async #swap(machine: Machine): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      // Nothing is replayed before the locks are held, so a failed attempt has changed nothing.
      let isLocked = false;
      try {
        await inTransactionOf(this.#client, async () => {
          await this.#client.query('SET LOCAL synchronous_commit = on');
          const live = await lockCheckpoint(this.#client, this.#shard, { wait: true });
          await swapTables.lock(this.#client);
          isLocked = true;
          while (live !== undefined && machine.seq < live.seq) {
            await this.#replaySome(machine, live.seq);
          }
          await this.#client.query('SET LOCAL search_path = public');
          await swapTables.rename(this.#client);
          await writeAccounts(this.#client, [...this.#accounts.values()]);
          await writeCheckpoint(this.#client, this.#shard, {
            seq: machine.seq,
            engineSeq: machine.state.engineSeq,
            // Events up to here are known; later known ones are recognised by their row.
            logPosition: live?.logPosition ?? 0,
            streamsAfter: this.#streamsAfter,
            ...this.#counters,
          });
        });
        return;
      } catch (error) {
        if (isLocked || attempt >= LOCK_TRIES || !isLockTimeout(error)) throw error;
        await pause(LOCK_PAUSE_MS);
      }
    }
  }
}

/** Every row of the days that are in files, some at a time. No day is archived meanwhile. */
async function* readArchivedRows(ctx: Context): AsyncGenerator<ArchivedRows> {
  const everyDay = { fromMs: 0n, toMs: 2n ** 62n };
  for (const archive of await listEveryArchive(ctx.db, everyDay)) {
    for await (const rows of readEveryRow(ctx, archive)) yield { name: archive.name, rows };
  }
}

const isLockTimeout = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '55P03';

function report(made: readonly Fingerprint[], live: readonly Fingerprint[]): TableReport[] {
  return made.map(({ table, rows, hash }) => {
    const other = live.find((one) => one.table === table);
    return {
      table,
      rows,
      liveRows: other?.rows ?? 0,
      isSame: other !== undefined && other.rows === rows && other.hash === hash,
    };
  });
}
