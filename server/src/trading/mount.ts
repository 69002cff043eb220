// Mounts the trading API under its version for keys, and its private routes once more for browsers that are signed in.
import type { FastifyInstance } from 'fastify';
import { findNewestHead } from '../accounts/audit/access.ts';
import { toPublished } from '../accounts/audit/head.ts';
import { actOf } from '../accounts/second-factors/act.ts';
import { requireStepUp } from '../accounts/second-factors/step-up.ts';
import { prepareClaims } from '../accounts/trading-keys/claims.ts';
import { createVerifier, type Verifier } from '../accounts/trading-keys/verify.ts';
import type { ApiContext } from '../platform/context.ts';
import { rarely } from '../platform/observe/rarely.ts';
import { createBatchReader, type OpenBatch } from './batches/batch.ts';
import { startBookFeed, type BookFeed } from './books/feed.ts';
import { createBooks, type Books } from './books/replica.ts';
import { rememberCoins } from './coins/access.ts';
import type { TradingContext } from './context.ts';
import { buildDocument } from './docs/document.ts';
import { mountDocs } from './docs/mount.ts';
import { createEngineClient, type EngineClient } from './engine/client.ts';
import { rememberFeeTiers } from './fees/access.ts';
import { createKeyDoor } from './http/authenticate.ts';
import { createBodyCounter, createBodyGuard } from './http/bodies.ts';
import { createEnvelope } from './http/envelope.ts';
import { createLimits } from './http/limits.ts';
import type { StepUpCheck, TradingRoute } from './http/route.ts';
import { createSessionDoor } from './http/session.ts';
import { mountTree } from './http/tree.ts';
import { rememberMarkets } from './markets/access.ts';
import { findSigningKey, publishKey } from './public-log/keys.ts';
import { remember } from './remember.ts';
import type { Replica } from './replica/reader.ts';
import { startReplica } from './replica/replica.ts';
import { ROUTES } from './routes.ts';
import { rememberStatus } from './service/status.ts';
import { sessionStreamRoute, streamRoute } from './streams/mount.ts';
import { createOwnStreams } from './streams/private/own-streams.ts';
import type { Streams } from './streams/services.ts';
import { createStreams } from './streams/streams.ts';
import { openStatistics } from './tickers/access.ts';

const PREFIX = '/v1';
/** For browsers that are signed in. */
const SESSION_PREFIX = '/json/v1';
const HEAD_AGE_MS = 1000;
/** A broken secret may cause many requests; a line now and then is enough. */
const COMPLAIN_EVERY_MS = 5000;

export interface TradingOptions {
  /** Mounted like our own; tests use them. */
  readonly extraRoutes?: readonly TradingRoute[] | undefined;
  /** Takes the place of second factors, of which a person has only few a minute; tests use it. */
  readonly stepUp?: StepUpCheck | undefined;
  /** Opens batches of the log; who follows the log besides the venue shares it. */
  readonly openBatch?: OpenBatch;
}

export interface MountedTrading {
  /** The context of the routes. */
  readonly ctx: TradingContext;
  /** To be stopped before the server closes, which waits for every connection. */
  readonly streams: Streams;
}

export async function mountTrading(
  app: FastifyInstance,
  api: ApiContext,
  { extraRoutes = [], stepUp, openBatch = createBatchReader() }: TradingOptions = {},
): Promise<MountedTrading> {
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
  const feed = await startBookFeed(api, engine, books, openBatch);
  app.addHook('onClose', () => feed.stop());
  const replica = startReplica(api, feed);
  app.addHook('onClose', () => replica.stop());
  const ctx = toTradingContext(api, { engine, books, feed, replica, routes });
  await prepareClaims(ctx);
  await publishKey(ctx);
  const { documentPaths } = mountDocs(app, ctx, PREFIX);
  const limits = createLimits(ctx);
  const verifier = openVerifier(ctx);
  app.addHook('onClose', () => verifier.stop());
  const own = createOwnStreams({ ctx, verifier, limits });
  const streams = createStreams(ctx, feed, own);
  const countBody = createBodyCounter();
  await app.register(
    async (scope) => {
      const guard = createBodyGuard(verifier, countBody);
      const door = createKeyDoor({ verifier, limits, guard, prefix: PREFIX });
      const envelope = createEnvelope(ctx, limits, { privatePrefix: `${PREFIX}/private/` });
      const tree = { ctx, routes, door, limits, envelope, documentPaths };
      mountTree(scope, { ...tree, streams: [streamRoute(app, PREFIX, streams)] });
    },
    { prefix: PREFIX },
  );
  await app.register(
    async (scope) => {
      const door = createSessionDoor({ ctx, limits, countBody, prefix: SESSION_PREFIX });
      const envelope = createEnvelope(ctx, limits, 'nothing');
      const ofSession = routes.filter(({ access }) => access !== 'public');
      const tree = { ctx, routes: ofSession, door, limits, envelope, documentPaths: [] };
      const sockets = [sessionStreamRoute(app, SESSION_PREFIX, streams, door)];
      mountTree(scope, { ...tree, stepUp: stepUp ?? stepUpOf(ctx), streams: sockets });
    },
    { prefix: SESSION_PREFIX },
  );
  return { ctx, streams };
}

/** An assertion is made for one act, so the parameters count as they were sent. */
const stepUpOf =
  (ctx: TradingContext): StepUpCheck =>
  (request, session, level, params) =>
    requireStepUp(ctx, session, level, actOf(ctx.config, request, request.method, params));

function openVerifier(ctx: TradingContext): Verifier {
  const complain = rarely(COMPLAIN_EVERY_MS);
  return createVerifier({
    pool: ctx.database.pool,
    secrets: ctx.secrets,
    metrics: ctx.metrics,
    documentation: () => `${ctx.publicUrl()}/docs/concepts/signing/`,
    onError: (error) => ctx.log.warn({ err: error }, 'The use of keys could not be noted.'),
    onBroken: (error, account) =>
      complain((keptBack) =>
        ctx.log.error(
          { err: error, account: String(account), keptBack },
          'The secret of a trading key does not open, and the key is refused.',
        ),
      ),
  });
}

interface Parts {
  readonly engine: EngineClient;
  readonly books: Books;
  readonly feed: BookFeed;
  readonly replica: Replica;
  readonly routes: readonly TradingRoute[];
}

function toTradingContext(
  api: ApiContext,
  { engine, books, feed, replica, routes }: Parts,
): TradingContext {
  let document = { origin: '', json: '' };
  return {
    ...api,
    engine,
    engineEpoch: () => engine.epoch(),
    books,
    loadBook: feed.load,
    replica,
    markets: rememberMarkets(api.db),
    coins: rememberCoins(api.db),
    feeTiers: rememberFeeTiers(api.db),
    statistics: openStatistics(replica, api.clock),
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
