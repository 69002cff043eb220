// The matching engine: the leader and the standbys, how quickly it would be back, and how far others lag behind.
import { CORE_VERSION } from '@rialto/matching';
import type pg from 'pg';
import type { Config } from '../../platform/config/schema.ts';
import {
  countCommandsAfter,
  readEngineOverview,
  verifyNewestSnapshot,
  type EngineOverview,
} from '../../trading/engine/overview.ts';
import {
  readHistoryOverview,
  type HistoryOverview,
} from '../../trading/projections/archive/overview.ts';
import { broken, ok, warning, type Finding } from './finding.ts';

/** After this many takeover times of silence, another engine should have taken over. */
const SILENCES = 3;
/** How many snapshots may be missing before the doctor mentions it. */
const SNAPSHOTS_MISSED = 3;
const LAG_WARNING_SECONDS = 15;
const LAG_BROKEN_SECONDS = 120;
const OFFSET_WARNING_MS = 250;
const OFFSET_BROKEN_MS = 5000;
const GIGABYTE = 1024 ** 3;
/** The upkeep moves days every hour. */
const OVERDUE_DAYS_MAX = 3;

export async function checkEngine(client: pg.Client, config: Config): Promise<Finding[]> {
  const overview = await readEngineOverview(client);
  return [
    checkLeader(overview, config),
    checkVersions(overview),
    checkSnapshots(overview, config, {
      isWhole: await verifyNewestSnapshot(client),
      after: await countCommandsAfter(client, overview.snapshot?.seq ?? 0),
    }),
    checkProjections(overview),
    checkOffset(overview),
    await checkPoisons(client),
    await checkSizes(client),
    await checkHistory(client, config),
  ].flatMap((finding) => finding ?? []);
}

function checkLeader(overview: EngineOverview, config: Config): Finding {
  const { lease, engines, standbys } = overview;
  const start = 'Start a process with `rialto serve --roles engine` and look at its log.';
  if (lease === undefined) {
    return warning('engine', {
      what: 'No engine has ever led this venue.',
      why: 'Orders are refused until one does, and readiness is red.',
      fix: start,
    });
  }
  const who = `${lease.holder.slice(0, 8)} in epoch ${lease.epoch}`;
  const isSilent = lease.ageSeconds * 1000 > SILENCES * config.ENGINE_TAKEOVER_MS;
  if (isSilent) {
    const trouble = {
      what: `No engine leads. The last was ${who}, and ${engines} could.`,
      why: 'Orders are refused until one takes over, and readiness is red.',
      fix:
        engines === 0
          ? start
          : 'Look at the logs of the processes with the role engine: docs/operating/engine.md, "No engine leads".',
    };
    return engines === 0 ? warning('engine', trouble) : broken('engine', trouble);
  }
  const what = `${who} leads, heard of ${lease.ageSeconds.toFixed(1)} s ago; standbys: ${standbys}.`;
  if (standbys > 0 || config.NATS_URL === '') return ok('engine', what);
  return warning('engine', {
    what,
    why: 'When it dies, orders are refused until it has started again, instead of for about a second.',
    fix: 'Run a second process with `rialto serve --roles engine`.',
  });
}

function checkVersions({ headCoreVersion, snapshot }: EngineOverview): Finding {
  const written = Math.max(headCoreVersion ?? 0, snapshot?.coreVersion ?? 0);
  const what =
    written === 0
      ? `This release has version ${CORE_VERSION} of the core; the journal is empty.`
      : `This release has version ${CORE_VERSION} of the core; version ${headCoreVersion} wrote the journal's last row, ` +
        `${snapshot === undefined ? 'and there is no snapshot' : `version ${snapshot.coreVersion} the snapshot`}.`;
  if (written <= CORE_VERSION) return ok('core', what);
  return broken('core', {
    what,
    why: 'This release cannot follow a journal that a newer one has written, and its engine ends at once.',
    fix: 'Run the newer release; a step back needs a backup from before the upgrade.',
  });
}

function checkSnapshots(
  { snapshot }: EngineOverview,
  config: Config,
  { isWhole, after }: { isWhole: boolean | undefined; after: number },
): Finding {
  const since = `${after} commands stand after it`;
  if (snapshot !== undefined && isWhole !== true) {
    return broken('snapshots', {
      what: `The newest snapshot, after row ${snapshot.seq}, does not have the hash it was written with.`,
      why: 'A start takes an older one and replays more; a disk that changes bytes changes others too.',
      fix: 'Look at the disk of PostgreSQL, and check a backup: docs/operating/engine.md, "Restoring from a backup".',
    });
  }
  const isLate = after > SNAPSHOTS_MISSED * config.ENGINE_SNAPSHOT_COMMANDS;
  const what =
    snapshot === undefined
      ? `There is none yet; the journal holds ${after} commands.`
      : `The newest is ${describeAge(snapshot.ageSeconds)} old and bears its hash (${(snapshot.bytes / 1024 ** 2).toFixed(1)} MB); ${since}.`;
  if (!isLate) return ok('snapshots', what);
  return warning('snapshots', {
    what,
    why: 'A start without a standby replays all of them, and takes longer with each.',
    fix: 'Look for "The snapshot thread failed." in the log of the engine; restart the engine in order, which writes one.',
  });
}

