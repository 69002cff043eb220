// Streams of everybody: books, trades, prices and candles.
import {
  ChecksumError,
  type Dict,
  type Int,
  type OHLCV,
  type OrderBook,
  type Strings,
  type Ticker,
  type Tickers,
  type Trade,
} from 'ccxt';
import { WatchedBook, type SentDepth } from './book.ts';
import { RialtoConnection, type Client, type Sent } from './connection.ts';
import { RecentItems } from './recent.ts';

/** What the streams have brought so far, by channel. */
interface Watched {
  readonly books: Map<string, WatchedBook>;
  readonly trades: Map<string, RecentItems<Trade>>;
  readonly candles: Map<string, RecentItems<OHLCV>>;
}

const RECENT_MAX = 1000;

export abstract class RialtoMarketStreams extends RialtoConnection {
  declare watched: Watched;

  override afterConstruct(): void {
    super.afterConstruct();
    this.watched = { books: new Map(), trades: new Map(), candles: new Map() };
  }

  protected override take(client: Client, kind: string, channel: string, push: Sent): void {
    if (kind === 'depth') this.takeDepth(client, channel, push);
    else if (kind === 'trades') this.takeTrades(client, channel, push);
    else if (kind === 'candles') this.takeCandle(client, channel, push);
    else if (kind === 'best') this.takeBest(client, channel, push);
    else if (kind === 'ticker' || kind === 'tickers') this.takeTickers(client, channel, push);
  }

  /**
   * The book with every difference applied and its checksum verified. A book that does not fit throws ChecksumError; the
   * next call begins with a fresh snapshot.
   */
  override async watchOrderBook(
    symbol: string,
    limit?: Int,
    _params: Dict = {},
  ): Promise<OrderBook> {
    await this.loadMarkets();
    const channel = `depth:${this.market(symbol).id}`;
    await this.follow([channel]);
    const book = this.orderbooks[symbol] as unknown as OrderBook;
    if (limit === undefined) return book;
    return { ...book, bids: book.bids.slice(0, limit), asks: book.asks.slice(0, limit) };
  }

  private takeDepth(client: Client, channel: string, { type, time, data }: Sent): void {
    const depth = data as unknown as SentDepth & Dict;
    const { books } = this.watched;
    const known = type === 'snapshot' ? undefined : books.get(channel);
    if (type !== 'snapshot' && known === undefined) return;
    const book = known ?? new WatchedBook(depth);
    const isNext = known === undefined || known.apply(depth);
    const isChecked = this.handleOption('watchOrderBook', 'checksum', true) !== false;
    const symbol = this.symbolOf(channel);
    if (!isNext || (isChecked && book.checksum() !== depth.checksum)) {
      books.delete(channel);
      // Differences that are under way have no book to go to; the answer is of no interest.
      this.unfollow(channel).catch(() => {});
      client.reject(new ChecksumError(this.orderbookChecksumMessage(symbol)), channel);
      return;
    }
    books.set(channel, book);
    const { bids, asks, updateId } = book;
    const shown = { time, updateId, bids: bids.levels, asks: asks.levels };
    this.orderbooks[symbol] = this.toOrderBook(symbol, shown) as never;
    client.resolve(true, channel);
  }

  private symbolOf(channel: string): string {
    return this.safeMarket(channel.split(':')[1]).symbol;
  }

  override async watchTrades(
    symbol: string,
    since?: Int,
    limit?: Int,
    _params: Dict = {},
  ): Promise<Trade[]> {
    await this.loadMarkets();
    const channel = `trades:${this.market(symbol).id}`;
    await this.follow([channel]);
    const trades = this.read(this.watched.trades.get(channel));
    return this.filterBySinceLimit(trades, since, limit, 'timestamp', true) as Trade[];
  }

