// Answers requests: both APIs, the front page, health. Holds no state that another api process lacks.
import type { FastifyInstance } from 'fastify';
import { createTradingExpander } from '../bridges/queue/expander.ts';
import { createDirectory } from '../chat/realtime/delivery/directory.ts';
import { signIn } from '../chat/administration/keys/sign-in.ts';
import { mountChat } from '../chat/mount.ts';
import { mountDocs } from '../docs/mount.ts';
import { isChatEvent } from '../chat/realtime/events/catalog.ts';
import { withPool, type ApiContext, type Context } from '../platform/context.ts';
import { takeInheritedSocket } from '../platform/http/inherited.ts';
import { mountHealth, type Health } from '../platform/http/health.ts';
import { createHttpServer } from '../platform/http/server.ts';
import { findInstalled } from '../platform/std/installed.ts';
import { startHub } from '../platform/realtime/hub.ts';
import type { TradingContext } from '../trading/context.ts';
import { createBatchReader } from '../trading/batches/batch.ts';
import { whyNoOrders } from '../trading/engine/readiness.ts';
import type { StepUpCheck, TradingRoute } from '../trading/http/route.ts';
import { mountAdministration } from '../trading/administration/mount.ts';
import { mountTrading } from '../trading/mount.ts';
import type { Streams } from '../trading/streams/services.ts';
import { mountCommandLine } from '../web/command-line.ts';
import { mountClient } from '../web/client/mount.ts';
import { mountFrontPage } from '../web/front-page.ts';
import { mountMarketPages } from '../web/markets/mount.ts';
import { mountReservesPage } from '../web/reserves/mount.ts';
import { mountAddressChange } from '../web/address-change.ts';
import { mountDeviceLink } from '../web/device-link.ts';
import { mountAppSignIn } from '../web/app-sign-in.ts';
import { mountIdentities } from '../web/identities.ts';
import { mountOidc } from '../web/oidc.ts';
import { mountKey } from '../web/key.ts';
import { mountPasswordReset } from '../web/password-reset.ts';
import { listPrices } from '../trading/tickers/summary.ts';
import { mountLogin } from '../web/login.ts';
import { mountLoginEnrol } from '../web/login-enrol.ts';
import { mountLoginFactor } from '../web/login-factor.ts';
import { mountPasskeyLogin } from '../web/passkey-login.ts';
import { mountPasskeys } from '../web/passkeys.ts';
import { mountPhrase } from '../web/phrase.ts';
import { mountRecovery } from '../web/recovery.ts';
import { mountRegister } from '../web/register.ts';
import { mountSecurity } from '../web/security.ts';
import { mountSessions } from '../web/sessions.ts';
import { mountSignup } from '../web/signup.ts';
import { mountTradingKeys } from '../web/trading-keys.ts';
import { mountStepUp } from '../web/step-up.ts';

export interface ApiRole {
  /** Its real address, also when the system chose the port. */
  readonly origin: string;
  readonly port: number;
  /** Finishes open requests, answers waiting polls, then closes. */
  stop(): Promise<void>;
}

export interface ApiOptions {
  /** Lets a test add its own routes before the server listens. */
  extend?(app: FastifyInstance, ctx: ApiContext): void | Promise<void>;
  /** Lets a test add trading routes, which are mounted like the venue's own. */
  tradingRoutes?: readonly TradingRoute[];
  /** Lets a test do without second factors at the venue. */
  stepUp?: StepUpCheck;
  /** Where the web client was built, or undefined for a server without it. Absent: where it is installed. */
  clientFolder?: string | undefined;
  /** Lets the demo act like a route, with the same context. */
  onTrading?(ctx: TradingContext): void;
}

/** The part of an orderly stop that open requests may take. */
const PATIENCE = 0.45;

