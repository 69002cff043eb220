import type { MarketDetail } from '@rialto/sdk';

/** How people write a market: BTC/USDT, from left to right in every language. */
export const pairOf = ({ base, quote }: Pick<MarketDetail, 'base' | 'quote'>): string =>
  `${base.toUpperCase()}/${quote.toUpperCase()}`;
