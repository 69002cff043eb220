// A venue and a market that are asked for before the view is drawn: on a slow device drawing takes longer than the answer.
import { createMarketFeed, type MarketFeed } from './market-feed.ts';
import { createVenue, type Venue, type VenueOptions } from './venue.ts';

let waiting: { readonly options: VenueOptions; readonly venue: Venue } | undefined;
let feeding: { readonly venue: Venue; readonly feed: MarketFeed } | undefined;

/** Once for each page, before its first view. Without a symbol, the market is not known yet. */
export function prepareVenue(options: VenueOptions, symbol: string | undefined): void {
  const venue = createVenue(options);
  venue.markets().catch(() => undefined);
  waiting = { options, venue };
  if (symbol !== undefined)
    feeding = { venue, feed: createMarketFeed(venue, symbol.toLowerCase()) };
}

/** The prepared venue, if nobody has taken it and it is for the same reader; otherwise a new one. */
export function takeVenue(options: VenueOptions): Venue {
  const { venue, options: before } = waiting ?? {};
  waiting = undefined;
  if (
    before?.url === options.url &&
    before.csrfToken === options.csrfToken &&
    venue !== undefined
  ) {
    return venue;
  }
  venue?.close();
  return createVenue(options);
}

/** The prepared market, if nobody has taken it and it is this one; otherwise a new feed. */
export function takeFeed(venue: Venue, symbol: string): MarketFeed {
  const { feed, venue: own } = feeding ?? {};
  feeding = undefined;
  if (own === venue && feed?.book.symbol === symbol) return feed;
  feed?.close();
  return createMarketFeed(venue, symbol);
}
