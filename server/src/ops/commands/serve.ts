// `rialto serve`: starts the roles, and stops them in order when asked to.
import closeWithGrace from 'close-with-grace';
import { loadConfig } from '../../platform/config/load.ts';
import { secretValues } from '../../platform/config/secrets.ts';
import { findSettingWarnings } from '../../platform/config/warnings.ts';
import { findLocaleProblem } from '../../platform/db/locale.ts';
import { reportRole } from '../../platform/db/role-check.ts';
import { createLog } from '../../platform/observe/log.ts';
import { startProcess, type RunningProcess } from '../../roles/start.ts';
import { requireReady } from '../database.ts';
import type { Environment } from '../environment.ts';
import { portsOf, requireFreePorts } from '../ports.ts';
import { sentences } from '../trouble.ts';
import { migrateAsOwner } from './migrate.ts';
import { startWatchdog } from './watchdog.ts';

export interface ServeOptions {
  roles?: string;
  port?: string;
  migrate?: boolean;
}

/** Returns when the server runs. From then on a signal or a fatal error ends the process. */
export async function serve(environment: Environment, options: ServeOptions): Promise<void> {
  const { roles, port } = options;
  const config = loadConfig({
    ...environment,
    ...(roles !== undefined && { ROLES: roles }),
    ...(port !== undefined && { PORT: port }),
  });
  await requireFreePorts(portsOf(config, port !== undefined));
  if (options.migrate === true) await migrateAsOwner(config);
  await requireReady(config);

  // From here on this process and its children do not need it.
  delete process.env['DATABASE_OWNER_URL'];

  let running: RunningProcess | undefined;
  let fatal: Error | undefined;
  let log = createLog(config.LOG_LEVEL, { roles: config.ROLES }, { hidden: secretValues(config) });
  const grace = closeWithGrace(
    {
      delay: config.STOP_DEADLINE_MS,
      logger: false,
      skip: ['SIGINT'],
      onSecondSignal: (signal) => log.warn({ signal }, 'A second signal: exiting at once.'),
      onTimeout: (ms) =>
        log.error(
          { ms, steps: running?.stopping() ?? ['start'] },
          'The orderly stop took too long: exiting.',
        ),
    },
    async ({ err, signal }) => {
      fatal ??= err;
      if (fatal !== undefined) log.fatal({ err: fatal }, 'A fatal error: stopping.');
      else log.info({ signal }, 'Stopping.');
      const watchdog = startWatchdog(config.STOP_DEADLINE_MS);
      const left = (await running?.stop(watchdog.note)) ?? [];
      if (left.length === 0) log.info('Stopped.');
      else log.error({ steps: left }, 'Stopped, but for what did not end: exiting without it.');
      // Thrown so that the exit code is 1.
      if (fatal !== undefined) throw fatal;
      if (left.length > 0) throw new Error(`${left.join(', ')} did not stop.`);
    },
  );
  stopOnInterrupt(() => grace.close());
  try {
    running = await startProcess(
      { ...config, DATABASE_OWNER_URL: '' },
      {
        onFatal: (error) => {
          fatal = error;
          grace.close();
        },
      },
    );
    log = running.ctx.log;
  } catch (error) {
    grace.uninstall();
    throw error;
  }
  await reportRole(running.ctx.database.pool, config.MONEY, log).catch((error: unknown) =>
    log.warn({ err: error }, "The server's database role could not be looked at."),
  );
  for (const found of findSettingWarnings(environment)) log.warn(sentences(found));
  const alphabet = await findLocaleProblem(running.ctx.database.pool).catch(() => undefined);
  if (alphabet !== undefined) log.error(sentences(alphabet));
  log.info({ origin: running.origin, ops: running.opsOrigin }, 'Serving.');
}

/** Ctrl-C comes twice at once when npm passes on what the terminal also sent to us. */
const SAME_REQUEST_MS = 500;

function stopOnInterrupt(stop: () => void): void {
  let firstMs: number | undefined;
  process.on('SIGINT', () => {
    if (firstMs === undefined) {
      firstMs = performance.now();
      stop();
    } else if (performance.now() - firstMs > SAME_REQUEST_MS) {
      process.exit(1);
    }
  });
}
