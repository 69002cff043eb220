// A market and its book, for tests.
import type { Level, MarketDetail } from '@rialto/sdk';

export const marketOf = (given: Partial<MarketDetail> = {}): MarketDetail => ({
  symbol: 'btcusdt',
  base: 'btc',
  quote: 'usdt',
  basePrecision: '6',
  quotePrecision: '2',
  minimumQuoteSize: '10',
  maxMarketOrderAsk: '10',
  maxMarketOrderBid: '1000000',
  isActive: true,
  phase: 'continuous',
  phaseReason: '',
  priceStep: '0.01',
  volumeStep: '0.000001',
  minimumVolume: '0.000001',
  maximumVolume: '1000.000000',
  minimumPrice: '0.01',
  maximumPrice: '68250000.00',
  priceBandPercent: '50',
  marketSlippagePercent: '5',
  referencePrice: '64000.00',
  makerFee: '0.001',
  takerFee: '0.0015',
  orderTypes: [
    'limit',
    'market',
    'stop_limit',
    'stop_market',
    'take_profit_limit',
    'take_profit_market',
    'trailing_stop',
  ],
  timeInForce: ['GTC', 'IOC', 'FOK', 'GTD'],
  stpModes: ['expire_taker', 'expire_maker', 'expire_both', 'decrement'],
  defaultStpMode: 'expire_taker',
  maxOpenOrders: '200',
  maxConditionalOrders: '50',
  icebergParts: '20',
  createdAt: '1760000000000',
  ...given,
});

const level = (price: string, volume: string): Level => ({ price, volume });

/** Last 64,000; best bid 63,990, best ask 64,010; ten bitcoin on each side. */
export const PRICES = {
  bids: [
    level('63990.00', '1.000000'),
    level('63900.00', '2.000000'),
    level('61000.00', '7.000000'),
  ],
  asks: [
    level('64010.00', '1.000000'),
    level('64100.00', '2.000000'),
    level('67000.00', '7.000000'),
  ],
  last: '64000.00',
} as const;
