// The venue as one page sees it: calls, streams, and how fresh what the streams brought is. A page of the trade view makes
// one and closes it; a reader who has not signed in gets the public half.
import { Streams, Trading, type MarketDetail } from '@rialto/sdk';

/** Whether prices can be believed. A quiet market is live: pings and their answers count as news. */
export type Freshness =
  | { readonly kind: 'starting' }
  | { readonly kind: 'live' }
  /** Nothing has come since then. */
  | { readonly kind: 'paused'; readonly sinceMs: number };

export interface Venue {
  readonly trading: Trading;
  readonly streams: Streams;
  readonly isSignedIn: boolean;
  /** The same object until it changes. */
  freshness(): Freshness;
  /** Called when freshness changes. */
  subscribe(listener: () => void): () => void;
  /** Every market with its rules, asked once. */
  markets(): Promise<ReadonlyMap<string, MarketDetail>>;
  close(): void;
}

export interface VenueOptions {
  /** The origin of the page. */
  readonly url: string;
  /** Undefined for a reader who has not signed in. */
  readonly csrfToken: string | undefined;
}

/** A lost connection is noticed after one and a half times this, so that prices are called stale within 5 seconds. */
const HEARTBEAT_MS = 3000;
const STARTING: Freshness = { kind: 'starting' };
const LIVE: Freshness = { kind: 'live' };

export function createVenue({ url, csrfToken }: VenueOptions): Venue {
  const listeners = new Set<() => void>();
  let freshness = STARTING;
  const become = (next: Freshness): void => {
    if (freshness.kind === next.kind) return;
    freshness = next;
    for (const listener of listeners) listener();
  };
  const isSignedIn = csrfToken !== undefined;
  const trading = new Trading({ url, ...(isSignedIn && { session: { csrfToken } }) });
  const streams = new Streams({
    url,
    heartbeatMs: HEARTBEAT_MS,
    maxWaitMs: 5000,
    clock: trading.clock,
    ...(isSignedIn && {
      ticket: async () => (await trading.streams.ticket()).ticket,
    }),
    onEvent: ({ type }) => {
      if (type === 'connected') become(LIVE);
      if (type === 'disconnected') become({ kind: 'paused', sinceMs: Date.now() });
    },
  });
  let markets: Promise<ReadonlyMap<string, MarketDetail>> | undefined;
  return {
    trading,
    streams,
    isSignedIn,
    freshness: () => freshness,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    markets() {
      markets ??= trading.public
        .markets()
        .then((all) => new Map(all.map((one) => [one.symbol, one])));
      // A question that failed is asked again the next time.
      markets.catch(() => {
        markets = undefined;
      });
      return markets;
    },
    close() {
      listeners.clear();
      void streams.close();
    },
  };
}
