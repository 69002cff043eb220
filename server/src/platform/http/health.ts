// Is the process alive, and should it get traffic. Liveness asks nothing of the neighbours, or a
// database that is down would get every process restarted for no gain.
import type { FastifyInstance } from 'fastify';
import type { Context } from '../context.ts';
import { withDeadline } from '../std/wait.ts';

export interface Readiness {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, 'ok' | 'degraded' | 'down' | 'stopping'>>;
}

export interface Health {
  check(): Promise<Readiness>;
  /** From now on not ready, so that balancers send nobody here while the process drains. */
  stopping(): void;
}

const CHECK_DEADLINE_MS = 1000;

export function createHealth(ctx: Context): Health {
  let isStopping = false;
  return {
    async check() {
      const database = await withDeadline(
        ctx.database.pool.query({ name: 'health', text: 'SELECT FROM event_head' }),
        CHECK_DEADLINE_MS,
        'The database check',
      ).then(
        () => 'ok' as const,
        () => 'down' as const,
      );
      // Without bus or windows the process serves on, more slowly or more strictly.
      const checks = {
        database,
        bus: ctx.bus.isConnected() ? 'ok' : 'degraded',
        windows: ctx.windows.isConnected() ? 'ok' : 'degraded',
        process: isStopping ? 'stopping' : 'ok',
      } as const;
      return { ready: database === 'ok' && !isStopping, checks };
    },
    stopping: () => {
      isStopping = true;
    },
  };
}

export function mountHealth(app: FastifyInstance, prefix: string, health: Health): void {
  app.get(`${prefix}/live`, async () => ({ status: 'ok' }));
  app.get(`${prefix}/ready`, async (_request, reply) => {
    const { ready, checks } = await health.check();
    return reply
      .code(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: ready ? 'ok' : 'unavailable', checks });
  });
}
