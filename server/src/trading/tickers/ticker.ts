// A market's last 24 hours, at the granularity of a minute, and its present prices.
import { Type, type Static } from 'typebox';
import {
  AMOUNT_DECIMALS,
  divideRounded,
  formatAmount,
  formatAtLeast,
  formatFixed,
} from '../amount.ts';
import type { Best } from '../books/replica.ts';
import type { MarketDefinition } from '../markets/market.ts';
import { Count, Decimal, MaybeDecimal, MaybeMillis, Millis } from '../values.ts';

export const Ticker = Type.Object(
  {
    symbol: Type.String({ description: 'Market symbol.' }),
    time: Millis('When the statistics were taken.'),
    openTime: Millis('When the 24 hours begin.'),
    open: MaybeDecimal(
      'First price of the 24 hours; empty before the first trade, like all prices.',
    ),
    high: MaybeDecimal('Highest price.'),
    low: MaybeDecimal('Lowest price.'),
    last: MaybeDecimal('Price of the last trade.'),
    previousClose: MaybeDecimal('Last price before the 24 hours; empty when there was none.'),
    change: MaybeDecimal('last − open.'),
    changePercent: MaybeDecimal('The same in percent of open.'),
    vwap: MaybeDecimal('Average price by volume; empty without trades in the 24 hours.'),
    volume: Decimal('Traded volume, in the base currency.'),
    total: Decimal('Traded value, in the quote currency.'),
    tradeCount: Count('Number of trades.'),
    bidPrice: MaybeDecimal('Best bid; empty on an empty side.'),
    bidVolume: MaybeDecimal('Volume there.'),
    askPrice: MaybeDecimal('Best ask; empty on an empty side.'),
    askVolume: MaybeDecimal('Volume there.'),
  },
  { title: 'Ticker' },
);
export type Ticker = Static<typeof Ticker>;

export const LastPrice = Type.Object(
  {
    symbol: Type.String({ description: 'Market symbol.' }),
    price: MaybeDecimal('Price of the last trade; empty before the first.'),
    time: MaybeMillis('When it was made; empty before the first.'),
  },
  { title: 'LastPrice' },
);

export const BestPrice = Type.Object(
  {
    symbol: Type.String({ description: 'Market symbol.' }),
    bidPrice: MaybeDecimal('Best bid; empty on an empty side.'),
    bidVolume: MaybeDecimal('Volume there.'),
    askPrice: MaybeDecimal('Best ask; empty on an empty side.'),
    askVolume: MaybeDecimal('Volume there.'),
    updateId: Count('Update id of the book.'),
  },
  { title: 'BestPrice' },
);

/** Units of 10^-18; undefined where there was no trade. */
export interface DayStatistics {
  readonly open: bigint | undefined;
  readonly high: bigint | undefined;
  readonly low: bigint | undefined;
  readonly last: bigint | undefined;
  readonly previousClose: bigint | undefined;
  readonly volume: bigint;
  readonly total: bigint;
  readonly tradeCount: bigint;
}

export const toBest = (best: Best | undefined) => ({
  bidPrice: best?.bid?.price ?? '',
  bidVolume: best?.bid?.volume ?? '',
  askPrice: best?.ask?.price ?? '',
  askVolume: best?.ask?.volume ?? '',
});

export function toTicker(
  { symbol, quotePrecision, basePrecision }: MarketDefinition,
  day: DayStatistics,
  best: Best | undefined,
  { timeMs, openMs }: { readonly timeMs: number; readonly openMs: number },
): Ticker {
  const price = (units: bigint | undefined) =>
    units === undefined ? '' : formatAtLeast(units, quotePrecision);
  const { last, previousClose, volume, total } = day;
  // Without a trade in the 24 hours the price did not change.
  const open = day.open ?? previousClose;
  const change = open === undefined || last === undefined ? undefined : last - open;
  const percent =
    change === undefined || open === undefined
      ? ''
      : formatFixed(divideRounded(change * 100n, open, 2) / 10n ** BigInt(AMOUNT_DECIMALS - 2), 2);
  return {
    symbol,
    time: String(timeMs),
    openTime: String(openMs),
    open: price(open),
    high: price(day.high ?? previousClose),
    low: price(day.low ?? previousClose),
    last: price(last),
    previousClose: price(previousClose),
    change: price(change),
    changePercent: percent,
    vwap: volume === 0n ? '' : price(divideRounded(total, volume, quotePrecision)),
    volume: formatAtLeast(volume, basePrecision),
    total: formatAmount(total),
    tradeCount: String(day.tradeCount),
    ...toBest(best),
  };
}