function checkProjections(overview: EngineOverview): Finding {
  const { headSeq, projectedSeq, projectionLagSeconds: lag } = overview;
  const what = `They are at row ${projectedSeq} of ${headSeq}${lag === 0 ? '' : `, ${describeAge(lag)} behind`}.`;
  if (lag < LAG_WARNING_SECONDS) return ok('projections', what);
  const trouble = {
    what,
    why: 'History, trades, candles and statements answer 503 or show what was.',
    fix: 'See that a process with the role worker runs; its log says "The projections could not be written." if it cannot.',
  };
  return lag < LAG_BROKEN_SECONDS
    ? warning('projections', trouble)
    : broken('projections', trouble);
}

function checkOffset({ clockOffsetMs }: EngineOverview): Finding | undefined {
  if (clockOffsetMs === undefined) return undefined;
  const size = Math.abs(clockOffsetMs);
  const what = `The clock of the engine's machine is ${Math.round(size)} ms from the engine's time.`;
  if (size <= OFFSET_WARNING_MS) return ok('engine clock', what);
  const trouble = {
    what,
    why: 'The engine goes on at the pace of its own time, so orders bear times that are off by as much.',
    fix: 'Let chrony or systemd-timesyncd keep the machine on time; then stop the engine in order, so that the next one begins with the right time.',
  };
  return size > OFFSET_BROKEN_MS
    ? broken('engine clock', trouble)
    : warning('engine clock', trouble);
}

/** The newest command that made the core throw; none on a database without that table. */
async function checkPoisons(client: pg.Client): Promise<Finding | undefined> {
  const { rows: known } = await client.query<{ exists: boolean }>(
    `SELECT to_regclass('poisoned_commands') IS NOT NULL AS exists`,
  );
  if (known[0]?.exists !== true) return undefined;
  const { rows } = await client.query<{ count: number; error: string; at: Date }>(
    `SELECT count(*) OVER ()::int AS count, left(error, 200) AS error, at FROM poisoned_commands
      ORDER BY at DESC LIMIT 1`,
  );
  const [newest] = rows;
  if (newest === undefined) return ok('poison', 'No command ever made the core throw.');
  return warning('poison', {
    what: `Commands that made the core throw: ${newest.count}, the last on ${newest.at.toISOString()} (${newest.error}).`,
    why: 'Each is a fault of this software. It is refused the second time, and its market was halted.',
    fix: 'Report it with the row of poisoned_commands: docs/operating/engine.md, "A command made the core throw".',
  });
}

async function checkSizes(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<
    Record<'journal' | 'snapshots' | 'log' | 'projections', string>
  >(
    `SELECT (SELECT coalesce(sum(pg_total_relation_size(relid)), 0)
               FROM pg_partition_tree('trading_journal'))::text AS journal,
            pg_total_relation_size('trading_snapshot_parts')::text AS snapshots,
            (SELECT coalesce(sum(pg_total_relation_size(relid)), 0)
               FROM pg_partition_tree('event_log'))::text AS log,
            (SELECT sum(pg_total_relation_size(coalesce(i.inhrelid, name::regclass)))
               FROM unnest(ARRAY['trading_orders', 'trading_live_orders', 'order_client_ids', 'account_order_days',
               'trading_trades', 'ledger_entries', 'client_orders', 'trading_movements', 'candles',
               'balances']) AS name LEFT JOIN pg_inherits i ON i.inhparent = name::regclass)::text AS projections`,
  );
  const size = rows[0];
  const show = (bytes = '0') => `${(Number(bytes) / GIGABYTE).toFixed(2)} GB`;
  return ok(
    'sizes',
    `Journal ${show(size?.journal)}, snapshots ${show(size?.snapshots)}, event log ${show(size?.log)}, projections ${show(size?.projections)}.`,
  );
}

/** Says nothing while every day stays in the tables. */
async function checkHistory(client: pg.Client, config: Config): Promise<Finding | undefined> {
  const all = await readHistoryOverview(client, config.HISTORY_KEEP_DAYS);
  if (config.HISTORY_KEEP_DAYS === 0 && all.every(({ archived }) => archived === 0))
    return undefined;
  const late = all.filter(({ overdue }) => overdue > OVERDUE_DAYS_MAX);
  if (late.length > 0) {
    return warning('history', {
      what: late
        .map(
          ({ name, overdue }) =>
            `Days of ${name} that are ${overdue} days older than HISTORY_KEEP_DAYS are still in the tables.`,
        )
        .join(' '),
      why: 'The disk fills although old days should leave it.',
      fix: 'Look in the log of the worker for upkeep-history-archive, or run `rialto archive run`, which prints what is wrong.',
    });
  }
  return ok('history', all.map(describeHistory).join(' '));
}

function describeHistory({ name, archived, attempts, fileBytes, held }: HistoryOverview): string {
  const stay = held === 0 ? '' : `, and ${held} old parts wait for orders that are still live`;
  return `${archived} days of ${name} are in files of ${(Number(fileBytes) / GIGABYTE).toFixed(2)} GB, ${attempts} are being written${stay}.`;
}

const describeAge = (seconds: number): string =>
  seconds < 120
    ? `${seconds.toFixed(1)} s`
    : seconds < 7200
      ? `${Math.round(seconds / 60)} min`
      : `${Math.round(seconds / 3600)} h`;
