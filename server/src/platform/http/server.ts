// The HTTP server that both products are mounted on. It knows sockets, sizes and time limits; each product defines
// the meaning of requests and the form of errors for its own paths.
import {
  fastify,
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
} from 'fastify';
import type { Context } from '../context.ts';
import { clientAddress, parseProxyList } from './address.ts';
import { limitConnections } from './connections.ts';
import { mountDoors } from './doors.ts';
import { securityHeaders } from './headers.ts';
import { failureText, createOutageLog } from './outage.ts';
import { announcesBody, endsUnread } from './unread.ts';
import { isUpgrade, routeUpgrades } from './upgrades.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller's address as far as it can be trusted; an IPv6 /64 counts as one caller. */
    caller: string;
    startedMs: number;
    /** The pattern of the matched route, never the path: its values are bounded. */
    pattern: string;
    /** Why it could not be answered, for the log only. */
    failure: unknown;
  }
  interface FastifyContextConfig {
    /** Its requests may take minutes. */
    takesFiles?: boolean;
  }
  interface FastifyInstance {
    /** Every existing route, for tests that try each of them. */
    readonly mounted: readonly MountedPattern[];
  }
}

/** Form values of the chat API, from authenticated callers; routes with another limit set their own. */
const BODY_BYTES_MAX = 1024 * 1024;
/** What is read of a body from an unauthenticated caller, such as a sign-in form. */
export const STRANGERS_BODY_BYTES_MAX = 16 * 1024;

const REQUEST_MS = 30_000;
/** For routes that take files; the server itself has only one limit for all. */
const FILE_REQUEST_MS = 300_000;

let requestCount = 0;
const requestPrefix = Math.random().toString(36).slice(2, 8);

export interface MountedPattern {
  readonly method: string;
  readonly url: string;
  /** Whether it counts its callers itself. */
  readonly hasOwnLimits: boolean;
}

export interface HttpServerOptions {
  /** False for the operators' port, which strangers cannot reach. */
  readonly isPublic?: boolean;
}

export function createHttpServer(
  ctx: Context,
  { isPublic = true }: HttpServerOptions = {},
): FastifyInstance {
  const loggerInstance: FastifyBaseLogger = ctx.log;
  const upgradePaths = new Set<string>();
  const app = fastify({
    loggerInstance,
    // One line per answer is logged below, with exactly what we want to know.
    logController: new LogController({ disableRequestLogging: true }),
    // A child logger per request would be created for every answer and used for almost none.
    childLoggerFactory: (logger) => logger,
    genReqId: () => {
      requestCount += 1;
      return `${requestPrefix}-${requestCount.toString(36)}`;
    },
    bodyLimit: BODY_BYTES_MAX,
    // Slow clients are cut: 10 s for the headers, 30 s for the whole request, unless its route takes files.
    requestTimeout: FILE_REQUEST_MS,
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    maxRequestsPerSocket: ctx.config.REQUESTS_PER_CONNECTION_MAX,
    http: {
      headersTimeout: 10_000,
      connectionsCheckingInterval: 2000,
      maxHeaderSize: 16 * 1024,
      shouldUpgradeCallback: (request) => isUpgrade(request, upgradePaths),
    },
    routerOptions: { maxParamLength: 500, ignoreTrailingSlash: false },
    rewriteUrl: (request) => withReadablePath(request.url ?? '/'),
    exposeHeadRoutes: true,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  });
  app.server.maxHeadersCount = 100;
  // No body is parsed by default: a route that wants one declares how.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  const isProxy = parseProxyList(ctx.config.TRUSTED_PROXIES);
  if (isPublic) limitConnections(app.server, ctx.config, isProxy, ctx.metrics);
  app.decorateRequest('caller', '');
  app.decorateRequest('startedMs', 0);
  app.decorateRequest('pattern', 'none');
  app.decorateRequest('failure', undefined);
  const mounted: MountedPattern[] = [];
  app.decorate('mounted', mounted);
  app.decorate('upgradePaths', upgradePaths);
  routeUpgrades(app);
  app.addHook('onRoute', (route) => {
    const { handler, url, config } = route;
    for (const method of [route.method].flat()) {
      mounted.push({ method, url, hasOwnLimits: config?.limits === 'own' });
    }
    // Asking the framework for the route of a request costs more than storing it.
    route.handler = function note(request, reply) {
      request.pattern = url;
      return handler.call(this, request, reply);
    };
  });
  const cutSlowBody = (request: FastifyRequest) => {
    const { raw } = request;
    const timer = setTimeout(() => {
      raw.socket.end('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
      raw.destroy();
    }, REQUEST_MS);
    raw.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
  };
  // Cacheable answers set their own header.
  const always = { ...securityHeaders(ctx.config), 'cache-control': 'no-store' };
  app.addHook('onRequest', (request, reply, done) => {
    request.startedMs = performance.now();
    request.caller = clientAddress(
      request.socket.remoteAddress ?? '',
      request.headers['x-forwarded-for'],
      isProxy,
    );
    void reply.headers(always);
    if (hasTwoHosts(request.raw.rawHeaders)) {
      void reply.code(400).header('connection', 'close').send('There are two Host headers.\n');
      return;
    }
    if (announcesBody(request.raw) && request.routeOptions.config.takesFiles !== true) {
      cutSlowBody(request);
    }
    done();
  });
  if (isPublic) mountDoors(app, ctx.config, ctx.metrics);
  app.addHook('onSend', (request, reply, payload, done) => {
    if (endsUnread(request.raw)) void reply.header('connection', 'close');
    done(null, payload);
  });

  const outages = createOutageLog(ctx.log);
  app.addHook('onClose', async () => outages.close());
  const logsEveryAnswer = ctx.log.isLevelEnabled('debug');
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.pattern;
    const milliseconds = performance.now() - request.startedMs;
    ctx.metrics.httpAnswered(productOf(route), route, reply.statusCode, milliseconds / 1000);
    const failed = reply.statusCode >= 500;
    if (failed || logsEveryAnswer) {
      const line = {
        requestId: request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(milliseconds),
      };
      if (reply.statusCode > 500) outages.note(line, request.failure);
      else if (failed) ctx.log.error({ ...line, cause: failureText(request.failure) }, 'answered');
      else ctx.log.debug(line, 'answered');
    }
    done();
  });
  return app;
}

function productOf(route: string): string {
  if (route.startsWith('/v1')) return 'trading';
  return route.startsWith('/api/v1') || route.startsWith('/json/') ? 'chat' : 'web';
}

/** Two parsers of such a request may see two hosts; Node's keeps the first and reports nothing. */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}

/**
 * Broken percent-encoding is taken literally, so that the product's own "not found" answers it. So is NUL, which
 * no name contains and the database cannot store.
 */
function withReadablePath(url: string): string {
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  if (!path.includes('%')) return url;
  try {
    if (!decodeURIComponent(path).includes('\0')) return url;
  } catch {
    // Taken literally, like NUL.
  }
  return path.replaceAll('%', '%25') + url.slice(path.length);
}
