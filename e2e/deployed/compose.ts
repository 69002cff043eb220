// Runs compose.yaml without a container engine: its services as plain processes of this machine,
// with exactly the commands, settings and secrets that it gives to each.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { parse } from 'yaml';
import { startPostgres, type PrivatePostgres } from '../../server/src/platform/engines/postgres.ts';
import { ended, freePort } from '../../server/src/platform/engines/process.ts';
import {
  RIALTO_BINARY,
  startRialtoProcess,
  type RialtoProcess,
} from '../../server/src/testing/rialto-process.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const readRoot = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

export interface Service {
  readonly profiles?: readonly string[];
  readonly image?: string;
  readonly build?: { readonly dockerfile: string };
  readonly command?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
}

export const compose = parse(readRoot('compose.yaml'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
};

export interface Shape {
  /** The long-running Rialto services, by name. */
  readonly processes: Readonly<Record<string, RialtoProcess>>;
  /** The environment of an operator's shell in one of them. */
  readonly settings: Record<string, string>;
  stop(): Promise<void>;
}

/**
 * Starts what `docker compose --profile … up` would start. `given` are the operator's lines in
 * `.env`.
 */
export async function startShape(
  profile: 'single' | 'cluster',
  given: Record<string, string>,
): Promise<Shape> {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-compose-'));
  // NATS, Redis and PostgreSQL may run as another user.
  chmodSync(folder, 0o755);
  const postgres = await startPostgres();
  await forgetServersRole(postgres);
  const ports = { nats: await freePort(), redis: await freePort() };
  const secretsFolder = makeSecrets(folder, postgres, ports);
  const uploads = join(folder, 'uploads');
  mkdirSync(uploads);

  const settingsOf = (name: string): Record<string, string> =>
    environmentOf(name, given, secretsFolder);
  const servers: ChildProcess[] = [];
  const running: Record<string, RialtoProcess> = {};
  const stop = async () => {
    await Promise.all(Object.values(running).map((one) => one.stop()));
    for (const child of servers) child.kill('SIGTERM');
    for (const child of servers) await ended(child);
    await postgres.remove();
    rmSync(folder, { recursive: true });
  };
  try {
    const wanted = Object.keys(compose.services).filter((name) =>
      compose.services[name]?.profiles?.includes(profile),
    );
    for (const name of ['nats', 'redis'] as const) {
      if (!wanted.includes(name)) continue;
      const child = startBus(name, ports[name], { ...settingsOf(name), RUN_DIR: folder });
      servers.push(child);
    }
    const own = { UPLOADS_DIR: uploads, LOG_LEVEL: 'silent' };
    execFileSync(
      process.execPath,
      [RIALTO_BINARY, ...(compose.services['migrate']?.command ?? [])],
      {
        env: { PATH: process.env['PATH'], ...settingsOf('migrate'), ...own },
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
    await Promise.all(
      wanted.map(async (name) => {
        const { build, command = [] } = compose.services[name] ?? {};
        if (build === undefined || command[0] !== 'serve') return;
        const roles = command[command.indexOf('--roles') + 1] ?? '';
        const environment = { ...settingsOf(name), ...own };
        running[name] = await startRialtoProcess(
          command.includes('--roles') ? roles : 'api,engine,relay,worker,custody',
          environment,
          [RIALTO_BINARY, ...command],
        );
      }),
    );
    const [first = ''] = Object.keys(running)
      .filter((name) => /^(api|server)/.test(name))
      .sort();
    return { processes: running, settings: { ...settingsOf(first), ...own }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A new PostgreSQL of compose.yaml has only the owner's role: `migrate` creates the other. */
async function forgetServersRole({ ownerUrl }: PrivatePostgres): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query('DROP OWNED BY rialto_server; DROP ROLE rialto_server');
  } finally {
    await client.end();
  }
}

/** The secrets as the script creates them; PostgreSQL has created one itself before. */
function makeSecrets(
  folder: string,
  postgres: PrivatePostgres,
  ports: { nats: number; redis: number },
): string {
  const secrets = join(folder, 'secrets');
  mkdirSync(secrets);
  writeFileSync(join(secrets, 'postgres_password'), new URL(postgres.ownerUrl).password);
  execFileSync('sh', [join(ROOT, 'deploy/make-secrets.sh'), secrets], {
    env: {
      PATH: process.env['PATH'],
      POSTGRES_HOST: `127.0.0.1:${postgres.port}`,
      NATS_HOST: `127.0.0.1:${ports.nats}`,
      REDIS_HOST: `127.0.0.1:${ports.redis}`,
    },
  });
  return secrets;
}

/** What a service gets: `${NAME:-default}` resolved, and only the secrets that it names. */
function environmentOf(
  name: string,
  given: Record<string, string>,
  secrets: string,
): Record<string, string> {
  const { environment = {}, secrets: own = [] } = compose.services[name] ?? {};
  return Object.fromEntries(
    Object.entries(environment).map(([key, text]) => {
      const filled = text.replaceAll(
        /\$\{(\w+):-([^}]*)\}/g,
        (_all, variable: string, otherwise: string) => given[variable] ?? otherwise,
      );
      const secret = /^\/run\/secrets\/(\w+)$/.exec(filled)?.[1];
      if (secret === undefined) return [key, filled];
      if (!own.includes(secret)) throw new Error(`${name} has no secret "${secret}".`);
      return [key, join(secrets, secret)];
    }),
  );
}

function startBus(
  name: 'nats' | 'redis',
  port: number,
  environment: Record<string, string>,
): ChildProcess {
  const { entrypoint = [], volumes = [] } = compose.services[name] ?? {};
  // Maps a path in the container to the mounted folder of the repository.
  const outside = (path: string): string => {
    const mounts = volumes
      .map((one) => one.split(':'))
      .map(([from = '', to = '']) => ({ from, to }));
    const mount = mounts.find(({ to }) => path.startsWith(`${to}/`));
    return mount === undefined ? path : join(ROOT, mount.from, path.slice(mount.to.length));
  };
  const script = environment['ADMIT_SCRIPT'];
  const [command = '', ...args] = entrypoint.map(outside);
  const upper = name.toUpperCase();
  return spawn(command, args, {
    env: {
      // Debian keeps servers outside the PATH of most users.
      PATH: `${process.env['PATH']}:/usr/sbin`,
      ...environment,
      ...(script !== undefined && { ADMIT_SCRIPT: outside(script) }),
      [`${upper}_PORT`]: String(port),
      [`${upper}_BIND`]: '127.0.0.1',
    },
    stdio: 'ignore',
  });
}
