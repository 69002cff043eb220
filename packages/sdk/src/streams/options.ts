// What callers may set, and what a connection needs of it.
import { originOf } from '../http/transport.ts';
import type { PrivateKey } from '../trading/sign.ts';
import type { ServerClock } from '../trading/clock.ts';
import type { LinkOptions } from './link.ts';

export interface StreamsOptions {
  /** The origin of the server, such as `https://venue.example`. */
  readonly url: string;
  /** A trading key, for private channels and orders; with `secret` or `privateKey`. */
  readonly key?: string;
  readonly secret?: string;
  readonly privateKey?: PrivateKey;
  /** In a browser with a session, instead of a key: fetches a ticket (`POST /json/v1/streams/ticket`) for each connection. */
  readonly ticket?: () => Promise<string>;
  /** Events that may wait for a consumer, for each subscription. Default: 1000. */
  readonly bufferMax?: number;
  /** The longest wait for an answer; the engine itself gives up after 10 seconds. Default: 15 seconds. */
  readonly timeoutMs?: number;
  /** How long an order operation is tried, over as many connections as that takes. Default: 30 seconds. */
  readonly totalMs?: number;
  /** A dead connection is noticed after one and a half times this. Default: 10 seconds. */
  readonly heartbeatMs?: number;
  /** Frames that a connection sends in a second. Default: 10, which is the server's own default limit. */
  readonly framesPerSecond?: number;
  /** The first pause before another attempt to connect, which doubles. Default: 200 ms. */
  readonly firstWaitMs?: number;
  /** The longest pause. Default: 15 seconds. */
  readonly maxWaitMs?: number;
  /** A clock that is corrected already, as `trading.clock`. */
  readonly clock?: ServerClock;
  /** Told what happens to the connection, for logs. */
  readonly onEvent?: (event: ConnectionEvent) => void;
  /** Another WebSocket, for a platform without one or a test. */
  readonly WebSocket?: typeof WebSocket;
}

export type ConnectionEvent =
  | { readonly type: 'connected' }
  | { readonly type: 'disconnected'; readonly code: number; readonly reason: string }
  /** The server will close the connection; another one is being opened. */
  | { readonly type: 'closing'; readonly reason: string }
  /** An attempt to connect failed. */
  | { readonly type: 'waiting'; readonly error: Error; readonly waitMs: number };

export interface CancelOnDisconnect {
  /** Default: true. */
  readonly isEnabled?: boolean;
  readonly graceMs: number;
}

/** The server's limit of one connection is ten frames a second. */
const FRAMES_PER_SECOND = 10;
const OPEN_WITHIN_MS = 10_000;

export async function toLinkOptions(options: StreamsOptions): Promise<LinkOptions> {
  const origin = originOf(options.url);
  const path = options.ticket === undefined ? '/v1/ws' : '/json/v1/ws';
  return {
    origin,
    url: origin.replace('http', 'ws') + path,
    // Never in the address, where it would be logged.
    protocols: options.ticket === undefined ? [] : ['rialto', `ticket.${await options.ticket()}`],
    WebSocket: options.WebSocket ?? WebSocket,
    answerWithinMs: options.timeoutMs ?? 15_000,
    heartbeatMs: options.heartbeatMs ?? 10_000,
    framesPerSecond: options.framesPerSecond ?? FRAMES_PER_SECOND,
    openWithinMs: OPEN_WITHIN_MS,
  };
}
