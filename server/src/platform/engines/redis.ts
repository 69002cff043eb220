/** A private Redis that keeps everything in memory only. */
import { randomBytes } from 'node:crypto';
import { Engine } from './engine.ts';
import { converse, requireBinary } from './process.ts';

export interface RedisOptions {
  /** The executable, when it goes by another name or path. */
  binary?: string;
  port?: number;
  /** Keeps configuration and log in this folder, which is then never deleted. */
  folder?: string;
  /** More lines of the configuration file, such as `{ maxmemory: '64mb' }`. */
  settings?: Record<string, string>;
}

export interface PrivateRedis {
  readonly url: string;
  readonly port: number;
  readonly pid: number | undefined;
  readonly folder: string;
  stop(): Promise<void>;
  restart(): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  remove(): Promise<void>;
}

const INSTALL =
  'Install Redis 6 or later (or Valkey): "apt install redis-server" on Debian and Ubuntu, ' +
  '"brew install redis" on macOS.';

export async function startRedis(options: RedisOptions = {}): Promise<PrivateRedis> {
  const password = randomBytes(24).toString('hex');
  const names = options.binary === undefined ? ['redis-server', 'valkey-server'] : [options.binary];
  const engine = await Engine.start(
    { name: 'Redis', folder: options.folder, orderly: 'SIGTERM', quick: 'SIGTERM' },
    (place) => ({
      port: options.port,
      command: requireBinary(names, place.account, INSTALL),
      configure: (port) => {
        const settings = {
          bind: '127.0.0.1',
          port: String(port),
          dir: `"${place.folder}"`,
          save: '""',
          appendonly: 'no',
          daemonize: 'no',
          ...options.settings,
          // The password stands in a file, because every user can see a command line.
          requirepass: password,
        };
        const lines = Object.entries(settings).map(([key, value]) => `${key} ${value}\n`);
        return [place.write('redis.conf', lines.join(''))];
      },
      probe: (port) => converse(port, `AUTH ${password}\r\nPING\r\n`, '+PONG'),
    }),
  );
  return {
    url: `redis://:${password}@127.0.0.1:${engine.port}`,
    port: engine.port,
    folder: engine.place.folder,
    get pid() {
      return engine.pid;
    },
    stop: () => engine.stop(),
    restart: () => engine.restart(),
    kill: (signal) => engine.kill(signal),
    remove: () => engine.remove(),
  };
}
