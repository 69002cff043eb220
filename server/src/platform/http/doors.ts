// The limit for unauthenticated requests: pages, pictures, files, health, unknown paths. Every route without its
// own limit is counted here, so that a new route cannot forget it. Nothing here asks the database or another
// process.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config/schema.ts';
import type { Metrics } from '../observe/metrics.ts';
import { limitKeyOf } from './address.ts';
import { createPace } from './pace.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `own`: the route counts all its callers itself before it does any work for them. */
    limits?: 'own';
  }
  interface FastifyRequest {
    /** A request in progress, which counts as such. */
    isAtDoor: boolean;
  }
  interface FastifyInstance {
    /**
     * Calls `send`, which sends a refusal: at once, or delayed for an address that is refused all the time, so
     * that failing requests are never faster than successful ones.
     */
    holdBack(request: FastifyRequest, send: () => void): void;
  }
}

/**
 * An address may use a sixth of its minute at once: a page with its pictures, in several windows of one office.
 */
const BURST_SHARE = 1 / 6;

/** How many strangers' requests may be in progress at once; each may wait for the database. */
const UNDER_WAY_MAX = 128;

/** Refusals per second, for one address and for all together. Faster ones wait their turn, unanswered. */
const REFUSALS = { perSecond: 500, burst: 250 };
const REFUSALS_IN_ALL = { perSecond: 2000, burst: 1000 };
/** A connection that would have to wait longer than this is cut. */
const HELD_MS_MAX = 5000;

export function mountDoors(
  app: FastifyInstance,
  { WEB_RATE_LIMIT }: Pick<Config, 'WEB_RATE_LIMIT'>,
  metrics: Pick<Metrics, 'refused'>,
): void {
  const pace = createPace({
    perSecond: WEB_RATE_LIMIT / 60,
    burst: Math.max(1, WEB_RATE_LIMIT * BURST_SHARE),
  });
  const refusals = createPace(REFUSALS);
  const refusalsInAll = createPace(REFUSALS_IN_ALL);
  let underWay = 0;

  function leave(request: FastifyRequest): void {
    if (!request.isAtDoor) return;
    request.isAtDoor = false;
    underWay -= 1;
  }

  function holdBack(request: FastifyRequest, send: () => void): void {
    const nowMs = performance.now();
    const own = refusals.reserve(limitKeyOf(request.caller), nowMs, HELD_MS_MAX);
    const ours = refusalsInAll.reserve('', nowMs, HELD_MS_MAX);
    if (own === undefined || ours === undefined) {
      request.raw.socket.destroy();
      send();
      return;
    }
    const waitMs = Math.max(own, ours);
    if (waitMs < 1) send();
    else setTimeout(send, waitMs);
  }

  app.decorateRequest('isAtDoor', false);
  app.decorate('holdBack', holdBack);
  app.addHook('onRequest', (request, reply, done) => {
    // An OPTIONS request is answered before any check.
    if (request.routeOptions.config.limits === 'own' && request.method !== 'OPTIONS') {
      done();
      return;
    }
    if (pace.reserve(limitKeyOf(request.caller), performance.now()) === undefined) {
      metrics.refused('http', 'address');
      refuse(reply, 429, `More than ${WEB_RATE_LIMIT} requests a minute came from your address.`);
    } else if (underWay >= UNDER_WAY_MAX) {
      metrics.refused('http', 'busy');
      refuse(reply, 503, 'The server is busy.');
    } else {
      underWay += 1;
      request.isAtDoor = true;
      done();
    }
  });
  // The work ends when the answer is ready; a slow reader costs nothing more.
  app.addHook('onSend', (request, reply, payload, done) => {
    leave(request);
    if (reply.statusCode === 429) holdBack(request, () => done(null, payload));
    else done(null, payload);
  });
  app.addHook('onResponse', (request, _reply, done) => {
    leave(request);
    done();
  });
}

function refuse(reply: FastifyReply, status: number, reason: string): void {
  void reply
    .code(status)
    .headers({
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'retry-after': '1',
    })
    .send(`${reason} Try again in a second.\n`);
}
