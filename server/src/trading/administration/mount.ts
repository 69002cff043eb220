// Mounts the administration under /json/v1/admin: for browsers of operators only, and apart from the public API.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { mountRoutes } from '../../platform/http/mount.ts';
import type { Admission } from '../../platform/windows/windows.ts';
import type { TradingContext } from '../context.ts';
import { BODY_BYTES_MAX } from '../http/bodies.ts';
import { createEnvelope } from '../http/envelope.ts';
import { refuse } from '../http/errors.ts';
import { createLimits } from '../http/limits.ts';
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
      scope.decorateRequest('admission', null);
      scope.decorateRequest('isActing', false);
      scope.decorateRequest('adminCaller', null);
      const sendNotFound = (request: FastifyRequest, reply: FastifyReply) =>
        envelope.fail(request, reply, refuse('NOT_FOUND', 'There is no such path.'));
      scope.setNotFoundHandler(sendNotFound);
      scope.addHook('onRequest', (request, reply, done) => {
        const proceed = (admission: Admission) => {
          request.admission = admission;
          if (!admission.admitted) {
            const refusal = limits.refusal('address', admission);
            scope.holdBack(request, () => envelope.fail(request, reply, refusal));
          } else if (request.is404) sendNotFound(request, reply);
          else done();
        };
        const admission = limits.admitAddress(request);
        if (admission instanceof Promise) admission.then(proceed, done);
        else proceed(admission);
      });
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser(
        '*',
        { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX },
        (_request, body, done) => done(null, body),
      );
      scope.setErrorHandler((error, request, reply) => envelope.fail(request, reply, error));
      mountRoutes(
        scope,
        ADMIN_ROUTES.map((route) => toMounted(route, { ctx, envelope, prefix: ADMIN_PREFIX })),
        {
          methodNotAllowed: (request, reply, allowed) =>
            envelope.fail(
              request,
              reply,
              refuse(
                'METHOD_NOT_ALLOWED',
                'The path exists, but not with this method.',
                {},
                { Allow: allowed.join(', ') },
              ),
            ),
          options: (request, reply, allowed) => envelope.answerPreflight(request, reply, allowed),
        },
      );
    },
    { prefix: ADMIN_PREFIX },
  );
}
