// The channels that live from the tape: trades, candles, tickers and the state of the venue.
import { findCloseBefore, listKept, listTraded } from '../../candles/access.ts';
import { shift, startOf, type Resolution } from '../../candles/resolution.ts';
import type { TradingContext } from '../../context.ts';
import { accessMarket, listMarkets } from '../../markets/access.ts';
import type { MarketList } from '../../markets/market.ts';
import { historyIn } from '../../projections/access.ts';
import { listTape } from '../../trades/access.ts';
import { CandleTopic } from './candle-topic.ts';
import { openOf } from '../../tickers/day.ts';
import type { SharedTopic, TopicOptions } from './shared-topic.ts';
import { StatusTopic } from './status-topic.ts';
import type { Tape } from './tape.ts';
import { DayWindows, TickerTopic } from './ticker-topics.ts';
import { TradeTopic, TRADES_SHOWN } from './trade-topic.ts';

export interface TapeTopics {
  openTrades(symbol: string): Promise<TradeTopic>;
  openCandles(symbol: string, resolution: Resolution): Promise<CandleTopic>;
  openTicker(symbol: string | undefined): Promise<TickerTopic>;
  openStatus(): Promise<StatusTopic>;
  onSecond(list: MarketList): Promise<void>;
  giveUp(topic: SharedTopic): void;
}

export function createTapeTopics(
  ctx: TradingContext,
  tape: Tape,
  about: (name: string, pattern: string) => TopicOptions,
): TapeTopics {
  const { clock } = ctx;
  const windows = new DayWindows(ctx.books);
  const candles = new Set<CandleTopic>();
  const tickers = new Set<TickerTopic>();
  let status: StatusTopic | undefined;
  /** How to stop telling a topic. */
  const leave = new Map<SharedTopic, () => void>();
  /** The markets whose last 24 hours are followed, and how to stop that. */
  const followedDays = new Map<string, Promise<() => void>>();

  /** Makes sure that the last 24 hours of a market are kept up. */
  async function followDay(symbol: string): Promise<void> {
    const known = followedDays.get(symbol);
    if (known !== undefined) return void (await known);
    const following = tape.follow({
      read: (db) => listKept(db, symbol, 1, openOf(clock.now())),
      reset: (minutes, since) => windows.reset(symbol, minutes, since),
      onStep: (step) => windows.onStep(symbol, step),
    });
    followedDays.set(symbol, following);
    following.catch(() => followedDays.delete(symbol));
    await following;
  }

  async function forgetDays(): Promise<void> {
    for (const [symbol, following] of followedDays) {
      followedDays.delete(symbol);
      (await following)();
      windows.delete(symbol);
    }
  }

  return {
    async openTrades(symbol) {
      const market = await accessMarket(ctx, symbol);
      const topic = new TradeTopic({ ...about(`trades:${symbol}`, 'trades:{symbol}'), symbol });
      const unfollow = await tape.follow({
        read: (db) => listTape(historyIn(ctx, db), { symbol, limit: TRADES_SHOWN, sort: 'desc' }),
        reset: (trades, since) => topic.reset(trades, market, since, clock.now()),
        onStep: (step) => topic.onStep(step),
      });
      leave.set(topic, unfollow);
      return topic;
    },
    async openCandles(symbol, resolution) {
      const precision = await accessMarket(ctx, symbol);
      const named = about(`candles:${symbol}:${resolution}`, 'candles:{symbol}:{resolution}');
      const topic = new CandleTopic({ ...named, symbol, resolution, precision });
      const unfollow = await tape.follow({
        async read(db) {
          const nowMs = clock.now();
          const firstMs = startOf(resolution, Math.floor(nowMs));
          // The engine's clock may be a little ahead of ours.
          const span = { firstMs, lastMs: shift(resolution, firstMs, 1) };
          const traded = await listTraded(db, symbol, resolution, span);
          const close = await findCloseBefore(db, symbol, resolution, firstMs);
          return { current: traded.at(-1), close, nowMs };
        },
        reset: ({ current, close, nowMs }, since) => topic.reset(current, close, nowMs, since),
        onStep: (step) => topic.onStep(step),
      });
      leave.set(topic, unfollow);
      candles.add(topic);
      return topic;
    },
    async openTicker(symbol) {
      const list = await ctx.markets();
      if (symbol !== undefined) await accessMarket(ctx, symbol);
      const symbols = symbol === undefined ? list.bySymbol.keys() : [symbol];
      for (const each of symbols) await followDay(each);
      const topic = new TickerTopic(
        symbol === undefined
          ? { ...about('tickers', 'tickers'), windows, list }
          : { ...about(`ticker:${symbol}`, 'ticker:{symbol}'), symbol, windows, list },
      );
      tickers.add(topic);
      return topic;
    },
    async openStatus() {
      const topic = new StatusTopic(about('status', 'status'));
      topic.onSecond(await ctx.status(), await ctx.coins(), await ctx.markets());
      const unfollow = await tape.follow({
        read: listMarkets,
        reset: (markets, since) => topic.reset(markets, since),
        onStep: (step) => topic.onStep(step),
      });
      leave.set(topic, unfollow);
      status = topic;
      return topic;
    },
    async onSecond(list) {
      for (const topic of candles) {
        topic.precision = list.bySymbol.get(topic.symbol) ?? topic.precision;
        topic.onSecond();
      }
      for (const topic of tickers) topic.onSecond(list);
      status?.onSecond(await ctx.status(), await ctx.coins(), list);
      // Markets that were listed since.
      const hasAll = [...tickers].some(({ isOfAll }) => isOfAll);
      if (hasAll) for (const symbol of list.bySymbol.keys()) await followDay(symbol);
    },
    giveUp(topic) {
      leave.get(topic)?.();
      leave.delete(topic);
      candles.delete(topic as CandleTopic);
      if (topic === status) status = undefined;
      if (tickers.delete(topic as TickerTopic) && tickers.size === 0) void forgetDays();
    },
  };
}