  private takeTrades(client: Client, channel: string, { data }: Sent): void {
    const market = this.safeMarket(channel.split(':')[1]);
    const recent = opened(this.watched.trades, channel);
    for (const sent of byNumber(data as Dict[])) {
      recent.add(sent['tradeId'], market.symbol, this.parseTrade(sent, market));
    }
    client.resolve(true, channel);
  }

  override async watchOHLCV(
    symbol: string,
    timeframe: string = '1m',
    since?: Int,
    limit?: Int,
    _params: Dict = {},
  ): Promise<OHLCV[]> {
    await this.loadMarkets();
    const channel = `candles:${this.market(symbol).id}:${timeframe}`;
    await this.follow([channel]);
    const candles = this.read(this.watched.candles.get(channel));
    return this.filterBySinceLimit(candles, since, limit, 0, true) as OHLCV[];
  }

  private takeCandle(client: Client, channel: string, { data }: Sent): void {
    const recent = opened(this.watched.candles, channel);
    for (const candle of [data ?? []].flat()) {
      recent.add(candle['time'], undefined, this.parseOHLCV(candle));
    }
    client.resolve(true, channel);
  }

  override async watchTicker(symbol: string, _params: Dict = {}): Promise<Ticker> {
    await this.loadMarkets();
    await this.follow([`ticker:${this.market(symbol).id}`]);
    return this.tickers[symbol] as Ticker;
  }

  /** Tickers that have changed; of every market if none is named. */
  override async watchTickers(symbols?: Strings, _params: Dict = {}): Promise<Tickers> {
    await this.loadMarkets();
    const named = symbols?.map((symbol) => this.market(symbol));
    await this.follow(named?.map(({ id }) => `ticker:${id}`) ?? ['tickers']);
    return this.filterByArray(
      this.tickers,
      'symbol',
      named?.map(({ symbol }) => symbol),
    );
  }

  private takeTickers(client: Client, channel: string, { data }: Sent): void {
    for (const sent of [data ?? []].flat()) {
      const ticker = this.parseTicker(sent);
      this.tickers[String(ticker.symbol)] = ticker;
    }
    client.resolve(true, channel);
  }

  override async watchBidsAsks(symbols?: Strings, _params: Dict = {}): Promise<Tickers> {
    await this.loadMarkets();
    const named = (symbols ?? this.symbols).map((symbol) => this.market(symbol));
    await this.follow(named.map(({ id }) => `best:${id}`));
    return this.filterByArray(
      this.bidsasks,
      'symbol',
      named.map(({ symbol }) => symbol),
    );
  }

  private takeBest(client: Client, channel: string, { data, time }: Sent): void {
    const best = this.parseTicker({ symbol: channel.split(':')[1], time, ...(data as Dict) });
    this.bidsasks[String(best.symbol)] = best;
    client.resolve(true, channel);
  }

  override async unWatchOrderBook(symbol: string, _params: Dict = {}): Promise<boolean> {
    return this.unfollow(`depth:${this.market(symbol).id}`);
  }

  override async unWatchTrades(symbol: string, _params: Dict = {}): Promise<boolean> {
    return this.unfollow(`trades:${this.market(symbol).id}`);
  }

  override async unWatchTicker(symbol: string, _params: Dict = {}): Promise<boolean> {
    return this.unfollow(`ticker:${this.market(symbol).id}`);
  }

  override async unWatchOHLCV(
    symbol: string,
    timeframe = '1m',
    _params: Dict = {},
  ): Promise<boolean> {
    return this.unfollow(`candles:${this.market(symbol).id}:${timeframe}`);
  }
}

/** Trades by their number, oldest first. */
const byNumber = (trades: readonly Dict[]): Dict[] =>
  trades.toSorted((a, b) => Number(BigInt(a['tradeId']) - BigInt(b['tradeId'])));

/** The items of a channel; empty at first. */
function opened<T>(all: Map<string, RecentItems<T>>, channel: string): RecentItems<T> {
  const known = all.get(channel) ?? new RecentItems<T>(RECENT_MAX);
  all.set(channel, known);
  return known;
}
