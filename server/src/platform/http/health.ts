// Liveness and readiness. Liveness does not check other servers: otherwise a database that is down would get every
// process restarted for no gain.
import type { FastifyInstance } from 'fastify';
import type { Context } from '../context.ts';
import { touchLog } from '../events/log.ts';
import { withDeadline } from '../std/wait.ts';

export interface Readiness {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, 'ok' | 'degraded' | 'down' | 'stopping'>>;
  /** For each failed readiness check: what is missing. */
  readonly why: Readonly<Record<string, string>>;
}

/** Returns what is missing, or nothing. */
export type Requirement = () => Promise<string | undefined>;

export interface Health {
  check(): Promise<Readiness>;
  /** What a role needs besides the database before it should get traffic. */
  require(name: string, requirement: Requirement): void;
  /** From now on not ready, so that load balancers send no requests here while the process drains. */
  stopping(): void;
}

const CHECK_DEADLINE_MS = 1000;
/** How old an answer may be. */
const SHARED_MS = 100;

export function createHealth(ctx: Context): Health {
  let isStopping = false;
  const requirements = new Map<string, Requirement>([
    [
      'database',
      async () => {
        await touchLog(ctx.database.pool);
        return undefined;
      },
    ],
  ]);

  async function ask([name, requirement]: [string, Requirement]): Promise<[string, string]> {
    const missing = await withDeadline(requirement(), CHECK_DEADLINE_MS, `The check of ${name}`)
      // The error itself may reveal too much to strangers.
      .catch(() => 'It did not answer in time.');
    return [name, missing ?? ''];
  }

  async function look(): Promise<Readiness> {
    const asked = await Promise.all([...requirements].map(ask));
    const missing = asked.filter(([, why]) => why !== '');
    if (isStopping) missing.push(['process', 'The process is stopping.']);
    return {
      ready: missing.length === 0,
      checks: {
        ...Object.fromEntries(asked.map(([name, why]) => [name, why === '' ? 'ok' : 'down'])),
        // Without bus or windows the process keeps serving, more slowly or more strictly.
        bus: ctx.bus.isConnected() ? 'ok' : 'degraded',
        windows: ctx.windows.isConnected() ? 'ok' : 'degraded',
        process: isStopping ? 'stopping' : 'ok',
      },
      why: Object.fromEntries(missing),
    };
  }

  let shared:
    { readonly look: Promise<Readiness>; isUnderWay: boolean; sinceMs: number } | undefined;

  /** Anybody may ask, as often as they like: concurrent callers, and those shortly after, share the answer. */
  function check(): Promise<Readiness> {
    const nowMs = performance.now();
    if (shared === undefined || (!shared.isUnderWay && nowMs - shared.sinceMs >= SHARED_MS)) {
      const one = { look: look(), isUnderWay: true, sinceMs: nowMs };
      void one.look.finally(() => (one.isUnderWay = false));
      shared = one;
    }
    return shared.look;
  }

  return {
    check,
    require(name, requirement) {
      requirements.set(name, requirement);
      shared = undefined;
    },
    stopping() {
      isStopping = true;
      shared = undefined;
    },
  };
}

export function mountHealth(app: FastifyInstance, prefix: string, health: Health): void {
  app.get(`${prefix}/live`, async () => ({ status: 'ok' }));
  app.get(`${prefix}/ready`, async (request, reply) => {
    const { ready, checks, why } = await health.check();
    if (!ready) {
      request.failure = `not ready: ${Object.values(why).join(' ')}`;
    }
    return reply
      .code(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: ready ? 'ok' : 'unavailable', checks, ...(ready ? {} : { why }) });
  });
}
