// Requests that ask to become a WebSocket connection. They go through the same routes, hooks and limits as every other
// request; a route that takes them finds the raw connection here.
import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** The paths that take such requests. Anywhere else the header Upgrade means nothing. */
    readonly upgradePaths: Set<string>;
  }
}

export interface Upgrade {
  readonly socket: Socket;
  /** What came after the headers. */
  readonly head: Buffer;
  /** Parts the connection from the answer that was prepared for it, so that another protocol can use it. */
  take(): void;
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

/** The raw connection of a request that asks to upgrade; undefined for any other. */
export const upgradeOf = (request: IncomingMessage): Upgrade | undefined => upgrades.get(request);

/** Whether a request asks to become a WebSocket connection at one of the paths that can. */
export const isUpgrade = (
  { method, url = '', headers }: IncomingMessage,
  paths: ReadonlySet<string>,
): boolean =>
  method === 'GET' &&
  headers.upgrade?.toLowerCase() === 'websocket' &&
  paths.has(url.split('?', 1)[0] ?? '');

/** Sends such requests through the routes. What refuses them answers as it always does, and the connection ends. */
export function routeUpgrades(app: FastifyInstance): void {
  app.server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    // Without TLS of its own the server has plain sockets only.
    const socket = stream as Socket;
    // The server has let go of the socket, and an error that nobody hears would end the process.
    socket.on('error', () => socket.destroy());
    const response = new ServerResponse(request);
    response.assignSocket(socket);
    response.shouldKeepAlive = false;
    response.on('finish', () => {
      response.detachSocket(socket);
      socket.destroySoon();
    });
    upgrades.set(request, { socket, head, take: () => response.detachSocket(socket) });
    app.routing(request, response);
  });
}
