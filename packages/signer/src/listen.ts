// Lines in, lines out, over a Unix socket or mutual TLS. Everything is bounded: connections, the size of a line, the time
// that it may take to arrive, and what waits for a reader that does not read.
import { existsSync, lstatSync, rmSync } from 'node:fs';
import { chmod, chown } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { SignerFault } from './fault.ts';
import type { Answer } from './service.ts';

export interface Limits {
  readonly lineBytesMax: number;
  /** From the first byte of a line to its end. */
  readonly lineMs: number;
  /** Without any line. */
  readonly idleMs: number;
  readonly connectionsMax: number;
  readonly unreadBytesMax: number;
}

export const LIMITS: Limits = {
  // 250 inputs with the transactions that made them fit in most cases.
  lineBytesMax: 2 * 1024 * 1024,
  lineMs: 10_000,
  idleMs: 300_000,
  connectionsMax: 16,
  unreadBytesMax: 1024 * 1024,
};

type Respond = (line: string) => Answer;

export interface Listening {
  close(): Promise<void>;
  /** Of a TLS server. */
  readonly port?: number;
}

/** A Unix socket that only this user can open, or also one group: `gid`. */
export async function listenLocally(
  path: string,
  respond: Respond,
  { limits = LIMITS, gid }: { limits?: Limits; gid?: number } = {},
): Promise<Listening> {
  await makeRoom(path);
  const server = createServer((socket) => serve(socket, respond, limits));
  const close = closerOf(server);
  // The socket is made without rights for others; between its making and a later chmod there would be a gap.
  const mask = process.umask(0o177);
  try {
    await listening(server, () => server.listen(path));
  } finally {
    process.umask(mask);
  }
  server.maxConnections = limits.connectionsMax;
  if (gid !== undefined) {
    await chown(path, process.getuid?.() ?? -1, gid);
    await chmod(path, 0o660);
  }
  return { close };
}

export interface TlsSettings {
  readonly host: string;
  readonly port: number;
  readonly cert: string;
  readonly key: string;
  /** Who signs the certificates of clients. Without one of these nobody gets as far as a line. */
  readonly ca: string;
}

export async function listenByTls(
  { host, port, cert, key, ca }: TlsSettings,
  respond: Respond,
  limits: Limits = LIMITS,
): Promise<Listening> {
  const server = createTlsServer(
    {
      cert,
      key,
      ca,
      requestCert: true,
      rejectUnauthorized: true,
      minVersion: 'TLSv1.3',
      handshakeTimeout: limits.lineMs,
    },
    (socket) => serve(socket, respond, limits),
  );
  const close = closerOf(server);
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  await listening(server, () => server.listen(port, host));
  server.maxConnections = limits.connectionsMax;
  const address = server.address();
  return {
    close,
    ...(typeof address === 'object' && address !== null ? { port: address.port } : {}),
  };
}

function serve(socket: Socket, respond: Respond, limits: Limits): void {
  let waiting: Buffer[] = [];
  let bytes = 0;
  let deadline: NodeJS.Timeout | undefined;
  const send = (answer: Answer) => socket.write(`${JSON.stringify(answer)}\n`);
  const part = (reason: 'line_too_long' | 'too_slow', message: string) => {
    clearTimeout(deadline);
    send({ ok: false, reason, message });
    socket.destroySoon();
    socket.removeAllListeners('data');
  };
  const restart = () => {
    waiting = [];
    bytes = 0;
    clearTimeout(deadline);
    deadline = undefined;
  };
  socket.setTimeout(limits.idleMs, () => socket.destroy());
  socket.on('error', () => socket.destroy());
  socket.on('close', () => clearTimeout(deadline));
  socket.on('data', (chunk: Buffer) => {
    let rest = chunk;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      const line = Buffer.concat([...waiting, rest.subarray(0, end)]);
      if (line.length > limits.lineBytesMax) break;
      restart();
      rest = rest.subarray(end + 1);
      send(respond(line.toString('utf8')));
      // A client that asks and does not read is no client.
      if (socket.writableLength > limits.unreadBytesMax) {
        socket.destroy();
        return;
      }
    }
    if (rest.length === 0) return;
    waiting.push(rest);
    bytes += rest.length;
    if (bytes > limits.lineBytesMax) {
      part('line_too_long', `A line has at most ${limits.lineBytesMax} bytes.`);
      return;
    }
    deadline ??= setTimeout(
      () => part('too_slow', `A line arrives within ${limits.lineMs} ms.`),
      limits.lineMs,
    );
  });
}

/** Removes a socket that an ended process left; a living one is another signer. */
async function makeRoom(path: string): Promise<void> {
  if (!existsSync(path)) return;
  if (!lstatSync(path).isSocket()) {
    throw new SignerFault(`${path} exists and is no socket: choose another place.`);
  }
  const isAlive = await new Promise<boolean>((resolve) => {
    const probe = connect(path);
    probe.once('connect', () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', () => resolve(false));
  });
  if (isAlive) throw new SignerFault(`Another signer already answers at ${path}.`);
  rmSync(path);
}

function listening(server: Server, start: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', () => {
      server.off('error', reject);
      resolve();
    });
    start();
  });
}

/** Ends every connection too: a client that stays must not keep the signer. */
function closerOf(server: Server): () => Promise<void> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
}
