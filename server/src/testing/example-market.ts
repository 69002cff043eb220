// One market for tests and trials of the engine. Each test gives only the values that it is about.
import type { MarketConfig } from '@rialto/matching';

export const exampleMarket = (given: Partial<MarketConfig> = {}): MarketConfig => ({
  symbol: 'btcusdt',
  base: 'btc',
  quote: 'usdt',
  basePrecision: 6,
  quotePrecision: 2,
  minimumQuoteSize: 5n * 10n ** 18n,
  maxMarketOrderAskLots: 1e9,
  maxMarketOrderBid: 10n ** 24n,
  minimumVolumeLots: 1,
  maximumVolumeLots: 1e12,
  minimumPriceTicks: 1,
  maximumPriceTicks: 1e9,
  listingPriceTicks: 6_400_000,
  priceBandPpm: 200_000,
  marketSlippagePpm: 50_000,
  haltPpm: 0,
  haltMinutes: 5,
  defaultStpMode: 'expire_taker',
  maxOpenOrders: 200,
  maxConditionalOrders: 50,
  icebergParts: 20,
  ...given,
});
