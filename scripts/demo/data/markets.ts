// The demo's markets, sized so that a believable order fits and an absurd one does not.

export interface DemoMarket {
  readonly base: string;
  readonly quote: string;
  readonly basePrecision: number;
  readonly quotePrecision: number;
  readonly minimumQuoteSize: string;
  readonly maxMarketOrderAsk: string;
  readonly maxMarketOrderBid: string;
  readonly phase: 'continuous' | 'pre_open';
}

/** Precisions of volume and price; smallest value; largest market order to sell and to buy. */
function market(
  base: string,
  quote: string,
  precisions: readonly [number, number],
  sizes: readonly [string, string, string],
  phase: DemoMarket['phase'] = 'continuous',
): DemoMarket {
  return {
    base,
    quote,
    basePrecision: precisions[0],
    quotePrecision: precisions[1],
    minimumQuoteSize: sizes[0],
    maxMarketOrderAsk: sizes[1],
    maxMarketOrderBid: sizes[2],
    phase,
  };
}

export const MARKETS: readonly DemoMarket[] = [
  market('btc', 'usdt', [6, 2], ['5', '10', '1000000']),
  market('eth', 'usdt', [5, 2], ['5', '200', '1000000']),
  market('xrp', 'usdt', [1, 4], ['5', '300000', '500000']),
  market('ton', 'usdt', [2, 4], ['5', '100000', '500000']),
  market('trx', 'usdt', [1, 5], ['5', '1000000', '300000']),
  market('sol', 'usdt', [3, 2], ['5', '5000', '500000']),
  market('doge', 'usdt', [0, 5], ['5', '2000000', '300000']),
  market('eth', 'btc', [4, 6], ['0.0001', '200', '10']),
  market('btc', 'irt', [6, 0], ['300000', '5', '50000000000']),
  market('eth', 'irt', [5, 0], ['300000', '100', '50000000000']),
  market('usdt', 'irt', [2, 0], ['300000', '500000', '50000000000']),
  // Announced, not open yet: the one market of the demo that is inactive.
  market('ltc', 'usdt', [4, 2], ['5', '5000', '300000'], 'pre_open'),
];
