// HTTP on a bare socket, for requests that no client library would send.
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  /** The status of the first answer; 0 when there was none. */
  readonly status: number;
  /** The status of every answer, in order. */
  readonly statuses: readonly number[];
  readonly text: string;
  /** Whether the server ended the connection. */
  readonly isClosed: boolean;
}

export interface RawOptions {
  /** How long to wait for the server to close the connection. */
  readonly waitMs?: number;
  /** The local address to connect from. */
  readonly localAddress?: string;
  /** Returns as soon as there is an answer. */
  readonly untilAnswered?: boolean;
}

export function openSocket(origin: string, localAddress?: string): Socket {
  const { hostname: host, port } = new URL(origin);
  const socket = connect({ host, port: Number(port), ...(localAddress && { localAddress }) });
  return socket.on('error', () => {});
}

/**
 * Sends the parts one after the other, and returns what came back until the server closed the connection or the time
 * was up.
 */
export async function sendRaw(
  origin: string,
  parts: readonly (string | Buffer)[],
  { waitMs = 5000, localAddress, untilAnswered = false }: RawOptions = {},
): Promise<RawAnswer> {
  const socket = openSocket(origin, localAddress);
  let text = '';
  let isClosed = false;
  const over = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, waitMs);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
      if (untilAnswered && text.includes('\r\n\r\n')) end();
    });
    socket.on('end', () => {
      isClosed = true;
      end();
    });
    socket.on('close', () => {
      isClosed = true;
      end();
    });
  });
  for (const part of parts) {
    socket.write(part);
    if (parts.length > 1) await new Promise((resolve) => setTimeout(resolve, 30));
  }
  await over;
  socket.destroy();
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  return { status: statuses[0] ?? 0, statuses, text, isClosed };
}
