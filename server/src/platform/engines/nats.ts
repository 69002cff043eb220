/** A private NATS server: core publish and subscribe only, without JetStream. */
import { randomBytes } from 'node:crypto';
import { Engine } from './engine.ts';
import { converse, requireBinary } from './process.ts';

export interface NatsOptions {
  /** The executable, when it goes by another name or path. */
  binary?: string;
  port?: number;
  /** Keeps configuration and log in this folder, which is then never deleted. */
  folder?: string;
  /** More lines of the configuration file, such as `{ max_payload: '8MB' }`. */
  settings?: Record<string, string>;
}

export interface PrivateNats {
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
  'Install the NATS server: "apt install nats-server" on Debian and Ubuntu, "brew install ' +
  'nats-server" on macOS, or put a release of github.com/nats-io/nats-server on PATH.';

export async function startNats(options: NatsOptions = {}): Promise<PrivateNats> {
  const user = 'rialto';
  const pass = randomBytes(24).toString('hex');
  const hello = JSON.stringify({ user, pass, verbose: false, pedantic: false });
  const engine = await Engine.start(
    { name: 'NATS', folder: options.folder, orderly: 'SIGTERM', quick: 'SIGTERM' },
    (place) => ({
      port: options.port,
      command: requireBinary([options.binary ?? 'nats-server'], place.account, INSTALL),
      configure: (port) => {
        const more = Object.entries(options.settings ?? {}).map(
          ([key, value]) => `${key}: ${value}`,
        );
        // The password stands in a file, because every user of the machine can see a command line.
        const lines = [
          `listen: "127.0.0.1:${port}"`,
          `authorization { user: "${user}", password: "${pass}" }`,
          ...more,
        ];
        return ['-c', place.write('nats.conf', `${lines.join('\n')}\n`)];
      },
      probe: (port) => converse(port, `CONNECT ${hello}\r\nPING\r\n`, 'PONG'),
    }),
  );
  return {
    url: `nats://${user}:${pass}@127.0.0.1:${engine.port}`,
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
