// `npm run demo`: a whole Rialto with a small believable world, from nothing, until it is stopped.
// It starts its own PostgreSQL (with --cluster also NATS and Redis) and leaves nothing behind.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { renderWebPushKeys } from '../../server/src/ops/commands/web-push-keys.ts';
import { createOperatorContext } from '../../server/src/ops/operator.ts';
import { requireFreePorts } from '../../server/src/ops/ports.ts';
import { CommandError, explain } from '../../server/src/ops/trouble.ts';
import { loadConfig } from '../../server/src/platform/config/load.ts';
import type { Config } from '../../server/src/platform/config/schema.ts';
import type { Context } from '../../server/src/platform/context.ts';
import { migrate } from '../../server/src/platform/db/migrate.ts';
import { stopAllEngines } from '../../server/src/platform/engines/engine.ts';
import { startNats } from '../../server/src/platform/engines/nats.ts';
import { startPostgres, type PrivatePostgres } from '../../server/src/platform/engines/postgres.ts';
import { startRedis } from '../../server/src/platform/engines/redis.ts';
import { parseFlags, parsePort } from '../flags.ts';
import { buildClientIfChanged } from '../web/build.ts';
import { awaitCaughtUp } from './caught-up.ts';
import { fundTraders } from './chains/fund.ts';
import { startMiner, type Miner } from './chains/mine.ts';
import { startChains, type DemoChains } from './chains/nodes.ts';
import { chainsVenue } from './chains/venue.ts';
import { startAlone, startCluster, type Deployment, type Settings } from './deployment.ts';
import { createProgress } from './progress.ts';
import { describeDemo, renderSummary } from './summary.ts';
import { readStoredWorld, storeWorld, type StoredWorld } from './stored-world.ts';
import { loadWorld, type World } from './world.ts';

const USAGE = `npm run demo -- [--json] [--port N] [--cluster | --chains] [--save FOLDER | --from FOLDER] [--set NAME=VALUE]…

  --json      print one line of JSON when ready, and nothing else
  --port N    listen on this port; 0 takes a free one (default 8080)
  --cluster   also start NATS and Redis, and each role in its own process
  --chains    also start a Litecoin node, an EVM node and the signer: coins are deposited and withdrawn for real there
  --fresh     start from nothing and leave nothing behind (so without --from)
  --save F    load the world, keep it in the folder F, and end
  --from F    start with the world that --save kept, which takes a third of the time
  --set N=V   give the server one more setting, such as PUBLIC_URL=http://localhost:8080 for passkeys

SIGUSR2 ends the servers and starts them again at the same address, with the same database.`;

/** Ten times the chat limits; the trading limit is the product's own. */
const LIMITS = { CHAT_RATE_LIMIT: '2000', CHAT_RATE_LIMIT_ANONYMOUS: '1000' };

/** So that a browser can be told of messages while no page is open. */
function notices(): Settings {
  const keys = parseEnv(renderWebPushKeys()) as Settings;
  return { ...keys, WEB_PUSH_CONTACT: 'mailto:owner@rialto.example' };
}

let deployment: Deployment | undefined;
let chains: DemoChains | undefined;
let miner: Miner | undefined;
let stoppingMs: number | undefined;
const SAME_REQUEST_MS = 500;

/**
 * Ends everything in order. A second request ends it at once, and the engines end themselves.
 * Ctrl-C comes twice when npm passes on what the terminal also sent to us: that counts as one
 * request.
 */
async function stop(exitCode: number): Promise<void> {
  if (stoppingMs !== undefined) {
    if (performance.now() - stoppingMs > SAME_REQUEST_MS) process.exit(1);
    return;
  }
  stoppingMs = performance.now();
  try {
    await miner?.stop();
    await deployment?.stop();
    await chains?.stop();
  } finally {
    await stopAllEngines();
  }
  process.exit(exitCode);
}

/** While stopping, an interrupted start fails, and that is expected. */
function fail(error: unknown): void {
  if (stoppingMs !== undefined) return;
  console.error(explain(error));
  void stop(1);
}

/** npm may be killed without passing the signal on; then we have lost our parent and end too. */
function stopWithParent(): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    void stop(0);
  }, 100);
  timer.unref();
}

