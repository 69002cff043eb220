// The server under test and the people who send requests to it.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROLE, type RoleCode } from '../../server/src/accounts/roles.ts';
import { pause } from '../../server/src/platform/std/wait.ts';
import { openBrowser } from '../../server/src/testing/browser.ts';
import { startDeployment } from '../../server/src/testing/deployment.ts';
import { examplePerson } from '../../server/src/testing/example.ts';
import { startMailCatcher } from '../../server/src/testing/mail-catcher.ts';
import { liveVenue } from '../../server/src/testing/live-venue.ts';
import {
  RIALTO_BINARY,
  startRialtoProcess,
  type RialtoProcess,
} from '../../server/src/testing/rialto-process.ts';
import type { Credentials } from './wire.ts';

export interface Probe {
  readonly heapBytes: number;
  readonly rssBytes: number;
  /** Whether Object.prototype is unchanged. */
  readonly isClean: boolean;
}

export interface World {
  readonly server: RialtoProcess;
  /** Creates a new person of this role, to replace one who was locked out. */
  enter(role: RoleCode): Promise<Credentials>;
  probe(): Promise<Probe>;
  close(): Promise<void>;
}

export const ROLES: readonly RoleCode[] = [
  ROLE.owner,
  ROLE.administrator,
  ROLE.moderator,
  ROLE.member,
  ROLE.guest,
];

/**
 * Limits are raised, so that requests reach the code behind them; every other setting is the
 * default.
 */
const SETTINGS = {
  MONEY: 'simulated',
  LOG_LEVEL: 'error',
  TRADING_RATE_LIMIT: '1000000',
  CHAT_RATE_LIMIT: '1000000',
  CHAT_RATE_LIMIT_ANONYMOUS: '1000000',
};

const PROBE_SCRIPT = fileURLToPath(new URL('probe.ts', import.meta.url));
const PROBE_WAIT_MS = 15_000;
const PASSWORD = 'four plain fuzzing words';

export async function startWorld(): Promise<World> {
  const mail = await startMailCatcher();
  const deployment = await startDeployment({ ...SETTINGS, ...mail.settings });
  const { ctx, environment } = deployment;
  const folder = await mkdtemp(join(tmpdir(), 'rialto-fuzz-'));
  const probeFile = join(folder, 'probe');
  const server = await startRialtoProcess(
    'api,engine,relay,worker',
    { ...environment, FUZZ_PROBE_FILE: probeFile },
    ['--expose-gc', '--import', PROBE_SCRIPT, RIALTO_BINARY, 'serve'],
  );
  const venue = await liveVenue({ ctx });
  let probes = 0;
  return {
    server,
    async enter(role) {
      const person = await examplePerson(ctx, { role, password: PASSWORD });
      const { keyId, secret } = await venue.trader(undefined, { userId: person.id });
      const browser = openBrowser(server);
      await browser.signIn(person.email, PASSWORD);
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const csrfToken = browser.cookies.get('csrftoken') ?? '';
      return { basic: person.basic, cookie, csrfToken, keyId, secret };
    },
    async probe() {
      server.kill('SIGWINCH');
      const deadline = Date.now() + PROBE_WAIT_MS;
      while (Date.now() < deadline) {
        const lines = (await readFile(probeFile, 'utf8').catch(() => '')).trimEnd().split('\n');
        const last = lines[probes];
        if (last !== undefined && last !== '') {
          probes += 1;
          return JSON.parse(last) as Probe;
        }
        await pause(50);
      }
      throw new Error('The server did not answer the probe.');
    },
    async close() {
      await server.stop();
      await deployment.close();
      await mail.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
