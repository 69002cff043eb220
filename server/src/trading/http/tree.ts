// One tree of routes under its prefix: the limit first, then the routes, with their own body parser and error handling,
// separate from the rest of the server.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { mountRoutes, type MountedRoute, type MountOptions } from '../../platform/http/mount.ts';
import type { Admission } from '../../platform/windows/windows.ts';
import type { TradingContext } from '../context.ts';
import type { Door } from './authenticate.ts';
import { BODY_BYTES_MAX } from './bodies.ts';
import type { Envelope } from './envelope.ts';
import { refuse } from './errors.ts';
import type { Limits } from './limits.ts';
import { toMounted, type StepUpCheck, type TradingRoute } from './route.ts';

export interface Tree {
  readonly ctx: TradingContext;
  readonly routes: readonly TradingRoute[];
  readonly door: Door;
  readonly limits: Limits;
  readonly envelope: Envelope;
  readonly stepUp?: StepUpCheck;
  /** Pages under the same prefix, which others serve. */
  readonly documentPaths: readonly string[];
  /** Routes that are not requests and answers: the WebSocket. */
  readonly streams?: readonly MountedRoute[];
}

/** `scope` is registered under the prefix of the door. */
export function mountTree(scope: FastifyInstance, tree: Tree): void {
  const { ctx, routes, door, limits, envelope, stepUp, streams = [] } = tree;
  scope.decorateRequest('tradingSession', null);
  prepareTree(scope, { limits, envelope, sendNotFound: notFoundSender(tree) });
  mountRoutes(
    scope,
    [...routes.map((route) => toMounted(route, { ctx, envelope, door, stepUp })), ...streams],
    answersOf(envelope),
  );
}

type Send = (request: FastifyRequest, reply: FastifyReply) => void;

/** What every tree does before and after its routes. */
export function prepareTree(
  scope: FastifyInstance,
  { limits, envelope, sendNotFound }: Pick<Tree, 'limits' | 'envelope'> & { sendNotFound: Send },
): void {
  scope.decorateRequest('admission', null);
  scope.decorateRequest('isActing', false);
  scope.setNotFoundHandler(sendNotFound);

  scope.addHook('onRequest', (request, reply, done) => {
    const proceed = (admission: Admission) => {
      request.admission = admission;
      if (!admission.admitted) {
        const refusal = limits.refusal('address', admission);
        scope.holdBack(request, () => envelope.fail(request, reply, refusal));
        // Unknown paths are answered before their body is read.
      } else if (request.is404) sendNotFound(request, reply);
      else done();
    };
    const admission = limits.admitAddress(request);
    if (admission instanceof Promise) admission.then(proceed, done);
    else proceed(admission);
  });

  // Signatures cover the raw bytes, so every body arrives as bytes.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX },
    (_request, body, done) => done(null, body),
  );
  scope.setErrorHandler((error, request, reply) => envelope.fail(request, reply, error));
}

/** How known paths answer methods that they do not have, and questions about them. */
export const answersOf = (envelope: Envelope): MountOptions => ({
  methodNotAllowed: (request, reply, allowed) =>
    envelope.fail(request, reply, methodNotAllowed(allowed)),
  options: (request, reply, allowed) => envelope.answerPreflight(request, reply, allowed),
});

const methodNotAllowed = (allowed: readonly string[]) =>
  refuse(
    'METHOD_NOT_ALLOWED',
    'The path exists, but not with this method.',
    {},
    { Allow: allowed.join(', ') },
  );

/** Unknown methods on existing paths end here as well. */
function notFoundSender({ routes, door, envelope, documentPaths }: Tree) {
  const allowedAt = new Map<string, string[]>(documentPaths.map((path) => [path, ['GET', 'HEAD']]));
  for (const { path, method } of routes) {
    const allowed = allowedAt.get(door.prefix + path) ?? ['OPTIONS'];
    allowed.push(method, ...(method === 'GET' ? ['HEAD'] : []));
    allowedAt.set(door.prefix + path, allowed.sort());
  }
  return (request: FastifyRequest, reply: FastifyReply) => {
    const [path = ''] = request.url.split('?', 1);
    const allowed = allowedAt.get(path);
    const refusal =
      allowed === undefined
        ? refuse('NOT_FOUND', 'There is no such path.')
        : methodNotAllowed(allowed);
    envelope.fail(request, reply, refusal);
  };
}
