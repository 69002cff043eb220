// The demo's markets, sized so that a believable order fits and an absurd one does not.
import type { MarketTerms } from '../../../server/src/trading/operators/market-terms.ts';

export interface DemoMarket extends MarketTerms {
  readonly symbol: string;
  readonly phase: 'continuous' | 'pre_open';
  /** Value of a usual order, in quote units. */
  readonly usualSize: number;
}

/** Precisions of volume and price; smallest value, largest market order to sell and to buy; usual value. */
function market(
  base: string,
  quote: string,
  precisions: readonly [number, number],
  sizes: readonly [string, string, string, number],
  phase: DemoMarket['phase'] = 'continuous',
): DemoMarket {
  const [basePrecision, quotePrecision] = precisions;
  const [minimumQuoteSize, maxMarketOrderAsk, maxMarketOrderBid, usualSize] = sizes;
  return {
    symbol: base + quote,
    base,
    quote,
    basePrecision,
    quotePrecision,
    minimumQuoteSize,
    maxMarketOrderAsk,
    maxMarketOrderBid,
    listingPrice: levelOf(base, quote).toFixed(quotePrecision),
    usualSize,
    phase,
  };
}

/** What a coin is worth in dollars when the demo's week begins. */
export const LEVELS: Readonly<Record<string, number>> = {
  btc: 68_250,
  eth: 3480,
  xrp: 2.31,
  ton: 3.12,
  trx: 0.2715,
  sol: 164.2,
  doge: 0.1834,
  ltc: 96.4,
  usdt: 1,
  irt: 1 / 105_300,
};

/** The price of `base` in `quote`, given what each is worth. */
export function levelOf(base: string, quote: string, levels = LEVELS): number {
  return (levels[base] ?? 1) / (levels[quote] ?? 1);
}

export const MARKETS: readonly DemoMarket[] = [
  market('btc', 'usdt', [6, 2], ['5', '10', '1000000', 2400]),
  market('eth', 'usdt', [5, 2], ['5', '200', '1000000', 1800]),
  market('xrp', 'usdt', [1, 4], ['5', '300000', '500000', 700]),
  market('ton', 'usdt', [2, 4], ['5', '100000', '500000', 500]),
  market('trx', 'usdt', [1, 5], ['5', '1000000', '300000', 400]),
  market('sol', 'usdt', [3, 2], ['5', '5000', '500000', 900]),
  market('doge', 'usdt', [0, 5], ['5', '2000000', '300000', 450]),
  market('eth', 'btc', [4, 6], ['0.0001', '200', '10', 0.03]),
  market('btc', 'irt', [6, 0], ['300000', '5', '50000000000', 90_000_000]),
  market('eth', 'irt', [5, 0], ['300000', '100', '50000000000', 60_000_000]),
  market('usdt', 'irt', [2, 0], ['300000', '500000', '50000000000', 50_000_000]),
  // Announced, not open yet: the one market of the demo that is inactive.
  market('ltc', 'usdt', [4, 2], ['5', '5000', '300000', 500], 'pre_open'),
];
