// Mounts the chat API: under /api/v1 for keys and under /json for signed-in browsers, and the files that its clients
// fetch.
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ApiContext } from '../platform/context.ts';
import { toPattern } from '../platform/http/mount.ts';
import { STRANGERS_BODY_BYTES_MAX } from '../platform/http/server.ts';
import { mountAssets } from './organization/assets/mount.ts';
import { sendRefusal } from './http/envelope.ts';
import { notFound } from './http/errors.ts';
import { toRefusal } from './http/failures.ts';
import type { ChatRoute } from './http/route.ts';
import { isOpen, meetCaller, type Door } from './http/identify.ts';
import { servePath } from './http/serve.ts';
import { chatRoutes, sessionRoutes } from './routes.ts';
import { mountExternalContent } from './messages/external-content/mount.ts';
import { mountResumable } from './messages/uploads/resumable.ts';
import { mountFiles } from './messages/uploads/serve.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

export async function mountChat(app: FastifyInstance, ctx: ApiContext): Promise<void> {
  await app.register((scope) => mountApi(scope, ctx, chatRoutes, 'key'), { prefix: '/api/v1' });
  await app.register((scope) => mountApi(scope, ctx, sessionRoutes, 'session'), {
    prefix: '/json',
  });
  await mountResumable(app, ctx);
  await app.register(async (scope) => {
    answerErrors(scope, ctx);
    mountAssets(scope, ctx);
    mountFiles(scope, ctx);
    mountExternalContent(scope, ctx);
  });
}

async function mountApi(
  scope: FastifyInstance,
  ctx: ApiContext,
  routes: readonly ChatRoute[],
  door: Door,
): Promise<void> {
  answerErrors(scope, ctx);
  scope.setNotFoundHandler((_request, reply) => sendRefusal(reply, notFound('Not found')));
  // Unknown paths are answered before their body is read.
  scope.addHook('onRequest', (request, reply, done) => {
    if (request.is404) sendRefusal(reply, notFound('Not found'));
    else done();
  });
  scope.decorateRequest('chatCaller', null);
  // Bodies of every media type are read whole, but only forms are parsed.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
  await scope.register(multipart);
  const byPath = Map.groupBy(routes, ({ path }) => path);
  for (const [path, own] of byPath) {
    scope.route({
      method: METHODS,
      url: toPattern(path),
      exposeHeadRoute: false,
      config: {
        limits: 'own',
        takesFiles: own.some(({ streamsFiles }) => streamsFiles === true),
      },
      ...(isOpen(own) && { bodyLimit: STRANGERS_BODY_BYTES_MAX }),
      onRequest: meetCaller(ctx, own, door),
      handler: servePath(ctx, own),
    });
  }
}

function answerErrors(scope: FastifyInstance, ctx: ApiContext): void {
  scope.setErrorHandler((error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    request.failure = error;
    return sendRefusal(reply, toRefusal(error, ctx.log));
  });
}
