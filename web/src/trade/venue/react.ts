// The venue and the market that is looked at, in React.
import type { MarketDetail, Ticker } from '@rialto/sdk';
import {
  createContext,
  createElement,
  use,
  useEffect,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react';
import type { MarketFeed } from './market-feed.ts';
import { takeFeed, takeVenue } from './prepare.ts';
import type { Freshness, Venue, VenueOptions } from './venue.ts';

/** A market without a book has a chart all the same. */
const WITHOUT_PRICES_MS = 3000;

const VenueContext = createContext<Venue | undefined>(undefined);
const MarketContext = createContext<
  { readonly market: MarketDetail; readonly feed: MarketFeed } | undefined
>(undefined);

export function VenueProvider({
  url,
  csrfToken,
  children,
}: VenueOptions & { readonly children: ReactNode }): ReactNode {
  const [venue, setVenue] = useState<Venue>();
  useEffect(() => {
    const made = takeVenue({ url, csrfToken });
    setVenue(made);
    return () => made.close();
  }, [url, csrfToken]);
  return venue === undefined ? null : createElement(VenueContext, { value: venue }, children);
}

export function useVenue(): Venue {
  const venue = use(VenueContext);
  if (venue === undefined) throw new Error('useVenue needs a VenueProvider above it.');
  return venue;
}

export function useFreshness(): Freshness {
  const venue = useVenue();
  return useSyncExternalStore(venue.subscribe, venue.freshness);
}

/** Follows one market for everything below. */
export function MarketProvider({
  market,
  children,
}: {
  readonly market: MarketDetail;
  readonly children: ReactNode;
}): ReactNode {
  const venue = useVenue();
  const [feed, setFeed] = useState<MarketFeed>();
  const { symbol } = market;
  useEffect(() => {
    const made = takeFeed(venue, symbol);
    setFeed(made);
    return () => {
      setFeed(undefined);
      made.close();
    };
  }, [venue, symbol]);
  if (feed === undefined || feed.book.symbol !== symbol) return null;
  return createElement(MarketContext, { value: { market, feed } }, children);
}

function useMarketContext(): { readonly market: MarketDetail; readonly feed: MarketFeed } {
  const context = use(MarketContext);
  if (context === undefined) throw new Error('This needs a MarketProvider above it.');
  return context;
}

export const useMarket = (): MarketDetail => useMarketContext().market;
export const useMarketFeed = (): MarketFeed => useMarketContext().feed;

/** Prices come first: what costs a slow device more is drawn when they stand there, or do not come. */
export function useHasPrices(): boolean {
  const { onBook, book } = useMarketFeed();
  const isCurrent = useSyncExternalStore(onBook, () => book.isCurrent);
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsOver(true), isCurrent ? 0 : WITHOUT_PRICES_MS);
    return () => clearTimeout(timer);
  }, [isCurrent]);
  return isOver;
}

/** The figures of the day; undefined until they have come. */
export function useTicker(): Ticker | undefined {
  const { onTicker, ticker } = useMarketFeed();
  return useSyncExternalStore(onTicker, ticker);
}