export async function startApi(
  ctx: Context,
  health: Health,
  options: ApiOptions = {},
): Promise<ApiRole> {
  const openBatch = createBatchReader();
  const hub = await startHub({
    pool: ctx.database.pool,
    // Reads that clients cause use another pool than following the log.
    readers: ctx.pooled('chat').database.pool,
    bus: ctx.bus,
    log: ctx.log,
    metrics: ctx.metrics,
    clock: ctx.clock,
    pollMs: ctx.config.EVENT_POLL_MS,
    heartbeatMs: ctx.config.HEARTBEAT_SECONDS * 1000,
    wantedByDefault: isChatEvent,
    directory: createDirectory(withPool(ctx, 'chat')),
    expander: createTradingExpander(withPool(ctx, 'chat'), openBatch),
    replayMax: ctx.config.QUEUE_REPLAY_MAX,
  });
  let origin = '';
  const api: ApiContext = {
    ...ctx,
    hub,
    publicUrl: () => (ctx.config.PUBLIC_URL === '' ? origin : ctx.config.PUBLIC_URL),
  };
  const app = createHttpServer(ctx);
  let streams: Streams | undefined;
  async function stop(): Promise<void> {
    health.stopping();
    hub.releaseAll();
    // A connection whose answer left after the stop began would be kept for its next request.
    const closing = setInterval(() => app.server.closeIdleConnections(), 20);
    // A client that never finishes its request must not prevent an orderly end.
    const cut = setTimeout(
      () => app.server.closeAllConnections(),
      ctx.config.STOP_DEADLINE_MS * PATIENCE,
    );
    await Promise.all([streams?.stop(), app.close()]);
    clearTimeout(cut);
    clearInterval(closing);
    await hub.stop();
  }
  try {
    await ctx.files.prepare();
    mountHealth(app, '/health', health);
    const mounted = await mountTrading(app, withPool(api, 'trading'), {
      extraRoutes: options.tradingRoutes,
      stepUp: options.stepUp,
      openBatch,
    });
    streams = mounted.streams;
    const trading = mounted.ctx;
    health.require('engine', () => whyNoOrders(ctx, trading.engineEpoch));
    health.require('market_data', async () => trading.replica.whyNotReady());
    await mountAdministration(app, trading);
    options.onTrading?.(trading);
    await mountChat(app, withPool(api, 'chat'));
    const client = mountClient(
      app,
      withPool(api, 'chat'),
      'clientFolder' in options ? options.clientFolder : findInstalled('web/dist'),
    );
    await mountFrontPage(app, withPool(api, 'chat'), {
      listPrices: () => listPrices(trading),
      showClient: client.show,
      hasClient: client.isBuilt,
    });
    mountMarketPages(app, withPool(api, 'chat'), trading);
    mountReservesPage(app, withPool(api, 'chat'));
    mountDocs(app, api);
    await mountLogin(app, withPool(api, 'signIn'), signIn);
    await mountLoginFactor(app, withPool(api, 'signIn'));
    await mountOidc(app, withPool(api, 'signIn'));
    await mountAppSignIn(app, withPool(api, 'signIn'));
    await mountIdentities(app, withPool(api, 'signIn'));
    await mountPasskeyLogin(app, withPool(api, 'signIn'));
    await mountPasskeys(app, withPool(api, 'signIn'));
    await mountLoginEnrol(app, withPool(api, 'signIn'));
    await mountSecurity(app, withPool(api, 'signIn'));
    await mountKey(app, withPool(api, 'signIn'));
    await mountStepUp(app, withPool(api, 'signIn'));
    await mountSessions(app, withPool(api, 'signIn'));
    await mountTradingKeys(app, withPool(api, 'signIn'));
    await mountDeviceLink(app, withPool(api, 'signIn'));
    await mountPasswordReset(app, withPool(api, 'signIn'));
    await mountAddressChange(app, withPool(api, 'signIn'));
    await mountRegister(app, withPool(api, 'signIn'));
    await mountPhrase(app, withPool(api, 'signIn'));
    await mountRecovery(app, withPool(api, 'signIn'));
    await mountCommandLine(app, withPool(api, 'signIn'));
    await mountSignup(app, withPool(api, 'signIn'));
    await options.extend?.(app, api);
    const { HOST: host, PORT: port } = ctx.config;
    await app.listen({ host, port, backlog: 4096, ...takeInheritedSocket() });
  } catch (error) {
    await stop();
    throw error;
  }
  const address = app.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : ctx.config.PORT;
  origin = `http://${ctx.config.HOST === '0.0.0.0' ? '127.0.0.1' : ctx.config.HOST}:${port}`;
  return { origin, port, stop };
}
