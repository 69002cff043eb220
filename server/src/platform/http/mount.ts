// Mounts a product's declared routes, and answers for the methods that a path does not have: a path
// that exists with another method is 405 with Allow, never 404.
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';

export interface MountedRoute {
  readonly method: HTTPMethods;
  /** Relative to the product's prefix, with `{name}` for a part and `{name:int}` for digits only. */
  readonly path: string;
  handle(request: FastifyRequest, reply: FastifyReply): unknown;
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
    for (const { method, handle } of own) app.route({ method, url, handler: handle });
    app.route({
      method: METHODS.filter((method) => !declared.includes(method)),
      url,
      exposeHeadRoute: false,
      handler: (request, reply) => methodNotAllowed(request, reply, allowed),
    });
    app.route({
      method: 'OPTIONS',
      url,
      handler: (request, reply) => options(request, reply, allowed),
    });
  }
}

/**
 * `/drafts/{draft_id:int}` becomes what the router understands: `/drafts/:draft_id(^\d+$)`. The last part
 * may be a whole path, `{name:path}`, which the router calls `*`.
 */
export function toPattern(path: string): string {
  return path.replaceAll(/\{(\w+)(?::(int|path))?\}/g, (_match, name: string, kind?: string) => {
    if (kind === 'path') return '*';
    return kind === undefined ? `:${name}` : `:${name}(^\\d+$)`;
  });
}
