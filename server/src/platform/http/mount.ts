// Mounts a product's declared routes, and answers for the methods that a path does not have: a path
// that exists with another method is 405 with Allow, never 404.
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  HTTPMethods,
  onRequestAsyncHookHandler,
  onRequestHookHandler,
} from 'fastify';
import { STRANGERS_BODY_BYTES_MAX } from './server.ts';

export interface MountedRoute {
  readonly method: HTTPMethods;
  /** Relative to the product's prefix, with `{name}` for a part and `{name:int}` for digits only. */
  readonly path: string;
  handle(request: FastifyRequest, reply: FastifyReply): unknown;
  /** Runs before the body is read. */
  readonly onRequest?: onRequestHookHandler | onRequestAsyncHookHandler;
  /** How much of a body is read; little, unless the route says otherwise. */
  readonly bodyLimit?: number;
}

export interface MountOptions {
  methodNotAllowed(
    request: FastifyRequest,
    reply: FastifyReply,
    allowed: readonly string[],
  ): unknown;
  options(request: FastifyRequest, reply: FastifyReply, allowed: readonly string[]): unknown;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export function mountRoutes(
  app: FastifyInstance,
  routes: readonly MountedRoute[],
  { methodNotAllowed, options }: MountOptions,
): void {
  const byPath = Map.groupBy(routes, (route) => toPattern(route.path));
  for (const [url, own] of byPath) {
    const declared = own.map((route) => route.method.toString());
    const allowed = [...declared, ...(declared.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].sort();
    // A product mounted this way counts all requests of its scope itself.
    const shared = { url, config: { limits: 'own' }, bodyLimit: STRANGERS_BODY_BYTES_MAX } as const;
    for (const { method, handle, onRequest, bodyLimit } of own) {
      app.route({
        ...shared,
        method,
        handler: handle,
        ...(onRequest && { onRequest }),
        ...(bodyLimit !== undefined && { bodyLimit }),
      });
    }
    app.route({
      ...shared,
      method: METHODS.filter((method) => !declared.includes(method)),
      exposeHeadRoute: false,
      handler: (request, reply) => methodNotAllowed(request, reply, allowed),
    });
    app.route({
      ...shared,
      method: 'OPTIONS',
      handler: (request, reply) => options(request, reply, allowed),
    });
  }
}

/**
 * `/drafts/{draft_id:int}` becomes the router's form: `/drafts/:draft_id(^\d+$)`. The last part may be a whole
 * path, `{name:path}`, which the router calls `*`.
 */
export function toPattern(path: string): string {
  return path.replaceAll(/\{(\w+)(?::(int|path))?\}/g, (_match, name: string, kind?: string) => {
    if (kind === 'path') return '*';
    return kind === undefined ? `:${name}` : `:${name}(^\\d+$)`;
  });
}
