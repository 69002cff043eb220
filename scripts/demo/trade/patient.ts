// Orders that wait for a price, so that a visitor finds some of every kind: an OCO, a bracket and a trailing
// stop, far enough from the market to live for a while.
import type { NewCommand } from '../../../server/src/trading/engine/command.ts';
import type { DemoMarket } from '../data/markets.ts';
import { ticksOf } from './quotes.ts';

/** Distances as parts of the price. */
const PROFIT = 0.12;
const LOSS = 0.12;
const LIMIT_BELOW_STOP = 0.01;
const ENTRY = 0.06;
/** Basis points. */
const TRAIL = 1200;
/** Orders of the market's usual size. */
const FACTOR = 2;

export function drawPatient(market: DemoMarket, middle: number, account: number): NewCommand[] {
  const { symbol, quotePrecision: priceDecimals, basePrecision: volumeDecimals } = market;
  const at = (share: number) => ticksOf(market, middle * (1 + share));
  const volume = Math.ceil(((market.usualSize * FACTOR) / middle) * 10 ** volumeDecimals);
  const size = { symbol, volume, volumeDecimals };
  return [
    {
      type: 'place_list',
      account,
      list: {
        kind: 'oco',
        ...size,
        side: 'sell',
        priceDecimals,
        limitPrice: at(PROFIT),
        stopPrice: at(-LOSS),
        stopLimitPrice: at(-LOSS - LIMIT_BELOW_STOP),
      },
    },
    {
      type: 'place_list',
      account,
      list: {
        kind: 'bracket',
        entry: { ...size, side: 'buy', type: 'limit', price: at(-ENTRY), priceDecimals },
        priceDecimals,
        takeProfitPrice: at(PROFIT),
        stopLossPrice: at(-LOSS),
      },
    },
    {
      type: 'place',
      account,
      order: { ...size, side: 'sell', type: 'trailing_stop', trailingDelta: TRAIL },
    },
  ];
}
