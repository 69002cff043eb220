/** A private NATS server: core publish and subscribe only, without JetStream. */
import { randomBytes } from 'node:crypto';
import { launchServer, type LauncherOptions, type PrivateServer } from './engine.ts';
import { converse, requireBinary } from './process.ts';

const INSTALL =
  'Install the NATS server: "apt install nats-server" on Debian and Ubuntu, "brew install ' +
  'nats-server" on macOS, or put a release of github.com/nats-io/nats-server on PATH.';

export function startNats(options: LauncherOptions = {}): Promise<PrivateServer> {
  const user = 'rialto';
  const pass = randomBytes(24).toString('hex');
  const hello = JSON.stringify({ user, pass, verbose: false, pedantic: false });
  return launchServer(
    'NATS',
    options,
    (home) => ({
      port: options.port,
      command: requireBinary([options.binary ?? 'nats-server'], home.account, INSTALL),
      configure: (port) => {
        const more = Object.entries(options.settings ?? {}).map(
          ([key, value]) => `${key}: ${value}`,
        );
        // The password is in a file, because every user of the machine can see a command line.
        const lines = [
          `listen: "127.0.0.1:${port}"`,
          `authorization { user: "${user}", password: "${pass}" }`,
          ...more,
        ];
        return ['-c', home.write('nats.conf', `${lines.join('\n')}\n`)];
      },
      probe: (port) => converse(port, `CONNECT ${hello}\r\nPING\r\n`, 'PONG'),
    }),
    (port) => `nats://${user}:${pass}@127.0.0.1:${port}`,
  );
}
