// The channels of tickers: one market's, and all together. Both show the same windows of 24 hours.
import type { CandlesSince } from '../../candles/candle.ts';
import type { Books } from '../../books/replica.ts';
import type { MarketList } from '../../markets/market.ts';
import { toTicker, type Ticker } from '../../tickers/ticker.ts';
import { NO_TRADES } from '../../tickers/access.ts';
import { openOf } from '../../tickers/day.ts';
import { DayWindow } from './day-window.ts';
import { pushText, SharedTopic, type TopicOptions } from './shared-topic.ts';
import type { TapedStep } from './tape.ts';

/** The last 24 hours of those markets that somebody follows. */
export class DayWindows {
  readonly #windows = new Map<string, DayWindow>();
  readonly #books: Books;

  constructor(books: Books) {
    this.#books = books;
  }

  reset(symbol: string, minutes: CandlesSince, since: readonly TapedStep[]): void {
    this.#windows.set(symbol, new DayWindow(minutes));
    for (const step of since) this.onStep(symbol, step);
  }

  delete(symbol: string): void {
    this.#windows.delete(symbol);
  }

  onStep(symbol: string, { trades }: TapedStep): void {
    for (const trade of trades) {
      if (trade.symbol === symbol) this.#windows.get(symbol)?.take(trade);
    }
  }

  print(list: MarketList, symbol: string, nowMs: number): Ticker | undefined {
    const market = list.bySymbol.get(symbol);
    if (market === undefined) return undefined;
    const openMs = openOf(nowMs);
    const day = this.#windows.get(symbol)?.sum(openMs) ?? NO_TRADES;
    const best = this.#books.findBest(symbol, market);
    return toTicker(market, day, best, { timeMs: Math.floor(nowMs), openMs });
  }
}

export interface TickerTopicOptions extends TopicOptions {
  /** Undefined: all markets. */
  readonly symbol?: string;
  readonly windows: DayWindows;
  readonly list: MarketList;
}

/** `ticker:{symbol}` and `tickers`: every second, what changed. */
export class TickerTopic extends SharedTopic {
  readonly #symbol: string | undefined;
  readonly #windows: DayWindows;
  #list: MarketList;
  /** What was told last, by market; without the times, which change always. */
  readonly #told = new Map<string, string>();
  #tickers: Ticker[] = [];

  constructor(options: TickerTopicOptions) {
    super(options);
    this.#symbol = options.symbol;
    this.#windows = options.windows;
    this.#list = options.list;
  }

  get isOfAll(): boolean {
    return this.#symbol === undefined;
  }

  /** Every second. */
  onSecond(list: MarketList): void {
    this.#list = list;
    if (!this.isFollowed) return;
    const nowMs = this.clock.now();
    const changed = this.#look(nowMs);
    if (changed.length === 0) return;
    this.publish(pushText(this.name, 'update', nowMs, this.#print(changed)));
  }

  /** Remembers the tickers as they are now, and returns those that differ. */
  #look(nowMs: number): Ticker[] {
    const symbols = this.#symbol === undefined ? [...this.#list.bySymbol.keys()] : [this.#symbol];
    this.#tickers = symbols.flatMap(
      (symbol) => this.#windows.print(this.#list, symbol, nowMs) ?? [],
    );
    return this.#tickers.filter((ticker) => {
      const { time: _time, openTime: _openTime, ...content } = ticker;
      const text = JSON.stringify(content);
      if (this.#told.get(ticker.symbol) === text) return false;
      this.#told.set(ticker.symbol, text);
      return true;
    });
  }

  #print(tickers: readonly Ticker[]): string {
    return JSON.stringify(this.#symbol === undefined ? tickers : tickers[0]);
  }

  protected begin(): void {
    this.#told.clear();
    this.#look(this.clock.now());
  }

  protected printSnapshot(): string | undefined {
    // A market may have been delisted.
    if (this.#symbol !== undefined && this.#tickers.length === 0) return undefined;
    return pushText(this.name, 'snapshot', this.clock.now(), this.#print(this.#tickers));
  }
}
