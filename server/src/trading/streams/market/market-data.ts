// The public channels of one process: finds their topics, and tells them what happens. One reader of the log and two
// timers serve all of them, however many follow.
import { rarely } from '../../../platform/observe/rarely.ts';
import { ensureBook } from '../../books/access.ts';
import type { BookFeed } from '../../books/feed.ts';
import type { Resolution } from '../../candles/resolution.ts';
import type { TradingContext } from '../../context.ts';
import { accessMarket } from '../../markets/access.ts';
import { AuctionTopic } from './auction-topic.ts';
import { BestTopic, DepthTopic, TopTopic, type BookTopic } from './book-topics.ts';
import type { SharedTopic } from './shared-topic.ts';
import { createTape } from './tape.ts';
import { createTapeTopics } from './tape-topics.ts';

/** The pace of the channels of books. */
const TICK_MS = 100;
const SECOND_MS = 1000;
/** A topic that nobody followed between two looks is given up. */
const RETIRE_MS = 60_000;
const COMPLAIN_EVERY_MS = 5000;

export const TOPS = ['5', '10', '20'] as const;
export type BookKind = 'depth' | 'depth_fast' | 'best' | (typeof TOPS)[number];

export interface MarketData {
  book(symbol: string, kind: BookKind): Promise<SharedTopic>;
  trades(symbol: string): Promise<SharedTopic>;
  candles(symbol: string, resolution: Resolution): Promise<SharedTopic>;
  /** Of one market, or of all. */
  ticker(symbol: string | undefined): Promise<SharedTopic>;
  status(): Promise<SharedTopic>;
  auction(symbol: string): Promise<SharedTopic>;
  stop(): void;
}

export function createMarketData(ctx: TradingContext, feed: BookFeed): MarketData {
  const { books, clock, log, metrics } = ctx;
  const complain = rarely(COMPLAIN_EVERY_MS);
  /** By name; also those that are being opened, so that each is opened once. */
  const topics = new Map<string, Promise<SharedTopic>>();
  const bySymbol = new Map<string, Set<BookTopic>>();
  const auctions = new Set<AuctionTopic>();
  const tape = createTape(ctx);
  const about = (name: string, pattern: string) => ({ name, pattern, metrics, clock });
  const ofTape = createTapeTopics(ctx, tape, about);

  function find(name: string, open: () => Promise<SharedTopic>): Promise<SharedTopic> {
    const known = topics.get(name);
    if (known !== undefined) return known;
    const opening = open();
    topics.set(name, opening);
    opening.catch(() => topics.delete(name));
    return opening;
  }

  async function openBook(symbol: string, kind: BookKind): Promise<BookTopic> {
    const market = await accessMarket(ctx, symbol);
    await ensureBook(ctx, symbol);
    const shared = { symbol, precision: market, books, isLoading: () => feed.isLoading(symbol) };
    const topic =
      kind === 'best'
        ? new BestTopic({ ...shared, ...about(`best:${symbol}`, 'best:{symbol}') })
        : kind === 'depth' || kind === 'depth_fast'
          ? new DepthTopic({
              ...shared,
              ...about(`${kind}:${symbol}`, `${kind}:{symbol}`),
              isFast: kind === 'depth_fast',
            })
          : new TopTopic({
              ...shared,
              ...about(`book:${symbol}:${kind}`, 'book:{symbol}:{levels}'),
              levels: Number(kind),
            });
    const own = bySymbol.get(symbol) ?? new Set();
    bySymbol.set(symbol, own.add(topic));
    return topic;
  }

  async function openAuction(symbol: string): Promise<AuctionTopic> {
    const market = await accessMarket(ctx, symbol);
    await ensureBook(ctx, symbol);
    const named = about(`auction:${symbol}`, 'auction:{symbol}');
    const topic = new AuctionTopic({ ...named, market, books });
    auctions.add(topic);
    return topic;
  }

  feed.follow({
    onChange(change) {
      for (const topic of bySymbol.get(change.symbol) ?? []) topic.onChange(change);
    },
    onReset(symbol) {
      for (const topic of bySymbol.get(symbol) ?? []) topic.onReset();
    },
    onBatch: (batch) => tape.take(batch),
    onLost: () => tape.restart(),
  });

  function onTick(): void {
    for (const own of bySymbol.values()) for (const topic of own) topic.onTick();
  }

  async function onSecond(): Promise<void> {
    if (topics.size === 0) return;
    const list = await ctx.markets();
    for (const [symbol, own] of bySymbol) {
      const market = list.bySymbol.get(symbol);
      if (market !== undefined) for (const topic of own) topic.precision = market;
    }
    for (const topic of auctions) topic.onSecond(list);
    await ofTape.onSecond(list);
  }

  /** Gives up what nobody followed. */
  async function retire(): Promise<void> {
    for (const [name, opening] of topics) {
      const topic = await opening.catch(() => undefined);
      if (topic?.retire() !== true) continue;
      topics.delete(name);
      for (const own of bySymbol.values()) own.delete(topic as BookTopic);
      auctions.delete(topic as AuctionTopic);
      ofTape.giveUp(topic);
    }
  }

  const guarded = (work: () => Promise<void>) => () =>
    void work().catch((error: unknown) =>
      complain((keptBack) =>
        log.warn({ err: error, keptBack }, 'The streams of market data could not be kept up.'),
      ),
    );
  let isInSecond = false;
  const timers = [
    setInterval(onTick, TICK_MS),
    setInterval(
      guarded(async () => {
        // A slow database must not pile these up.
        if (isInSecond) return;
        isInSecond = true;
        await onSecond().finally(() => (isInSecond = false));
      }),
      SECOND_MS,
    ),
    setInterval(guarded(retire), RETIRE_MS),
  ];
  for (const timer of timers) timer.unref();

  return {
    book: (symbol, kind) => find(`${kind}:${symbol}`, () => openBook(symbol, kind)),
    trades: (symbol) => find(`trades:${symbol}`, () => ofTape.openTrades(symbol)),
    candles: (symbol, resolution) =>
      find(`candles:${symbol}:${resolution}`, () => ofTape.openCandles(symbol, resolution)),
    ticker: (symbol) => find(`ticker:${symbol ?? ''}`, () => ofTape.openTicker(symbol)),
    status: () => find('status', () => ofTape.openStatus()),
    auction: (symbol) => find(`auction:${symbol}`, () => openAuction(symbol)),
    stop() {
      for (const timer of timers) clearInterval(timer);
      tape.stop();
    },
  };
}
