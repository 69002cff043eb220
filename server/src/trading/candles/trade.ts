// How a trade changes the candle of its interval. Pure.
import type { TradeOnTape } from '../trades/trade.ts';
import type { TradedInterval } from './candle.ts';

export const firstTrade = (
  startMs: number,
  { price, volume, total }: TradeOnTape,
): TradedInterval => ({
  startMs,
  open: price,
  high: price,
  low: price,
  close: price,
  volume,
  total,
  tradeCount: 1n,
});

/** The interval with one more trade, which comes after its others. */
export function addTrade(interval: TradedInterval, trade: TradeOnTape): TradedInterval {
  const { startMs, high, low, volume, total, tradeCount } = interval;
  if (tradeCount === 0n) return firstTrade(startMs, trade);
  const { price } = trade;
  return {
    startMs,
    open: interval.open,
    high: price > high ? price : high,
    low: price < low ? price : low,
    close: price,
    volume: volume + trade.volume,
    total: total + trade.total,
    tradeCount: tradeCount + 1n,
  };
}
