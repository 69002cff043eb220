// Terms of a market that can be changed here, and what differs. Pure.
import { decimal, type MarketDetail } from '@rialto/sdk';

export const TERMS = [
  'minimumQuoteSize',
  'maxMarketOrderAsk',
  'maxMarketOrderBid',
  'minimumVolume',
  'maximumVolume',
  'minimumPrice',
  'maximumPrice',
  'priceBandPercent',
  'marketSlippagePercent',
] as const satisfies readonly (keyof MarketDetail)[];
export type Term = (typeof TERMS)[number];
export type Terms = Readonly<Record<Term, string>>;

export const termsOf = (market: MarketDetail): Terms =>
  Object.fromEntries(TERMS.map((term) => [term, market[term]])) as Terms;

/** What was typed and says another number. A field that was emptied says nothing. */
export const changesOf = (before: Terms, after: Terms): Partial<Terms> =>
  Object.fromEntries(
    TERMS.flatMap((term) =>
      after[term] === '' || decimal.equals(before[term], after[term]) ? [] : [[term, after[term]]],
    ),
  );
