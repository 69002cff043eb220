// The WebSocket connections of the trading API: how many, what they are sent, and who is too slow.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

export interface StreamMetrics {
  streamOpened(): void;
  /** `code` is the close code of the WebSocket protocol or one of ours. */
  streamClosed(code: number): void;
  streamSubscribed(channel: string, change: 1 | -1): void;
  /** The same frame for `count` connections. */
  streamSent(count: number, bytes: number): void;
  /** A reader that fell behind gets a snapshot instead of what it missed. */
  streamFellBehind(): void;
  /** From the engine's time of a change until it was written to all who follow it. */
  streamLag(seconds: number): void;
}

const LAG_BUCKETS = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 10];

export function createStreamMetrics(registry: Registry): StreamMetrics {
  const registers = [registry];
  const connections = new Gauge({
    name: 'rialto_stream_connections',
    help: 'Open WebSocket connections of the trading API.',
    registers,
  });
  const subscriptions = new Gauge({
    name: 'rialto_stream_subscriptions',
    help: 'Channels that open connections follow, by kind.',
    labelNames: ['channel'],
    registers,
  });
  const frames = new Counter({
    name: 'rialto_stream_frames_total',
    help: 'Frames written to WebSocket connections.',
    registers,
  });
  const bytes = new Counter({
    name: 'rialto_stream_bytes_total',
    help: 'Bytes of those frames.',
    registers,
  });
  const closed = new Counter({
    name: 'rialto_stream_closed_total',
    help: 'Closed WebSocket connections, by close code.',
    labelNames: ['code'],
    registers,
  });
  const behind = new Counter({
    name: 'rialto_stream_behind_total',
    help: 'Readers that fell behind and got a snapshot instead of what they missed.',
    registers,
  });
  const lag = new Histogram({
    name: 'rialto_stream_lag_seconds',
    help: "From the engine's time of a change until it was written to all who follow it.",
    buckets: LAG_BUCKETS,
    registers,
  });
  return {
    streamOpened: () => connections.inc(),
    streamClosed(code) {
      connections.dec();
      closed.labels(String(code)).inc();
    },
    streamSubscribed: (channel, change) => subscriptions.labels(channel).inc(change),
    streamSent(count, size) {
      frames.inc(count);
      bytes.inc(count * size);
    },
    streamFellBehind: () => behind.inc(),
    streamLag: (seconds) => lag.observe(Math.max(0, seconds)),
  };
}
