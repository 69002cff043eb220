// All WebSocket connections of one process: takes them in, counts them, pings them, and lets them go.
import type { Socket } from 'node:net';
import { randomUUID } from 'node:crypto';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { limitKeyOf } from '../../platform/http/address.ts';
import type { Upgrade } from '../../platform/http/upgrades.ts';
import { pause } from '../../platform/std/wait.ts';
import type { BookFeed } from '../books/feed.ts';
import type { TradingContext } from '../context.ts';
import { refuse } from '../http/errors.ts';
import { closingText, Connection } from './connection.ts';
import type { Identity } from './identity.ts';
import { createMarketData } from './market/market-data.ts';
import type { OwnStreams } from './private/own-streams.ts';
import { createProtocol } from './protocol.ts';
import type { Streams } from './services.ts';

/** The protocol that a browser offers besides its ticket. */
export const PROTOCOL = 'rialto';
/** A frame of a client: a batch of orders is the longest. */
export const FRAME_BYTES_MAX = 256 * 1024;
/** How long before its end by age a connection is told. */
export const NOTICE_MS = 60_000;
/** The window of compressed frames that clients send: about 16 KiB of memory a connection. */
const CLIENT_WINDOW_BITS = 10;
/** Frames that are unpacked at the same time. */
const INFLATIONS_MAX = 4;
/** One timer for all connections. */
const SWEEP_MS = 1000;
/** Between the notice of a stop and the close, so that a client can read it. */
const LEAVE_MS = 50;
/** How long a stop waits for the closing handshakes. */
const PARTING_MS = 1000;

export function createStreams(ctx: TradingContext, feed: BookFeed, own: OwnStreams): Streams {
  const { config, metrics, clock, log } = ctx;
  const connections = new Set<Connection>();
  const byAddress = new Map<string, number>();
  let isStopping = false;
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    // A browser's ticket stands among the protocols, and must not come back.
    handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : false),
    maxPayload: FRAME_BYTES_MAX,
    // Whole messages only, and a small window of the client's: what a connection may cost is bounded. What the server
    // sends is compressed once for all readers, in message.ts.
    perMessageDeflate: {
      serverNoContextTakeover: true,
      clientNoContextTakeover: true,
      clientMaxWindowBits: CLIENT_WINDOW_BITS,
      concurrencyLimit: INFLATIONS_MAX,
    },
  });

  function accept(
    request: FastifyRequest,
    reply: FastifyReply,
    upgrade: Upgrade,
    identity?: Identity,
  ): void {
    if (isStopping) {
      throw refuse('UNAVAILABLE', 'The server stops. Connect again.', {}, { 'Retry-After': '1' });
    }
    const key = limitKeyOf(request.caller);
    const count = byAddress.get(key) ?? 0;
    const limit = config.STREAM_CONNECTIONS_PER_ADDRESS_MAX;
    if (count >= limit) {
      metrics.refused('trading', 'connections');
      throw refuse(
        'CONNECTION_LIMIT',
        `Your address has ${limit} WebSocket connections already. Close one, or put more channels on one.`,
        { limit: String(limit) },
        { 'Retry-After': '1' },
      );
    }
    if (!canCompress(request.headers['sec-websocket-extensions'])) {
      delete request.headers['sec-websocket-extensions'];
    }
    reply.hijack();
    upgrade.take();
    const { socket, head } = upgrade;
    server.handleUpgrade(request.raw, socket, head, (ws) => {
      byAddress.set(key, (byAddress.get(key) ?? 0) + 1);
      const connection = open(ws, socket, request.caller);
      connection.onClosed(() => {
        const left = (byAddress.get(key) ?? 1) - 1;
        if (left <= 0) byAddress.delete(key);
        else byAddress.set(key, left);
      });
      if (identity === undefined) return;
      connection.identity = identity;
      own.credentials.watch(connection);
    });
  }

  function open(ws: WebSocket, socket: Socket, address: string): Connection {
    const nowMs = performance.now();
    const id = randomUUID();
    const connection = new Connection({ id, address, socket, ws, metrics, clock, nowMs });
    connections.add(connection);
    connection.onClosed(() => connections.delete(connection));
    const heard = () => (connection.heardMs = performance.now());
    ws.on('pong', heard);
    ws.on('ping', () => protocol.takePing(connection));
    ws.on('message', (data: RawData, isBinary: boolean) => {
      heard();
      protocol.take(connection, data as Buffer, isBinary);
    });
    ws.on('close', (code) => connection.noteClose(code));
    // A broken frame: the library has closed with the code of the protocol.
    ws.on('error', (error) => log.debug({ err: error }, 'A WebSocket connection failed.'));
    return connection;
  }

  const sweep = setInterval(() => {
    const nowMs = performance.now();
    for (const connection of connections) look(connection, nowMs);
  }, SWEEP_MS);
  sweep.unref();

  function look(connection: Connection, nowMs: number): void {
    if (!connection.isOpen) return;
    const ageMs = nowMs - connection.openedMs;
    if (nowMs - connection.heardMs > config.STREAM_SILENCE_MS) connection.close('silent');
    else if (ageMs > config.STREAM_AGE_MAX_MS) connection.close('shutdown');
    else if (!connection.isToldOfAge && ageMs > config.STREAM_AGE_MAX_MS - NOTICE_MS) {
      connection.isToldOfAge = true;
      connection.sendText(closingText('age', clock.now()));
    }
    if (nowMs - connection.pingedMs >= config.STREAM_PING_MS) connection.ping(nowMs);
  }

  async function stop(): Promise<void> {
    isStopping = true;
    clearInterval(sweep);
    market.stop();
    for (const connection of connections) {
      connection.sendText(closingText('shutdown', clock.now()));
    }
    if (connections.size > 0) await pause(LEAVE_MS);
    for (const connection of connections) connection.close('shutdown');
    const untilMs = performance.now() + PARTING_MS;
    while (connections.size > 0 && performance.now() < untilMs) await pause(10);
    for (const connection of connections) connection.cut();
    await own.stop();
  }

  // First: a fault of a public channel must not keep a batch from those who need every one.
  feed.follow(own.follower);
  const market = createMarketData(ctx, feed);
  const streams: Streams = { ctx, own, connections, market, accept, stop };
  const protocol = createProtocol(streams);
  return streams;
}

/**
 * Whether a client's offer fits. It must let us bound its window, and must not bound ours, because the bytes are shared.
 * The library would refuse the whole connection; without the offer there is no compression, and nothing else changes.
 */
export function canCompress(offers: string | undefined): boolean {
  if (offers === undefined || offers.includes(',')) return false;
  return (
    /;\s*client_max_window_bits\s*(;|$|=\s*"?1[0-5]"?\s*(;|$))/.test(offers) &&
    !offers.includes('server_max_window_bits')
  );
}
