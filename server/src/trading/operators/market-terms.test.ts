import { apply, createState, LIMITS, STP_MODES, type MarketConfig } from '@rialto/matching';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toMarketConfig, toMarketTerms, type MarketTerms } from './market-terms.ts';

const TERMS: MarketTerms = {
  base: 'btc',
  quote: 'usdt',
  basePrecision: 6,
  quotePrecision: 2,
  minimumQuoteSize: '5',
  maxMarketOrderAsk: '10',
  maxMarketOrderBid: '500000',
  listingPrice: '64250.80',
};

const ordered = (max: number) =>
  fc
    .tuple(fc.integer({ min: 1, max }), fc.integer({ min: 1, max }), fc.integer({ min: 1, max }))
    .map((three) => three.sort((a, b) => a - b));

const configs: fc.Arbitrary<MarketConfig> = fc
  .record({
    precisions: fc.tuple(fc.nat(18), fc.nat(18)).filter(([base, quote]) => base + quote <= 18),
    prices: ordered(LIMITS.ticksMax),
    volumes: ordered(LIMITS.lotsMax),
    minimumQuoteSize: fc.bigInt({ min: 0n, max: LIMITS.amountMax }),
    maxMarketOrderBid: fc.bigInt({ min: 1n, max: LIMITS.amountMax }),
    priceBandPpm: fc.integer({ min: 1, max: LIMITS.ppmMax }),
    marketSlippagePpm: fc.nat(LIMITS.ppmMax),
    haltPpm: fc.nat(LIMITS.ppmMax),
    haltMinutes: fc.integer({ min: 1, max: 1440 }),
    defaultStpMode: fc.constantFrom(...STP_MODES),
    maxOpenOrders: fc.integer({ min: 1, max: 1_000_000 }),
    maxConditionalOrders: fc.nat(1_000_000),
    icebergParts: fc.integer({ min: 1, max: 1000 }),
    // Absent means that no auction follows a halt.
    auctionSeconds: fc.nat(LIMITS.auctionMaxMs / 1000),
  })
  .map(({ precisions, prices, volumes, auctionSeconds, ...rest }) => ({
    ...rest,
    ...(auctionSeconds > 0 ? { auctionSeconds } : {}),
    symbol: 'btcusdt',
    base: 'btc',
    quote: 'usdt',
    basePrecision: precisions[0],
    quotePrecision: precisions[1],
    minimumPriceTicks: prices[0],
    listingPriceTicks: prices[1],
    maximumPriceTicks: prices[2],
    minimumVolumeLots: volumes[0],
    maxMarketOrderAskLots: volumes[1],
    maximumVolumeLots: volumes[2],
  }));

it('any configuration of the core survives printing in decimals and parsing', () => {
  fc.assert(
    fc.property(configs, (config) => {
      expect(toMarketConfig(toMarketTerms(config))).toEqual(config);
    }),
  );
});

it('raising only the precision keeps every price and volume', () => {
  const before = toMarketTerms(toMarketConfig(TERMS));
  const after = toMarketConfig({ ...before, basePrecision: 8, quotePrecision: 4 });
  expect(toMarketTerms(after)).toEqual({ ...before, basePrecision: 8, quotePrecision: 4 });
});

it('the core accepts a market with every default', () => {
  const state = createState({ shard: 0, memory: 1000, capacity: 64 });
  for (const coin of ['btc', 'usdt']) {
    apply(state, { type: 'list_coin', time: 1, coin, networks: [] });
  }
  const config = toMarketConfig(TERMS);
  expect(config).toMatchObject({
    symbol: 'btcusdt',
    listingPriceTicks: 6_425_080,
    minimumPriceTicks: 1,
    maximumPriceTicks: 6_425_080_000,
    maxMarketOrderAskLots: 10_000_000,
    maximumVolumeLots: 1_000_000_000,
    priceBandPpm: 200_000,
    defaultStpMode: 'expire_taker',
  });
  expect(apply(state, { type: 'create_market', time: 1, config }).result).toEqual({ kind: 'done' });
});

it('a value that does not fit is refused by name and never rounded', () => {
  for (const [change, message] of [
    [
      { listingPrice: '64250.805' },
      'listingPrice must be a decimal number with at most 2 decimals',
    ],
    [
      { maxMarketOrderAsk: '0.0000001' },
      'maxMarketOrderAsk must be a decimal number with at most 6',
    ],
    [{ minimumQuoteSize: '5e3' }, 'minimumQuoteSize must be a decimal number such as'],
    [{ priceBandPercent: '200' }, 'priceBandPercent must be at most 100.0000, not "200"'],
    [{ basePrecision: 12, quotePrecision: 7 }, 'quotePrecision must be a whole number from 0 to 6'],
    [{ defaultStpMode: 'none' as 'decrement' }, 'defaultStpMode must be one of expire_taker'],
    [{ icebergParts: 1.5 }, 'icebergParts must be a whole number'],
  ] as const) {
    expect(() => toMarketConfig({ ...TERMS, ...change })).toThrow(message);
  }
});
