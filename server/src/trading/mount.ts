// Mounts the trading API under its version: the limit first, then the routes, with their own body
// parser and error handling, separate from the rest of the server.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findNewestHead } from '../accounts/audit/access.ts';
import { toPublished } from '../accounts/audit/head.ts';
import { prepareClaims } from '../accounts/trading-keys/claims.ts';
import { createVerifier } from '../accounts/trading-keys/verify.ts';
import type { ApiContext } from '../platform/context.ts';
import { mountRoutes } from '../platform/http/mount.ts';
import { rarely } from '../platform/observe/rarely.ts';
import type { Admission } from '../platform/windows/windows.ts';
import { startBookFeed, type BookFeed } from './books/feed.ts';
import { createBooks, type Books } from './books/replica.ts';
import { rememberCoins } from './coins/access.ts';
import type { TradingContext } from './context.ts';
import { buildDocument } from './docs/document.ts';
import { mountDocs } from './docs/mount.ts';
import { createEngineClient, type EngineClient } from './engine/client.ts';
import { rememberFeeTiers } from './fees/access.ts';
import { BODY_BYTES_MAX, createBodyGuard } from './http/bodies.ts';
import { createEnvelope } from './http/envelope.ts';
import { refuse } from './http/errors.ts';
import { createLimits } from './http/limits.ts';
import { toMounted, type TradingRoute } from './http/route.ts';
import { rememberMarkets } from './markets/access.ts';
import { findSigningKey, publishKey } from './public-log/keys.ts';
import { remember } from './remember.ts';
import { ROUTES } from './routes.ts';
import { rememberStatus } from './service/status.ts';
import { rememberStatistics } from './tickers/access.ts';

const PREFIX = '/v1';
const HEAD_AGE_MS = 1000;
/** A broken secret may cause many requests; a line now and then is enough. */
const COMPLAIN_EVERY_MS = 5000;

/** `extraRoutes` are mounted like our own; tests use them. Returns the context of the routes. */
export async function mountTrading(
  app: FastifyInstance,
  api: ApiContext,
  extraRoutes: readonly TradingRoute[] = [],
): Promise<TradingContext> {
  const routes = [...ROUTES, ...extraRoutes];
  const engine = createEngineClient({
    bus: api.bus,
    pool: api.database.pool,
    secrets: api.secrets,
    clock: api.clock,
    log: api.log,
    answerMs: api.config.ENGINE_ANSWER_MS,
    underWayMax: api.config.ENGINE_QUEUE_MAX,
  });
  app.addHook('onClose', () => engine.stop());
  const books = createBooks();
  const feed = await startBookFeed(api, engine, books);
  app.addHook('onClose', () => feed.stop());
  const ctx = toTradingContext(api, engine, books, feed, routes);
  await prepareClaims(ctx);
  await publishKey(ctx);
  const { documentPaths } = mountDocs(app, ctx, routes, PREFIX);
  await app.register(
    async (scope) => {
      const complain = rarely(COMPLAIN_EVERY_MS);
      const verifier = createVerifier({
        pool: ctx.database.pool,
        secrets: ctx.secrets,
        metrics: ctx.metrics,
        documentation: () => `${ctx.publicUrl()}${PREFIX}/docs#signing`,
        onError: (error) => ctx.log.warn({ err: error }, 'The use of keys could not be noted.'),
        onBroken: (error, account) =>
          complain((keptBack) =>
            ctx.log.error(
              { err: error, account: String(account), keptBack },
              'The secret of a trading key does not open, and the key is refused.',
            ),
          ),
      });
      scope.addHook('onClose', () => verifier.stop());
      const guardBody = createBodyGuard(verifier);
      const limits = createLimits(ctx);
      const envelope = createEnvelope(ctx, limits, `${PREFIX}/private/`);
      scope.decorateRequest('admission', null);
      scope.decorateRequest('isActing', false);

      const methodNotAllowed = (allowed: readonly string[]) =>
        refuse(
          'METHOD_NOT_ALLOWED',
          'The path exists, but not with this method.',
          {},
          {
            Allow: allowed.join(', '),
          },
        );
      const allowedAt = new Map<string, string[]>(
        documentPaths.map((path) => [path, ['GET', 'HEAD']]),
      );
      for (const { path, method } of routes) {
        const allowed = allowedAt.get(PREFIX + path) ?? ['OPTIONS'];
        allowed.push(method, ...(method === 'GET' ? ['HEAD'] : []));
        allowedAt.set(PREFIX + path, allowed.sort());
      }
      const sendNotFound = (request: FastifyRequest, reply: FastifyReply) => {
        const [path = ''] = request.url.split('?', 1);
        // Unknown methods on existing paths end here as well.
        const allowed = allowedAt.get(path);
        const refusal =
          allowed === undefined
            ? refuse('NOT_FOUND', 'There is no such path.')
            : methodNotAllowed(allowed);
        envelope.fail(request, reply, refusal);
      };
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

      mountRoutes(
        scope,
        routes.map((route) =>
          toMounted(route, { ctx, envelope, limits, verifier, guardBody, prefix: PREFIX }),
        ),
        {
          methodNotAllowed: (request, reply, allowed) =>
            envelope.fail(request, reply, methodNotAllowed(allowed)),
          options: (request, reply, allowed) => envelope.answerPreflight(request, reply, allowed),
        },
      );
    },
    { prefix: PREFIX },
  );
  return ctx;
}

function toTradingContext(
  api: ApiContext,
  engine: EngineClient,
  books: Books,
  feed: BookFeed,
  routes: readonly TradingRoute[],
): TradingContext {
  let document = { origin: '', json: '' };
  return {
    ...api,
    engine,
    engineEpoch: () => engine.epoch(),
    books,
    loadBook: feed.load,
    markets: rememberMarkets(api.db),
    coins: rememberCoins(api.db),
    feeTiers: rememberFeeTiers(api.db),
    statistics: rememberStatistics(api),
    status: rememberStatus({ ...api, engine }),
    auditHead: remember(HEAD_AGE_MS, async () => {
      const head = await findNewestHead(api.db);
      return head === undefined ? null : toPublished(head);
    }),
    signingKey: findSigningKey(api),
    document() {
      // The origin is known once the server listens, and then stays.
      const origin = api.publicUrl();
      if (document.origin !== origin) {
        const built = buildDocument(routes, `${origin}${PREFIX}`);
        document = { origin, json: JSON.stringify(built) };
      }
      return document.json;
    },
  };
}
