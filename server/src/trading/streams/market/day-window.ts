// The last 24 hours of one market, minute by minute, kept by trades and by the clock. Pure.
import { MINUTE_MS } from '../../../platform/std/time.ts';
import type { CandlesSince, TradedInterval } from '../../candles/candle.ts';
import { addTrade } from '../../candles/trade.ts';
import type { DayStatistics } from '../../tickers/ticker.ts';
import type { TradeOnTape } from '../../trades/trade.ts';

export class DayWindow {
  /** Oldest first. */
  readonly #minutes: TradedInterval[];
  #previousClose: bigint | undefined;

  constructor({ previousClose, candles }: CandlesSince) {
    this.#previousClose = previousClose;
    this.#minutes = [...candles];
  }

  take(trade: TradeOnTape): void {
    const timeMs = Number(trade.timeMs);
    const startMs = timeMs - (timeMs % MINUTE_MS);
    const last = this.#minutes.at(-1);
    // Trades come in the order of their times.
    if (last !== undefined && last.startMs >= startMs) {
      this.#minutes[this.#minutes.length - 1] = addTrade(last, trade);
      return;
    }
    const { price } = trade;
    const empty = { startMs, open: price, high: price, low: price, close: price };
    this.#minutes.push(addTrade({ ...empty, volume: 0n, total: 0n, tradeCount: 0n }, trade));
  }

  /** The statistics from `openMs` on, which never goes back. */
  sum(openMs: number): DayStatistics {
    const minutes = this.#minutes;
    let gone = 0;
    while ((minutes[gone]?.startMs ?? Infinity) < openMs) gone += 1;
    if (gone > 0) this.#previousClose = minutes.splice(0, gone).at(-1)?.close;
    const first = minutes[0];
    const previousClose = this.#previousClose;
    let high = first?.high;
    let low = first?.low;
    let volume = 0n;
    let total = 0n;
    let tradeCount = 0n;
    for (const minute of minutes) {
      if (high === undefined || minute.high > high) high = minute.high;
      if (low === undefined || minute.low < low) low = minute.low;
      volume += minute.volume;
      total += minute.total;
      tradeCount += minute.tradeCount;
    }
    const last = minutes.at(-1)?.close ?? previousClose;
    return { open: first?.open, high, low, last, previousClose, volume, total, tradeCount };
  }
}
