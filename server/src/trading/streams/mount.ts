// The path of the WebSocket. The request passes the limits of its tree like every other, and then becomes a connection.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { MountedRoute } from '../../platform/http/mount.ts';
import { upgradeOf, type Upgrade } from '../../platform/http/upgrades.ts';
import { accessMainAccount } from '../../accounts/trading-keys/actions.ts';
import { PERMISSIONS } from '../../accounts/trading-keys/key.ts';
import type { TradingContext } from '../context.ts';
import { toHook, type Door } from '../http/authenticate.ts';
import { refuse } from '../http/errors.ts';
import { forged, noAccount } from '../http/session.ts';
import type { Identity } from './identity.ts';
import type { Streams } from './services.ts';
import { useTicket } from './tickets/actions.ts';

export const STREAM_PATH = '/ws';
const SESSION_TICKET_PATH = '/json/v1/streams/ticket';

/** The route for clients without a session; a key logs in on the connection. `app` gets to know the whole path. */
export function streamRoute(app: FastifyInstance, prefix: string, streams: Streams): MountedRoute {
  app.upgradePaths.add(prefix + STREAM_PATH);
  return {
    method: 'GET',
    path: STREAM_PATH,
    handle: (request, reply) => streams.accept(request, reply, requireUpgrade(request)),
  };
}

/**
 * The route for browsers that are signed in. The request has the session's cookie, comes from a page of ours, and shows
 * a ticket among its protocols.
 */
export function sessionStreamRoute(
  app: FastifyInstance,
  prefix: string,
  streams: Streams,
  door: Pick<Door, 'guard'>,
): MountedRoute {
  app.upgradePaths.add(prefix + STREAM_PATH);
  return {
    method: 'GET',
    path: STREAM_PATH,
    onRequest: toHook(door),
    async handle(request, reply) {
      const upgrade = requireUpgrade(request);
      const identity = await identify(streams.ctx, request);
      streams.accept(request, reply, upgrade, identity);
    },
  };
}

const TICKET = 'ticket.';

async function identify(ctx: TradingContext, request: FastifyRequest): Promise<Identity> {
  const session = request.tradingSession;
  if (session === null) throw new Error('A request reached its route before its session.');
  // Every browser says where the page is from that opens a WebSocket.
  if (request.headers.origin === undefined || request.headers.origin === 'null') {
    throw forged('The request was made by another site.');
  }
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',');
  const tickets = offered.map((text) => text.trim()).filter((text) => text.startsWith(TICKET));
  const [ticket = ''] = tickets;
  if (tickets.length !== 1 || !(await useTicket(ctx, session, ticket.slice(TICKET.length)))) {
    throw refuse(
      'CSRF_FAILED',
      `The ticket is missing, was used, or has expired. POST ${SESSION_TICKET_PATH} gives one, for the subprotocols 'rialto' and 'ticket.…'.`,
      { reason: 'ticket' },
    );
  }
  const account = await accessMainAccount(ctx, session.user);
  if (account === undefined) throw noAccount();
  const keyId = `session-${session.id}`;
  return { keyId, session, permissions: PERMISSIONS, markets: [], account };
}

/** The raw connection, or a refusal for a request that is plain HTTP. */
export function requireUpgrade(request: FastifyRequest): Upgrade {
  const upgrade = upgradeOf(request.raw);
  if (upgrade !== undefined) return upgrade;
  throw refuse(
    'UPGRADE_REQUIRED',
    'This path takes WebSocket connections: open it with the scheme wss, not https.',
    {},
    { Upgrade: 'websocket' },
  );
}
