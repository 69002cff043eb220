// Windows shared by several processes: one script, on Redis's own clock. What is asked in one turn of the loop is one call
// of it. When Redis does not answer in time, the process decides alone, with its share of the limit.
import { readFileSync } from 'node:fs';
import { createClient, defineScript } from 'redis';
import type { Clock } from '../std/clock.ts';
import { pause } from '../std/wait.ts';
import { createDeadline } from './deadline.ts';
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
/** Bounds one call of the script, which holds up everybody else at Redis: about a millisecond. */
const ASKED_AT_ONCE = 100;
const PROMPT_MS = 20;
const PROBE_EVERY_MS = 100;

/** The library reads an undefined timeout as none; its types do not say so. */
const NO_SIGNAL = { timeout: undefined } as unknown as { timeout: number };

interface Asked {
  readonly key: string;
  readonly redisKey: string;
  readonly rule: WindowRule;
  decide(admission: Admission): void;
}

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
      admitToWindows: defineScript({
        SCRIPT: ADMIT,
        // It may use nothing but its arguments: the library makes it once for all clients with equal options.
        parseCommand(parser: Parser, asked: readonly Asked[]) {
          parser.push(String(asked.length));
          for (const { redisKey } of asked) parser.pushKey(redisKey);
          for (const { rule } of asked) {
            parser.push(String(rule.limit), String(rule.windowMs * 1000));
          }
        },
        transformReply: (reply: (string | number)[]) => reply,
      }),
    },
  });
  client.on('error', onError);
  // By default the client makes an abort signal for each command that waits to be written, which costs as much as the
  // command. The deadline below bounds this wait: once it was missed, nothing more is asked.
  const unsignaled = client.withCommandOptions(NO_SIGNAL);
  // A process may start while Redis is down; it then decides alone until Redis is there.
  await Promise.race([
    client.connect().catch(onError),
    new Promise((resolve) => setTimeout(resolve, 2000)),
  ]);
  const local = createInProcessWindows(clock);
  const redisKeyOf = (key: string) => `${prefix}:window:${key}`;

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

  const deadline = createDeadline(DEADLINE_MS);
  let waiting: Asked[] = [];

  /** Decides all of these, in this order, each once: whichever comes first, the answer or the deadline. */
  async function ask(asked: readonly Asked[]): Promise<void> {
    let isDecided = false;
    const decideAllAlone = () => {
      if (isDecided) return;
      isDecided = true;
      for (const { key, rule, decide } of asked) decide(decideAlone(key, rule));
    };
    const inTime = deadline.watch(() => {
      void waitForRedis();
      decideAllAlone();
    });
    try {
      const reply = await unsignaled.admitToWindows(asked);
      if (isDecided) return;
      isDecided = true;
      for (const [index, { decide }] of asked.entries()) decide(readAdmission(reply, index));
    } catch (error) {
      onError(error);
      decideAllAlone();
    } finally {
      inTime();
    }
  }

  function askWaiting(): void {
    const asked = waiting;
    waiting = [];
    if (asked.length > 0) void ask(asked);
  }

  return {
    admit(key, rule) {
      if (isAway) return decideAlone(key, rule);
      return new Promise((decide) => {
        waiting.push({ key, redisKey: redisKeyOf(key), rule, decide });
        if (waiting.length === 1) setImmediate(askWaiting);
        else if (waiting.length >= ASKED_AT_ONCE) askWaiting();
      });
    },
    release(key, token) {
      local.release(key, token);
      if (client.isReady) client.lRem(redisKeyOf(key), 1, String(token)).catch(onError);
    },
    isConnected: () => client.isReady,
    async close() {
      isAway = false;
      await local.close();
      client.destroy();
    },
  };
}

/** The script answers with the time, and three values for each window. */
function readAdmission(reply: readonly (string | number)[], index: number): Admission {
  const nowUs = Number(reply[0]);
  const admitted = reply[index * 3 + 1] === 1;
  return {
    admitted,
    atMs: nowUs / 1000,
    remaining: Number(reply[index * 3 + 2]),
    resetMs: Number(reply[index * 3 + 3]) / 1000,
    token: admitted ? nowUs : 0,
  };
}
