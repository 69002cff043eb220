// A whole server in this process, on its own database, for tests over HTTP.
import type pg from 'pg';
import { inject } from 'vitest';
import { loadConfig } from '../platform/config/load.ts';
import { createContext, type Context } from '../platform/context.ts';
import { createHealth } from '../platform/http/health.ts';
import type { Hub } from '../platform/realtime/hub.ts';
import type { Log } from '../platform/observe/log.ts';
import type { Clock } from '../platform/std/clock.ts';
import { startRelay, type RelayOptions } from '../platform/events/relay.ts';
import { startJobRunner } from '../platform/jobs/runner.ts';
import { startApi, type ApiOptions } from '../roles/api.ts';
import { JOBS } from '../roles/jobs.ts';
import { startEngine, type EngineOptions, type EngineRole } from '../trading/engine/run.ts';
import { startProjector } from '../trading/projections/projector.ts';
import { pause } from '../platform/std/wait.ts';
import { openOwner, removeUploads, testEnvironment } from './context.ts';
import { cloneDatabase } from './database.ts';

export interface TestServer {
  readonly ctx: Context;
  /** The event queues of this server. */
  readonly hub: Hub;
  readonly origin: string;
  /** Root of the trading API. */
  readonly baseUrl: string;
  /** Root of the chat API. */
  readonly chatUrl: string;
  readonly databaseUrl: string;
  /** A pool of the database's owner, for tests that tamper with rows or read what the server's role may not. */
  readonly owner: pg.Pool;
  /** Replaces the engine of `withEngine` by another, which recovers from the journal. */
  restartEngine(): Promise<void>;
  close(): Promise<void>;
}

export interface TestServerOptions extends ApiOptions {
  settings?: Record<string, string>;
  /** For a second server on another one's database; then both need NATS and Redis. */
  databaseUrl?: string;
  /** The owner's URL of a PostgreSQL of the test's own (`startTestPostgres`), for one that kills it. */
  postgresUrl?: string;
  /** False if the test runs the relay itself, or none. */
  withRelay?: boolean;
  /** Runs a matching engine in this process, ready before the test begins, and its projections. */
  withEngine?: boolean;
  /** Runs jobs that actions queue, such as sending emails, in this process. */
  withJobs?: boolean;
  /** The test's own clock, for what depends on the time to the millisecond. */
  clock?: Clock;
  /** A log for tests that read its lines. */
  log?: Log;
}

export function relayOptions(ctx: Context): RelayOptions {
  const { bus, log, metrics, config } = ctx;
  return { pool: ctx.database.pool, bus, log, metrics, pollMs: config.EVENT_POLL_MS };
}

export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { postgresUrl = inject('postgresUrl') } = options;
  const database = options.databaseUrl === undefined ? await cloneDatabase(postgresUrl) : undefined;
  const databaseUrl = options.databaseUrl ?? database?.url ?? '';
  const config = loadConfig(testEnvironment(databaseUrl, options.settings, postgresUrl));
  const ctx = await createContext(config, {
    onFatal: (error) => {
      throw error;
    },
    ...(options.clock === undefined ? {} : { clock: options.clock }),
    ...(options.log === undefined ? {} : { log: options.log }),
  });
  const relay = options.withRelay === false ? undefined : startRelay(relayOptions(ctx));
  let engine = options.withEngine === true ? await leadingEngine(ctx) : undefined;
  const jobs = options.withJobs === true ? startJobRunner(ctx, JOBS, []) : undefined;
  const projector = options.withEngine === true ? startProjector(ctx) : undefined;
  let hub: Hub | undefined;
  const api = await startApi(ctx, createHealth(ctx), {
    // What is built on this machine must not decide what a test sees.
    clientFolder: undefined,
    ...options,
    extend: (app, apiContext) => {
      ({ hub } = apiContext);
      return options.extend?.(app, apiContext);
    },
  });
  const owner = openOwner(databaseUrl, postgresUrl);
  if (hub === undefined) throw new Error('The api role did not say which hub it has.');
  return {
    ctx,
    hub,
    origin: api.origin,
    baseUrl: `${api.origin}/v1`,
    chatUrl: `${api.origin}/api/v1`,
    databaseUrl,
    owner,
    async restartEngine() {
      await engine?.stop();
      engine = await leadingEngine(ctx);
    },
    async close() {
      await api.stop();
      await jobs?.stop();
      await engine?.stop();
      await projector?.stop();
      await relay?.stop();
      const { body: metrics } = await ctx.metrics.render();
      await ctx.close();
      await owner.end();
      if (database !== undefined) {
        await database.drop();
        await removeUploads(databaseUrl);
      }
      checkAudited(metrics);
    },
  };
}

/** Checks, in every test, that no request is missing from the audit log. */
function checkAudited(metrics: string): void {
  const forgotten = metrics.match(/^rialto_audit_forgotten_total\{.*route=.*$/gm) ?? [];
  if (forgotten.length > 0) {
    throw new Error(
      `Requests did not leave what their routes declare in the audit log:\n${forgotten.join('\n')}`,
    );
  }
}

/** A running engine that has taken over. Nothing need write the tables: it takes new orders for ever. */
export const startTestEngine = (
  ctx: Context,
  options: Partial<EngineOptions> = {},
): Promise<EngineRole> =>
  leadingEngine({ ...ctx, config: { ...ctx.config, PROJECTION_WAIT_MAX_MS: 0 } }, options);

async function leadingEngine(
  ctx: Context,
  options: Partial<EngineOptions> = {},
): Promise<EngineRole> {
  const engine = startEngine(ctx, {
    onFatal: (error) => {
      throw error;
    },
    ...options,
  });
  while (engine.epoch() === undefined) await pause(2);
  return engine;
}
