import { expect, it } from 'vitest';
import { changesOf, type Terms } from './terms.ts';

const BEFORE: Terms = {
  minimumQuoteSize: '5',
  maxMarketOrderAsk: '10',
  maxMarketOrderBid: '500000',
  minimumVolume: '0.0001',
  maximumVolume: '1000',
  minimumPrice: '0.01',
  maximumPrice: '1000000',
  priceBandPercent: '20',
  marketSlippagePercent: '5',
};

it('sends what says another number, and nothing else', () => {
  const after = { ...BEFORE, minimumQuoteSize: '5.00', priceBandPercent: '10', maximumPrice: '' };
  expect(changesOf(BEFORE, after)).toEqual({ priceBandPercent: '10' });
});
