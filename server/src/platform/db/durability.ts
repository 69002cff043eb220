// An acknowledgement means "on disk". With a PostgreSQL that does not flush that would be false, so
// we refuse to start on one.
import type pg from 'pg';

const REQUIRED = {
  fsync: ['on'],
  full_page_writes: ['on'],
  // remote_write acknowledges before the standby flushed; local does flush here.
  synchronous_commit: ['on', 'remote_apply'],
} as const;

const OLDEST_VERSION = 150_000;

export interface DurabilityProblem {
  readonly what: string;
  readonly why: string;
  readonly fix: string;
}

/** What endangers acknowledged data on this server, and how to fix it; empty when all is well. */
export async function findDurabilityProblems(
  client: Pick<pg.Pool, 'query'>,
): Promise<DurabilityProblem[]> {
  const { rows } = await client.query<{ name: string; setting: string; source: string }>(
    `SELECT name, setting, source FROM pg_settings WHERE name = ANY ($1)`,
    [[...Object.keys(REQUIRED), 'server_version_num']],
  );
  const settings = new Map(rows.map((row) => [row.name, row]));
  const problems: DurabilityProblem[] = [];
  for (const [name, allowed] of Object.entries(REQUIRED)) {
    const { setting, source } = settings.get(name) ?? { setting: 'unknown', source: '' };
    if ((allowed as readonly string[]).includes(setting)) continue;
    problems.push({
      what: `${name} is ${setting}.`,
      why: 'Acknowledged orders and messages could be lost in a power cut.',
      fix: howToTurnOn(name, source),
    });
  }
  const version = Number(settings.get('server_version_num')?.setting ?? 0);
  if (version < OLDEST_VERSION) {
    problems.push({
      what: `This is PostgreSQL ${Math.floor(version / 10_000)}.`,
      why: 'Rialto relies on features of PostgreSQL 15.',
      fix: 'Upgrade the server to PostgreSQL 15 or later.',
    });
  }
  return problems;
}

/** A value set for a role, a database or the connection overrides the server's own. */
function howToTurnOn(name: string, source: string): string {
  if (source.includes('user') || source.includes('database')) {
    return `It is set for this role or database. Undo that with ALTER ROLE … RESET ${name}; or ALTER DATABASE … RESET ${name};`;
  }
  if (source === 'client') return `It comes with the connection: take ${name} out of DATABASE_URL.`;
  return `Run as a superuser: ALTER SYSTEM SET ${name} = on; SELECT pg_reload_conf();`;
}
