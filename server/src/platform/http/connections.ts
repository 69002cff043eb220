// Limits the number of connections, in all and per address. Surplus connections are refused before a byte of
// theirs is read, so that refusing costs as little as possible.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Config } from '../config/schema.ts';
import type { Metrics } from '../observe/metrics.ts';
import { limitKeyOf, type ProxyList } from './address.ts';
import { createPace } from './pace.ts';

type Limits = Pick<Config, 'CONNECTIONS_MAX' | 'CONNECTIONS_PER_ADDRESS_MAX'>;

/** The share of an address's connections that may be new in a second. */
const NEW_SHARE = 1 / 8;

const FULL =
  'HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/** A proxy stands for many people: its connections count in the total, but not per address. */
export function limitConnections(
  server: Server,
  { CONNECTIONS_MAX, CONNECTIONS_PER_ADDRESS_MAX }: Limits,
  isProxy: ProxyList,
  metrics: Pick<Metrics, 'refused'>,
): void {
  const open = new Map<string, number>();
  const pace = createPace({
    perSecond: Math.max(1, CONNECTIONS_PER_ADDRESS_MAX * NEW_SHARE),
    burst: CONNECTIONS_PER_ADDRESS_MAX,
  });
  server.maxConnections = CONNECTIONS_MAX;
  server.on('drop', () => metrics.refused('http', 'connections'));
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress;
    if (address === undefined || isProxy(address)) return;
    const key = limitKeyOf(address);
    const count = (open.get(key) ?? 0) + 1;
    if (count > CONNECTIONS_PER_ADDRESS_MAX) {
      metrics.refused('http', 'connections');
      socket.end(FULL, () => socket.destroy());
      return;
    }
    if (pace.reserve(key, performance.now()) === undefined) {
      metrics.refused('http', 'connections');
      socket.resetAndDestroy();
      return;
    }
    open.set(key, count);
    socket.once('close', () => {
      const left = (open.get(key) ?? 1) - 1;
      if (left <= 0) open.delete(key);
      else open.set(key, left);
    });
  });
}
