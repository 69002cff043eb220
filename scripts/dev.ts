// `npm run dev`: private PostgreSQL, NATS and Redis that keep their data in .rialto/dev between
// runs, the demo's world in them, and the server, restarted whenever one of its files changes.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createOperatorContext } from '../server/src/ops/operator.ts';
import { requireFreePorts } from '../server/src/ops/ports.ts';
import { CommandError, explain } from '../server/src/ops/trouble.ts';
import { loadConfig } from '../server/src/platform/config/load.ts';
import { migrate } from '../server/src/platform/db/migrate.ts';
import { stopAllEngines } from '../server/src/platform/engines/engine.ts';
import { startNats } from '../server/src/platform/engines/nats.ts';
import { startPostgres } from '../server/src/platform/engines/postgres.ts';
import { ended, hasExited } from '../server/src/platform/engines/process.ts';
import { startRedis } from '../server/src/platform/engines/redis.ts';
import { parsePort } from './flags.ts';
import { createProgress } from './demo/progress.ts';
import { describeDemo, renderSummary } from './demo/summary.ts';
import { loadWorld, type World } from './demo/world.ts';
import { buildClientIfChanged } from './web/build.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const HOME = join(ROOT, '.rialto', 'dev');
const PORT = process.env['PORT'] ?? '8080';
const OPS_PORT = process.env['OPS_PORT'] ?? '9090';

let stop: () => Promise<void> = stopAllEngines;
let isStopping = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // Ctrl-C comes twice when npm passes it on; the first is enough.
    if (isStopping) return;
    isStopping = true;
    void stop().then(() => process.exit(0));
  });
}

async function main(): Promise<void> {
  await requireFreePorts(
    Object.entries({ PORT, OPS_PORT }).map(([chosenBy, text]) => ({
      host: '127.0.0.1',
      port: parsePort(chosenBy, text),
      chosenBy,
    })),
  );
  mkdirSync(HOME, { recursive: true });
  const progress = createProgress(console.log);
  const [postgres, nats, redis] = await progress.step('PostgreSQL, NATS and Redis started', () =>
    Promise.all([
      startPostgres({ folder: join(HOME, 'postgres') }),
      startNats({ folder: join(HOME, 'nats') }),
      startRedis({ folder: join(HOME, 'redis') }),
    ]),
  );
  const settings = {
    DATABASE_URL: postgres.serverUrl,
    // The server migrates itself at every start.
    DATABASE_OWNER_URL: postgres.ownerUrl,
    NATS_URL: nats.url,
    REDIS_URL: redis.url,
    UPLOADS_DIR: join(HOME, 'uploads'),
    MASTER_KEY: kept('master.key', () => randomBytes(32).toString('hex')),
    PUBLIC_SIGNING_KEY: kept('public-signing.key', () => randomBytes(32).toString('base64url')),
    PORT,
    OPS_PORT,
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'info',
    ORGANIZATION_NAME: 'Rialto Dev',
    MONEY: 'simulated',
    WEB_PUBLIC_STREAMS_ENABLED: 'true',
  };
  await progress.step('Database migrated', () => migrate(postgres.ownerUrl, postgres.serverUrl));
  await progress.step('Web client built', buildClientIfChanged);
  const world = await progress.step('World ready', () => worldOf(settings));
  const summary = describeDemo([`http://127.0.0.1:${PORT}`], world, settings, { isCluster: false });
  console.log(renderSummary(summary, progress.elapsedSeconds(), DEV_NOTES));

  const server = spawn(
    process.execPath,
    ['--watch', '--watch-preserve-output', 'server/bin/rialto.js', 'serve', '--migrate'],
    { cwd: ROOT, env: { ...process.env, ...settings }, stdio: 'inherit' },
  );
  stop = async () => {
    if (!hasExited(server)) server.kill('SIGTERM');
    await ended(server, 5000);
    await stopAllEngines();
  };
}

const DEV_NOTES = [
  `Health and metrics are at http://127.0.0.1:${OPS_PORT}/ready and /metrics.`,
  'The server starts again whenever one of its files changes. After a change of the web client, run `npm run web` and reload the page.',
  'Data stay in .rialto/dev; delete that folder to start again. Ctrl-C stops everything.',
];

/** A text that is created once and read from its file afterwards. */
function kept(name: string, make: () => string): string {
  const file = join(HOME, name);
  if (!existsSync(file)) writeFileSync(file, make(), { mode: 0o600 });
  return readFileSync(file, 'utf8');
}

/**
 * Loads the world on the first run; its credentials are kept beside it, since they cannot be read
 * back.
 */
async function worldOf(settings: Record<string, string>): Promise<World> {
  const file = join(HOME, 'world.json');
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as World;
  const ctx = await createOperatorContext(loadConfig(settings));
  try {
    const people = ctx.db.selectFrom('users').select('id').where('isSystem', '=', false);
    if ((await people.limit(1).execute()).length > 0) {
      throw new CommandError(
        'Loading the world was interrupted. Delete the folder .rialto/dev and start again.',
      );
    }
    const world = await loadWorld(ctx);
    writeFileSync(file, JSON.stringify(world, null, 2), { mode: 0o600 });
    return world;
  } finally {
    await ctx.close();
  }
}

try {
  await main();
} catch (error) {
  console.error(explain(error));
  await stopAllEngines();
  process.exit(1);
}