async function main(): Promise<void> {
  const { values } = parseFlags({
    options: {
      json: { type: 'boolean', default: false },
      port: { type: 'string', default: '8080' },
      cluster: { type: 'boolean', default: false },
      chains: { type: 'boolean', default: false },
      fresh: { type: 'boolean', default: true },
      save: { type: 'string' },
      from: { type: 'string' },
      set: { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return;
  }
  if (values.chains && (values.cluster || values.save !== undefined || values.from !== undefined)) {
    throw new CommandError('--chains goes with neither --cluster nor --save nor --from.');
  }
  const port = parsePort('--port', values.port);
  await requireFreePorts([{ host: '127.0.0.1', port, chosenBy: '--port' }]);
  process.on('SIGTERM', () => void stop(0));
  process.on('SIGINT', () => void stop(0));
  process.on('SIGHUP', () => void stop(0));
  process.on('uncaughtException', fail);
  stopWithParent();

  const progress = createProgress(values.json ? () => {} : console.log);
  const stored = values.from === undefined ? undefined : readStoredWorld(values.from);
  // Beside everything else; the server needs it.
  const client = values.save === undefined ? buildClientIfChanged() : Promise.resolve();
  client.catch(() => {});
  const { postgres, settings: engines } = await progress.step(
    values.cluster ? 'PostgreSQL, NATS and Redis started' : 'PostgreSQL started',
    () => startEngines(values.cluster, stored),
  );
  if (values.chains) chains = await progress.step('Chains and signer started', startChains);
  const secrets = stored?.secrets ?? {
    MASTER_KEY: randomBytes(32).toString('hex'),
    PUBLIC_SIGNING_KEY: randomBytes(32).toString('base64url'),
  };
  const settings: Settings = {
    ...engines,
    ...secrets,
    PORT: String(port),
    // The output is a page for people. A fatal error is printed there; LOG_LEVEL=warn shows the
    // rest.
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent',
    ORGANIZATION_NAME: 'Rialto Demo',
    MONEY: 'simulated',
    WEB_PUBLIC_STREAMS_ENABLED: 'true',
    ...notices(),
    ...LIMITS,
    ...chains?.settings,
    ...(parseEnv(values.set.join('\n')) as Settings),
  };
  const config = loadConfig(settings);
  const world = stored?.world ?? (await makeWorld(progress, postgres.ownerUrl, config, chains));
  if (values.save !== undefined) {
    await postgres.stop();
    storeWorld(values.save, postgres.dataDir, { world, secrets });
    return stop(0);
  }
  await progress.step('Web client built', () => client);
  const start = values.cluster ? startCluster : startAlone;
  deployment = start(settings, fail);
  const { ready } = deployment;
  const what = values.cluster ? 'Servers ready, a process each' : 'Server ready';
  const origins = await progress.step(what, () => ready);
  await progress.step('Engine at work', () => awaitCaughtUp(config.DATABASE_URL));
  if (chains !== undefined) {
    const real = chains;
    miner = startMiner(real);
    await progress.step('Traders funded by real deposits', () =>
      withOperator(config, (ctx) => fundTraders(ctx, real)),
    );
  }
  process.on('SIGUSR2', () => {
    const { port: samePort } = new URL(origins[0] ?? '');
    restarting = restarting.then(() => restart(() => start({ ...settings, PORT: samePort }, fail)));
    restarting.catch(fail);
  });
  const demo = describeDemo(origins, world, settings, {
    isCluster: values.cluster,
    ...(chains === undefined
      ? {}
      : { chains: { ...chains.environment, DEMO_DATABASE_OWNER: postgres.ownerUrl } }),
  });
  if (values.json) console.log(JSON.stringify(demo));
  else console.log(renderSummary(demo, progress.elapsedSeconds()));
}

/** One after another, however many are asked for. */
let restarting = Promise.resolve();

async function restart(start: () => Deployment): Promise<void> {
  await deployment?.stop();
  if (stoppingMs !== undefined) return;
  deployment = start();
  await deployment.ready;
  console.log('Started again.');
}

async function startEngines(
  withCluster: boolean,
  stored: StoredWorld | undefined,
): Promise<{ postgres: PrivatePostgres; settings: Settings }> {
  const [postgres, nats, redis] = await Promise.all([
    startPostgres(stored === undefined ? {} : { copyOf: stored.dataDir }),
    ...(withCluster ? ([startNats(), startRedis()] as const) : []),
  ]);
  return {
    postgres,
    settings: {
      DATABASE_URL: postgres.serverUrl,
      // A folder that is deleted with the database.
      UPLOADS_DIR: join(postgres.folder, 'uploads'),
      ...(nats !== undefined && { NATS_URL: nats.url }),
      ...(redis !== undefined && { REDIS_URL: redis.url }),
    },
  };
}

async function makeWorld(
  progress: ReturnType<typeof createProgress>,
  ownerUrl: string,
  config: Config,
  real: DemoChains | undefined,
): Promise<World> {
  await progress.step('Database migrated', () => migrate(ownerUrl, config.DATABASE_URL));
  return progress.step(
    real === undefined ? 'World loaded, with a week of trading' : 'World loaded',
    () =>
      withOperator(config, (ctx) =>
        real === undefined ? loadWorld(ctx) : loadWorld(ctx, chainsVenue(real.token)),
      ),
  );
}

async function withOperator<T>(config: Config, work: (ctx: Context) => Promise<T>): Promise<T> {
  const ctx = await createOperatorContext(config);
  try {
    return await work(ctx);
  } finally {
    await ctx.close();
  }
}

await main().catch(fail);
