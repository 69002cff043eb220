import { describe, expect, it } from 'vitest';
import { changesOf, NO_TERMS, problemsOf, type Terms } from './terms.ts';

const BEFORE: Terms = {
  ...NO_TERMS,
  basePrecision: '4',
  quotePrecision: '2',
  minimumQuoteSize: '5',
  maxMarketOrderAsk: '10',
  maxMarketOrderBid: '500000',
  minimumVolume: '0.0001',
  maximumVolume: '1000',
  minimumPrice: '0.01',
  maximumPrice: '1000000',
  priceBandPercent: '20',
  marketSlippagePercent: '5',
  defaultStpMode: 'expire_taker',
};

describe('changes', () => {
  it('are what says another value, and nothing else', () => {
    const after = {
      ...BEFORE,
      minimumQuoteSize: '5.00',
      priceBandPercent: '10',
      maximumPrice: '',
      defaultStpMode: 'expire_both',
    };
    expect(changesOf(BEFORE, after)).toEqual({
      priceBandPercent: '10',
      defaultStpMode: 'expire_both',
    });
  });

  it('include what only the engine knew before', () => {
    expect(changesOf(BEFORE, { ...BEFORE, haltPercent: '0' })).toEqual({ haltPercent: '0' });
  });
});

describe('problems', () => {
  const problem = (typed: Partial<Terms>) => problemsOf({ ...NO_TERMS, ...typed }, BEFORE);

  it('are none where nothing was typed', () => {
    expect(problemsOf(NO_TERMS)).toEqual({});
    expect(problemsOf(BEFORE)).toEqual({});
  });

  it.each<[Partial<Terms>, ReturnType<typeof problemsOf>]>([
    [{ haltMinutes: '0' }, { haltMinutes: { kind: 'whole', min: 1, max: 1440 } }],
    [{ icebergParts: '2.5' }, { icebergParts: { kind: 'whole', min: 1, max: 1000 } }],
    [{ quotePrecision: '15' }, { quotePrecision: { kind: 'whole', min: 0, max: 14 } }],
    [{ minimumVolume: '0.00001' }, { minimumVolume: { kind: 'decimals', max: 4 } }],
    [{ listingPrice: '1.005' }, { listingPrice: { kind: 'decimals', max: 2 } }],
    [{ priceBandPercent: '1.00001' }, { priceBandPercent: { kind: 'decimals', max: 4 } }],
    [{ priceBandPercent: '0' }, { priceBandPercent: { kind: 'positive' } }],
    [{ maxMarketOrderBid: '-1' }, { maxMarketOrderBid: { kind: 'positive' } }],
    [{ maximumVolume: '0' }, { maximumVolume: { kind: 'positive' } }],
    [{ minimumVolume: '2000' }, { minimumVolume: { kind: 'atMost', term: 'maximumVolume' } }],
    [
      { minimumVolume: '2000', maximumVolume: '1999' },
      {
        minimumVolume: { kind: 'atMost', term: 'maximumVolume' },
        maximumVolume: { kind: 'atLeast', term: 'minimumVolume' },
      },
    ],
    [{ listingPrice: '2000000' }, { listingPrice: { kind: 'atMost', term: 'maximumPrice' } }],
  ])('of %j are %j', (typed, problems) => {
    expect(problem(typed)).toEqual(problems);
  });

  it('a halt may be switched off, and a market may take orders of any value', () => {
    expect(problem({ haltPercent: '0', minimumQuoteSize: '0', auctionSeconds: '0' })).toEqual({});
  });
});
