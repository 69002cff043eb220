// A load generator on raw sockets. It writes prepared bytes and counts answers, so that it costs
// little compared with what it measures. Each connection keeps a few requests in flight.
import { connect, type Socket } from 'node:net';

export interface LoadOptions {
  port: number;
  path: string;
  connections: number;
  inFlight: number;
  durationMs: number;
}

export interface LoadResult {
  perSecond: number;
  /** Answers that were not 200; if there are any, the benchmark measured something else. */
  failures: number;
}

const HEADER_END = Buffer.from('\r\n\r\n');
const LENGTH = /content-length: (\d+)/i;

export async function applyLoad(options: LoadOptions): Promise<LoadResult> {
  const { port, path, connections, inFlight, durationMs } = options;
  const request = Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  let answers = 0;
  let failures = 0;
  let isOver = false;

  const sockets = await Promise.all(
    Array.from({ length: connections }, () =>
      open(port, (socket, count, bad) => {
        answers += count;
        failures += bad;
        if (!isOver && count > 0)
          socket.write(
            count === 1 ? request : Buffer.concat(Array.from({ length: count }, () => request)),
          );
      }),
    ),
  );
  const startedMs = performance.now();
  for (const socket of sockets)
    socket.write(Buffer.concat(Array.from({ length: inFlight }, () => request)));
  await new Promise((resolve) => setTimeout(resolve, durationMs));
  isOver = true;
  const seconds = (performance.now() - startedMs) / 1000;
  const perSecond = answers / seconds;
  for (const socket of sockets) socket.destroy();
  return { perSecond, failures };
}

async function open(
  port: number,
  onAnswers: (socket: Socket, count: number, failures: number) => void,
): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await new Promise((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  let rest: Buffer = Buffer.alloc(0);
  socket.on('error', () => {});
  socket.on('data', (chunk: Buffer) => {
    let buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let count = 0;
    let bad = 0;
    for (;;) {
      const end = buffer.indexOf(HEADER_END);
      if (end < 0) break;
      const head = buffer.toString('latin1', 0, end);
      const size = end + 4 + Number(LENGTH.exec(head)?.[1] ?? 0);
      if (buffer.length < size) break;
      if (!head.startsWith('HTTP/1.1 200')) bad += 1;
      count += 1;
      buffer = buffer.subarray(size);
    }
    rest = buffer;
    onAnswers(socket, count, bad);
  });
  return socket;
}
