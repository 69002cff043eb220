// Starts the roles of one process and stops them in order. `rialto serve` and the demo both use it.
import type { Config, Role } from '../platform/config/schema.ts';
import { createContext, type Context } from '../platform/context.ts';
import { createHealth, mountHealth, type Health } from '../platform/http/health.ts';
import type { ApiOptions } from './api.ts';
import type { EngineRoleOptions } from './engine.ts';
import { endInSteps, type Ending, type Step } from '../platform/std/steps.ts';
import { startWatch } from './watch.ts';

export interface RunningProcess {
  readonly ctx: Context;
  /** Where the APIs are, when this process has the api role. */
  readonly origin: string | undefined;
  /** The operators' address, when OPS_PORT is set. */
  readonly opsOrigin: string | undefined;
  /**
   * Makes readiness fail, finishes work in progress, and closes everything, within STOP_DEADLINE_MS. Returns the
   * names of the parts that did not end in time; they are logged already.
   */
  stop(onStep?: (underWay: readonly string[]) => void): Promise<readonly string[]>;
  /** What an orderly stop waits for now. */
  stopping(): readonly string[];
}

interface Stoppable {
  stop(): Promise<void>;
}

type Started = Role | 'ops' | 'watch';

/** The deadline of each part, as a share of STOP_DEADLINE_MS. The last one leaves time to log it. */
const API_BY = 0.6;
const ROLES_BY = 0.85;
const OPS_BY = 0.88;
const CONTEXT_BY = 0.98;

export interface StartOptions extends ApiOptions, EngineRoleOptions {}

export async function startProcess(config: Config, options: StartOptions): Promise<RunningProcess> {
  const ctx = await createContext(config, { onFatal: options.onFatal });
  const health = createHealth(ctx);
  // Until the api role adds its own check: the operators' port opens before it.
  if (ctx.roles.includes('api')) health.require('engine', async () => 'The API is not open yet.');
  const started = new Map<Started, Stoppable>();
  let origin: string | undefined;
  let ending: Ending | undefined;
  const stop: RunningProcess['stop'] = async (onStep = () => {}) => {
    health.stopping();
    const step = (name: Started | 'context', by: number, end: () => Promise<void>): Step => ({
      name,
      by,
      end,
    });
    const stepsOf = (names: readonly Started[], by: number) =>
      names.flatMap((name) => {
        const role = started.get(name);
        started.delete(name);
        return role === undefined ? [] : [step(name, by, () => role.stop())];
      });
    ending = endInSteps(
      [
        // Open requests may need all the others. Those need nothing of each other: the next process finds what one
        // leaves in the outbox, the journal or the jobs.
        stepsOf(['api'], API_BY),
        stepsOf(['engine', 'relay', 'worker', 'custody', 'watch'], ROLES_BY),
        stepsOf(['ops'], OPS_BY),
        [step('context', CONTEXT_BY, ctx.close)],
      ],
      {
        withinMs: config.STOP_DEADLINE_MS,
        onStep,
        onLate: (name, ms) =>
          ctx.log.error({ step: name, ms }, 'This did not stop in time; it is left behind.'),
        onError: (name, error) =>
          ctx.log.warn({ err: error, step: name }, 'This did not stop cleanly.'),
      },
    );
    return ending.run();
  };
  try {
    // First, because it reads its snapshot while the others are loaded, and the venue waits for it.
    if (ctx.roles.includes('engine')) {
      const { startEngineRole } = await import('./engine.ts');
      started.set('engine', startEngineRole(ctx, options));
    }
    const ops = config.OPS_PORT === '' ? undefined : await startOps(ctx, health);
    if (ops !== undefined) started.set('ops', ops);
    started.set('watch', startWatch(ctx));
    // Each role is loaded when it is needed: an engine that restarts does not need the chat.
    if (ctx.roles.includes('worker')) {
      const { startWorker } = await import('./worker.ts');
      started.set(
        'worker',
        startWorker(ctx, () => origin),
      );
    }
    if (ctx.roles.includes('custody')) {
      const { startCustodyRole } = await import('./custody.ts');
      started.set('custody', startCustodyRole(ctx));
    }
    if (ctx.roles.includes('relay')) {
      const { startRelayRole } = await import('./relay.ts');
      started.set('relay', startRelayRole(ctx));
    }
    // Last, because an open port means that everything else works.
    const { startApi } = ctx.roles.includes('api') ? await import('./api.ts') : {};
    const api = await startApi?.(ctx, health, options);
    origin = api?.origin;
    if (api !== undefined) started.set('api', api);
    const stopping = () => ending?.current() ?? [];
    return { ctx, origin: api?.origin, opsOrigin: ops?.origin, stop, stopping };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** For operators and load balancers, on a separate port: every role has it, also those without an API. */
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
