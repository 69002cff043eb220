// Windows shared by several processes: one script, on Redis's own clock. When Redis does not answer in
// time, the process decides alone, with its share of the limit.
import { readFileSync } from 'node:fs';
import { createClient, defineScript } from 'redis';
import type { Clock } from '../std/clock.ts';
import { pause } from '../std/wait.ts';
import { createInProcessWindows } from './in-process.ts';
import type { Admission, WindowRule, Windows } from './windows.ts';

/** The one script. A Redis that forbids loading scripts has it from its start (deploy/redis). */
export const ADMIT = readFileSync(new URL('admit.lua', import.meta.url), 'utf8');

/** What the client library passes to a script for its arguments. */
interface Parser {
  pushKey(key: string): void;
  push(...values: string[]): unknown;
}

export interface RedisServerOptions {
  url: string;
  prefix: string;
  clock: Clock;
  /** How many processes share the limit when each decides alone. */
  sharers(): number;
  onError(error: unknown): void;
  onFallback(): void;
}

// If Redis is down, calls fail at once; only a hanging Redis reaches this deadline. A busy machine can delay an
// answer by tens of milliseconds, and each local decision made meanwhile comes on top of the limit, so the
// deadline is generous; after it was missed once no call waits until Redis is prompt again.
const DEADLINE_MS = 250;
const PROMPT_MS = 20;
const PROBE_EVERY_MS = 100;

export async function createRedisWindows(options: RedisServerOptions): Promise<Windows> {
  const { url, prefix, clock, sharers, onError, onFallback } = options;
  const client = createClient({
    url,
    // A late decision is worse than a local one, so no call waits for a reconnection.
    disableOfflineQueue: true,
    socket: {
      reconnectStrategy: (retries) => Math.min(50 * 2 ** Math.min(retries, 5), 1000),
      connectTimeout: 2000,
    },
    scripts: {
      admitToWindow: defineScript({
        SCRIPT: ADMIT,
        NUMBER_OF_KEYS: 1,
        parseCommand(parser: Parser, key: string, limit: number, windowUs: number) {
          parser.pushKey(key);
          parser.push(String(limit), String(windowUs));
        },
        transformReply: (reply: [number, string, number, string]) => reply,
      }),
    },
  });
  client.on('error', onError);
  // A process may start while Redis is down; it then decides alone until Redis is there.
  await Promise.race([
    client.connect().catch(onError),
    new Promise((resolve) => setTimeout(resolve, 2000)),
  ]);
  const local = createInProcessWindows(clock);

  let isAway = false;

  /** Redis hangs: every call decides alone until it answers promptly. */
  async function waitForRedis(): Promise<void> {
    if (isAway) return;
    isAway = true;
    while (isAway && client.isOpen) {
      const startedMs = performance.now();
      await client.ping().catch(() => {});
      if (performance.now() - startedMs <= PROMPT_MS && client.isReady) isAway = false;
      else await pause(PROBE_EVERY_MS);
    }
  }

  function decideAlone(key: string, { limit, windowMs }: WindowRule): Admission {
    onFallback();
    const share = Math.max(1, Math.floor(limit / Math.max(1, sharers())));
    return local.admit(key, { limit: share, windowMs }) as Admission;
  }

  return {
    async admit(key, rule) {
      if (isAway) return decideAlone(key, rule);
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<'late'>((resolve) => {
        timer = setTimeout(resolve, DEADLINE_MS, 'late');
      });
      const shared = client
        .admitToWindow(`${prefix}:window:${key}`, rule.limit, rule.windowMs * 1000)
        .catch((error: unknown) => {
          onError(error);
          return undefined;
        });
      const reply = await Promise.race([shared, late]);
      clearTimeout(timer);
      if (reply === 'late') void waitForRedis();
      if (reply === undefined || reply === 'late') return decideAlone(key, rule);
      const [admitted, nowUs, remaining, resetUs] = reply as [number, string, number, string];
      return {
        admitted: admitted === 1,
        atMs: Number(nowUs) / 1000,
        remaining,
        resetMs: Number(resetUs) / 1000,
        token: admitted === 1 ? Number(nowUs) : 0,
      };
    },
    release(key, token) {
      local.release(key, token);
      if (client.isReady) client.lRem(`${prefix}:window:${key}`, 1, String(token)).catch(onError);
    },
    isConnected: () => client.isReady,
    async close() {
      isAway = false;
      await local.close();
      client.destroy();
    },
  };
}
