// An acknowledgement means "on disk". A PostgreSQL that was told not to flush makes that a lie, so we
// refuse to start on one.
import type pg from 'pg';

const REQUIRED = {
  fsync: ['on'],
  full_page_writes: ['on'],
  // remote_write acknowledges before the standby flushed; local does flush here.
  synchronous_commit: ['on', 'remote_apply'],
} as const;

const OLDEST_VERSION = 150_000;

/** Returns one sentence for each setting that endangers acknowledged data; empty when all is well. */
export async function findDurabilityProblems(client: Pick<pg.Pool, 'query'>): Promise<string[]> {
  const { rows } = await client.query<{ name: string; setting: string }>(
    `SELECT name, setting FROM pg_settings WHERE name = ANY ($1)`,
    [[...Object.keys(REQUIRED), 'server_version_num']],
  );
  const settings = new Map(rows.map((row) => [row.name, row.setting]));
  const problems: string[] = [];
  for (const [name, allowed] of Object.entries(REQUIRED)) {
    const value = settings.get(name) ?? 'unknown';
    if ((allowed as readonly string[]).includes(value)) continue;
    problems.push(
      `${name} is ${value}, so acknowledged data could be lost in a power cut. ` +
        `Set it with: ALTER SYSTEM SET ${name} = on; SELECT pg_reload_conf();`,
    );
  }
  const version = Number(settings.get('server_version_num') ?? 0);
  if (version < OLDEST_VERSION) {
    problems.push(`PostgreSQL ${Math.floor(version / 10_000)} is too old: 15 or later is needed.`);
  }
  return problems;
}
