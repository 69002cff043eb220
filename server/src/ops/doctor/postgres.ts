// The PostgreSQL server itself: version, durability, locale, connections, clock, disk.
import { statfs } from 'node:fs/promises';
import type pg from 'pg';
import { rolesOf } from '../../platform/config/load.ts';
import type { Config, Role } from '../../platform/config/schema.ts';
import { findDurabilityProblems } from '../../platform/db/durability.ts';
import { findLocaleProblem } from '../../platform/db/locale.ts';
import { connectionsOf } from '../../platform/db/pools.ts';
import { codeOf, shownUrl } from '../trouble.ts';
import { broken, ok, skipped, warning, type Finding } from './finding.ts';

const CLOCK_WARNING_MS = 250;
const CLOCK_BROKEN_MS = 5000;
const GIGABYTE = 1024 ** 3;
const DISK_WARNING_BYTES = 5 * GIGABYTE;
const DISK_BROKEN_BYTES = GIGABYTE / 2;

export async function checkServer(client: pg.Client, config: Config): Promise<Finding[]> {
  const { rows } = await client.query<{ version: string }>(
    `SELECT current_setting('server_version') AS version`,
  );
  const problems = await findDurabilityProblems(client);
  return [
    ok('PostgreSQL', `Version ${rows[0]?.version} at ${shownUrl(config.DATABASE_URL)}.`),
    ...(problems.length === 0
      ? [ok('durability', 'fsync, full_page_writes and synchronous_commit are on.')]
      : problems.map((problem) => broken('durability', problem))),
    await checkAlphabet(client),
    await checkConnections(client, config),
    await checkClock(client),
    await checkDisk(client, config),
  ];
}

async function checkAlphabet(client: pg.Client): Promise<Finding> {
  const problem = await findLocaleProblem(client);
  return problem === undefined
    ? ok('alphabet', 'The database knows the letters of every language.')
    : broken('alphabet', problem);
}

async function checkConnections(client: pg.Client, config: Config): Promise<Finding> {
  const { rows } = await client.query<{ free: number }>(
    `SELECT current_setting('max_connections')::int
              - current_setting('superuser_reserved_connections')::int
              - coalesce(current_setting('reserved_connections', true)::int, 0) AS free`,
  );
  const free = rows[0]?.free ?? 0;
  const alive = await listProcesses(client);
  // Before any process runs, assume this one.
  const each = (alive.length === 0 ? [rolesOf(config)] : alive).map((roles) =>
    connectionsOf(config, roles),
  );
  const processes = each.length;
  const wanted = each.reduce((sum, one) => sum + one, 0);
  const sum = `${processes} ${processes === 1 ? 'process' : 'processes'} may open ${wanted} of ${free} connections`;
  if (wanted <= free) return ok('connections', `${sum}.`);
  const trouble = {
    what: `${sum}, which is more than there are.`,
    why: 'Under load some requests would find no connection and be refused.',
    fix: `Raise max_connections above ${wanted + 10}, or lower the settings DATABASE_POOL_* by ${wanted - free} in all, over all processes.`,
  };
  return each.some((one) => one > free)
    ? broken('connections', trouble)
    : warning('connections', trouble);
}

/** The roles of each running process; none on a database without that table. */
async function listProcesses(client: pg.Client): Promise<Role[][]> {
  try {
    const { rows } = await client.query<{ roles: Role[] }>(
      `SELECT roles FROM processes WHERE seen_at > now() - interval '15 seconds'`,
    );
    return rows.map(({ roles }) => roles);
  } catch (error) {
    if (codeOf(error) === '42P01') return [];
    throw error;
  }
}

/** The best of a few readings: a shorter round trip is more exact. */
async function checkClock(client: pg.Client): Promise<Finding> {
  let roundTripMs = Number.POSITIVE_INFINITY;
  let offsetMs = 0;
  for (let reading = 0; reading < 5; reading += 1) {
    const startedMs = performance.now();
    const wallMs = Date.now();
    const { rows } = await client.query<{ ms: number }>(
      'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms',
    );
    const tookMs = performance.now() - startedMs;
    if (tookMs >= roundTripMs) continue;
    roundTripMs = tookMs;
    offsetMs = (rows[0]?.ms ?? 0) - (wallMs + tookMs / 2);
  }
  const size = Math.abs(offsetMs);
  const shown =
    size < 1 ? 'within 1 ms of' : `${Math.round(size)} ms ${offsetMs > 0 ? 'ahead of' : 'behind'}`;
  const what = `PostgreSQL's clock is ${shown} ours (round trip ${roundTripMs.toFixed(1)} ms).`;
  if (size <= CLOCK_WARNING_MS) return ok('clock', what);
  const trouble = {
    what,
    why: 'Signed requests carry a time that is compared with ours, while leases and expiries follow that of PostgreSQL.',
    fix: 'Let chrony or systemd-timesyncd keep both machines on time (`timedatectl set-ntp true`).',
  };
  return size > CLOCK_BROKEN_MS ? broken('clock', trouble) : warning('clock', trouble);
}

async function checkDisk(client: pg.Client, config: Config): Promise<Finding> {
  const host = new URL(config.DATABASE_URL).hostname;
  if (!['localhost', '127.0.0.1', '[::1]', ''].includes(host)) {
    return skipped('disk', 'PostgreSQL is on another machine: look at its disk there.');
  }
  try {
    const { rows } = await client.query<{ folder: string }>(
      `SELECT current_setting('data_directory') AS folder`,
    );
    const disk = await statfs(rows[0]?.folder ?? '');
    const freeBytes = disk.bavail * disk.bsize;
    const what = `${(freeBytes / GIGABYTE).toFixed(1)} GB free where PostgreSQL keeps its data.`;
    if (freeBytes >= DISK_WARNING_BYTES) return ok('disk', what);
    const trouble = {
      what,
      why: 'PostgreSQL stops when its disk is full, and everything stops with it.',
      fix: 'Free space or enlarge the disk; EVENT_LOG_RETENTION_HOURS bounds the event log.',
    };
    return freeBytes < DISK_BROKEN_BYTES ? broken('disk', trouble) : warning('disk', trouble);
  } catch {
    return skipped('disk', "This user may not see PostgreSQL's data folder.");
  }
}
