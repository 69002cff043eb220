// Starts one PostgreSQL, one NATS and one Redis for a whole run of integration tests, from the real binaries. Every
// test file clones its own database from a migrated template.
import type { TestProject } from 'vitest/node';
import { startNats } from '../platform/engines/nats.ts';
import { stopAllEngines } from '../platform/engines/engine.ts';
import { startRedis } from '../platform/engines/redis.ts';
import { startTestPostgres } from './postgres.ts';
import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

declare module 'vitest' {
  interface ProvidedContext {
    /** For the superuser, who owns everything; servers use the role of `cloneDatabase`. */
    postgresUrl: string;
    natsUrl: string;
    redisUrl: string;
  }
}

const MEMORY = '/dev/shm';
const MEMORY_BYTES_MIN = 4 * 2 ** 30;

/** Each worker has test servers with pools of their own. */
const SETTINGS = { max_connections: '400' };

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = folderInMemory();
  const [postgres, nats, redis] = await Promise.all([
    startTestPostgres({ settings: SETTINGS, ...(folder === undefined ? {} : { folder }) }),
    startNats(),
    startRedis(),
  ]);
  project.provide('postgresUrl', postgres.ownerUrl);
  project.provide('natsUrl', nats.url);
  project.provide('redisUrl', redis.url);
  return async () => {
    await stopAllEngines();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  };
}

/**
 * A folder in memory, since waiting for the disk is a large part of a run. This PostgreSQL need not survive a power
 * cut; `npm run crash` and the end-to-end tests show crash safety on engines that write to the disk.
 */
function folderInMemory(): string | undefined {
  if (!existsSync(MEMORY)) return undefined;
  // Removes folders of killed runs, which would keep their memory for ever.
  for (const name of readdirSync(MEMORY)) {
    const pid = /^rialto-tests-(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) {
      rmSync(join(MEMORY, name), { recursive: true, force: true });
    }
  }
  const { bavail, bsize } = statfsSync(MEMORY);
  if (bavail * bsize < MEMORY_BYTES_MIN) return undefined;
  const folder = join(MEMORY, `rialto-tests-${process.pid}`);
  mkdirSync(folder);
  return folder;
}
