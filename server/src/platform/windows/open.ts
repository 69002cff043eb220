// Opens the windows of a process, which limit requests: shared on Redis, or within the process when it is the only one
// or limits nobody.
import type { Config, Role } from '../config/schema.ts';
import type { Log } from '../observe/log.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { Clock } from '../std/clock.ts';
import { createInProcessWindows } from './in-process.ts';
import type { Windows } from './windows.ts';

export interface OpenWindowsOptions {
  readonly config: Config;
  readonly roles: readonly Role[];
  /** Distinguishes deployments that share one Redis. */
  readonly installation: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** How many api processes share the limits. */
  sharers(): number;
}

export async function openWindows(options: OpenWindowsOptions): Promise<Windows> {
  const { config, roles, installation, clock, log, metrics, sharers } = options;
  // An engine counts no requests. Without the Redis client, a fifth of all modules, it restarts faster.
  const isEngineOnly = roles.every((role) => role === 'engine');
  if (config.NATS_URL === '' || isEngineOnly) return createInProcessWindows(clock);
  const { createRedisWindows } = await import('./redis.ts');
  return createRedisWindows({
    url: config.REDIS_URL,
    prefix: `rialto:${installation}`,
    clock,
    sharers,
    onError: (error) => log.debug({ err: error }, 'Redis reported an error.'),
    onFallback: metrics.windowsFellBack,
  });
}
