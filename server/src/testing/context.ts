// A context on its own database, for tests without HTTP.
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { loadConfig } from '../platform/config/load.ts';
import type { Config } from '../platform/config/schema.ts';
import { createContext, type Context } from '../platform/context.ts';
import type { Log } from '../platform/observe/log.ts';
import type { Clock } from '../platform/std/clock.ts';
import { cloneDatabase, ownerUrlOf } from './database.ts';

export const TEST_MASTER_KEY = '5f'.repeat(32);

export interface TestContext {
  ctx: Context;
  config: Config;
  /** A pool of the database's owner, for tests that tamper with rows or read what the server's role may not. */
  owner: pg.Pool;
  close(): Promise<void>;
}

export function testEnvironment(
  databaseUrl: string,
  overrides: Record<string, string> = {},
  postgresUrl?: string,
) {
  return {
    DATABASE_URL: databaseUrl,
    // Used only by a rebuild of the projections.
    DATABASE_OWNER_URL: ownerUrlOf(databaseUrl, postgresUrl),
    MASTER_KEY: TEST_MASTER_KEY,
    LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'error',
    PORT: '0',
    DATABASE_POOL_MAX: '30',
    MONEY: 'simulated',
    UPLOADS_DIR: uploadsFolder(databaseUrl),
    ...overrides,
  };
}

/** One folder per database, created by the first upload. */
const uploadsFolder = (databaseUrl: string): string =>
  join(tmpdir(), 'rialto-uploads', new URL(databaseUrl).pathname.slice(1) || 'none');

export const removeUploads = (databaseUrl: string): Promise<void> =>
  rm(uploadsFolder(databaseUrl), { recursive: true, force: true });

/** The URLs of NATS and Redis, for a context that uses them. */
export function clusterSettings(): Record<string, string> {
  return { NATS_URL: inject('natsUrl'), REDIS_URL: inject('redisUrl') };
}

/** Connects on first use. */
export function openOwner(databaseUrl: string, postgresUrl?: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: ownerUrlOf(databaseUrl, postgresUrl), max: 2 });
  pool.on('error', () => {});
  return pool;
}

export interface TestContextOptions {
  /** For a second context on another one's database; then both need NATS and Redis. */
  databaseUrl?: string;
  clock?: Clock;
  /** Where log lines go, for a test that reads them. */
  log?: Log;
}

export async function createTestContext(
  overrides: Record<string, string> = {},
  { databaseUrl, ...options }: TestContextOptions = {},
): Promise<TestContext> {
  const database =
    databaseUrl === undefined ? await cloneDatabase(inject('postgresUrl')) : undefined;
  const url = databaseUrl ?? database?.url ?? '';
  const config = loadConfig(testEnvironment(url, overrides));
  const ctx = await createContext(config, {
    onFatal: (error) => {
      throw error;
    },
    ...options,
  });
  const owner = openOwner(url);
  return {
    ctx,
    config,
    owner,
    async close() {
      await ctx.close();
      await owner.end();
      if (database === undefined) return;
      await database.drop();
      await removeUploads(url);
    },
  };
}
