// Mounts the administration under /json/v1/admin: for browsers of operators only, and apart from the public API.
import type { FastifyInstance } from 'fastify';
import { mountRoutes } from '../../platform/http/mount.ts';
import type { TradingContext } from '../context.ts';
import { createEnvelope } from '../http/envelope.ts';
import { refuse } from '../http/errors.ts';
import { createLimits } from '../http/limits.ts';
import { answersOf, prepareTree } from '../http/tree.ts';
import { ADMIN_ROUTES } from './list.ts';
import { toMounted } from './route.ts';

export const ADMIN_PREFIX = '/json/v1/admin';

export async function mountAdministration(
  app: FastifyInstance,
  ctx: TradingContext,
): Promise<void> {
  await app.register(
    async (scope) => {
      const limits = createLimits(ctx);
      const envelope = createEnvelope(ctx, limits, 'nothing');
      scope.decorateRequest('adminCaller', null);
      prepareTree(scope, {
        limits,
        envelope,
        sendNotFound: (request, reply) =>
          envelope.fail(request, reply, refuse('NOT_FOUND', 'There is no such path.')),
      });
      mountRoutes(
        scope,
        ADMIN_ROUTES.map((route) => toMounted(route, { ctx, envelope, prefix: ADMIN_PREFIX })),
        answersOf(envelope),
      );
    },
    { prefix: ADMIN_PREFIX },
  );
}
