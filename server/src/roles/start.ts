// Starts the roles of one process and stops them in order. `rialto serve` and the demo both use it.
import type { Config } from '../platform/config/schema.ts';
import { createContext, type Context } from '../platform/context.ts';
import { createHealth, mountHealth, type Health } from '../platform/http/health.ts';
import type { ApiOptions } from './api.ts';
import type { EngineRoleOptions } from './engine.ts';
import { startWatch } from './watch.ts';

export interface RunningProcess {
  readonly ctx: Context;
  /** Where the APIs are, when this process has the api role. */
  readonly origin: string | undefined;
  /** Where operators look, when OPS_PORT is set. */
  readonly opsOrigin: string | undefined;
  /** Turns readiness red, finishes what is under way, and lets go of everything. */
  stop(): Promise<void>;
}

interface Stoppable {
  stop(): Promise<void>;
}

export interface StartOptions extends ApiOptions, EngineRoleOptions {}

export async function startProcess(config: Config, options: StartOptions): Promise<RunningProcess> {
  const ctx = await createContext(config, { onFatal: options.onFatal });
  const health = createHealth(ctx);
  // Until the api role says itself what it needs: the operators' port opens before it.
  if (ctx.roles.includes('api')) health.require('engine', async () => 'The API is not open yet.');
  // In the order of starting; stopped the other way round, so that nothing loses what it needs.
  const started: Stoppable[] = [];
  let origin: string | undefined;
  const stop = async () => {
    health.stopping();
    for (const role of started.splice(0).reverse()) {
      await role
        .stop()
        .catch((error: unknown) => ctx.log.warn({ err: error }, 'A role did not stop cleanly.'));
    }
    await ctx.close();
  };
  try {
    const ops = config.OPS_PORT === '' ? undefined : await startOps(ctx, health);
    if (ops !== undefined) started.push(ops);
    started.push(startWatch(ctx));
    // Each role is read when it is wanted: an engine that starts again has no use for the chat.
    if (ctx.roles.includes('worker')) {
      const { startWorker } = await import('./worker.ts');
      started.push(startWorker(ctx, () => origin));
    }
    if (ctx.roles.includes('relay')) {
      const { startRelayRole } = await import('./relay.ts');
      started.push(startRelayRole(ctx));
    }
    if (ctx.roles.includes('engine')) {
      const { startEngineRole } = await import('./engine.ts');
      started.push(startEngineRole(ctx, options));
    }
    // Last, because whoever finds the port open may expect everything else to work.
    const { startApi } = ctx.roles.includes('api') ? await import('./api.ts') : {};
    const api = await startApi?.(ctx, health, options);
    origin = api?.origin;
    if (api !== undefined) started.push(api);
    return { ctx, origin: api?.origin, opsOrigin: ops?.origin, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** For operators and balancers, on a port of its own: every role has it, also those without an API. */
async function startOps(ctx: Context, health: Health): Promise<Stoppable & { origin: string }> {
  const { createHttpServer } = await import('../platform/http/server.ts');
  const app = createHttpServer(ctx, { isPublic: false });
  mountHealth(app, '', health);
  app.get('/metrics', async (_request, reply) => {
    const { contentType, body } = await ctx.metrics.render();
    return reply.header('content-type', contentType).send(body);
  });
  const origin = await app.listen({ host: ctx.config.HOST, port: Number(ctx.config.OPS_PORT) });
  return {
    origin,
    stop: async () => {
      await app.close();
    },
  };
}
