/** A private Redis that keeps everything in memory only. */
import { randomBytes } from 'node:crypto';
import { launchServer, type LauncherOptions, type PrivateServer } from './engine.ts';
import { converse, requireBinary } from './process.ts';

const INSTALL =
  'Install Redis 6 or later (or Valkey): "apt install redis-server" on Debian and Ubuntu, ' +
  '"brew install redis" on macOS.';

export function startRedis(options: LauncherOptions = {}): Promise<PrivateServer> {
  const password = randomBytes(24).toString('hex');
  const names = options.binary === undefined ? ['redis-server', 'valkey-server'] : [options.binary];
  return launchServer(
    'Redis',
    options,
    (home) => ({
      port: options.port,
      command: requireBinary(names, home.account, INSTALL),
      configure: (port) => {
        const settings = {
          bind: '127.0.0.1',
          port: String(port),
          dir: `"${home.folder}"`,
          save: '""',
          appendonly: 'no',
          daemonize: 'no',
          ...options.settings,
          // The password is in a file, because every user can see a command line.
          requirepass: password,
        };
        const lines = Object.entries(settings).map(([key, value]) => `${key} ${value}\n`);
        return [home.write('redis.conf', lines.join(''))];
      },
      probe: (port) => converse(port, `AUTH ${password}\r\nPING\r\n`, '+PONG'),
    }),
    (port) => `redis://:${password}@127.0.0.1:${port}`,
  );
}
