import type { MarketDetail } from '@rialto/sdk';

export const nameOf = ({ base, quote }: Pick<MarketDetail, 'base' | 'quote'>): string =>
  `${base.toUpperCase()}/${quote.toUpperCase()}`;
