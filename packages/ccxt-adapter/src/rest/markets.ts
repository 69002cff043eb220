// Markets, coins, books, prices and trades of everybody: what needs no key.
import type {
  Currencies,
  Currency,
  Dict,
  Int,
  LastPrice,
  LastPrices,
  Market,
  MarketInterface,
  OHLCV,
  OrderBook,
  Status,
  Str,
  Strings,
  Ticker,
  Tickers,
  Trade,
} from 'ccxt';
import { stepOf } from '../text.ts';
import { RialtoBase } from './base.ts';

/** A level of a book as the venue sends it. */
export interface SentLevel {
  readonly price: string;
  readonly volume: string;
}

export class RialtoMarkets extends RialtoBase {
  override async fetchTime(params: Dict = {}): Promise<number> {
    return Number(await this.ask<string>('GET', '/public/time', params));
  }

  override async fetchStatus(params: Dict = {}): Promise<Status> {
    const info = await this.ask('GET', '/public/status', params);
    return {
      // `degraded` says that history is late; orders are taken.
      status: info['status'] === 'unavailable' ? 'error' : 'ok',
      updated: this.safeInteger(info, 'updatedAt'),
      eta: this.safeInteger(info, 'eta'),
      url: undefined,
      info,
    };
  }

  override async fetchMarkets(params: Dict = {}): Promise<Market[]> {
    if (this.options['adjustForTimeDifference'] === true) await this.loadTimeDifference();
    return (await this.ask<Dict[]>('GET', '/public/markets', params)).map((market) =>
      this.parseMarket(market),
    );
  }

  override parseMarket(info: Dict): MarketInterface {
    const base = this.safeCurrencyCode(info['base']);
    const quote = this.safeCurrencyCode(info['quote']);
    const range = (minimum: Str, maximum: Str) => ({
      min: minimum === undefined ? undefined : this.safeNumber(info, minimum),
      max: maximum === undefined ? undefined : this.safeNumber(info, maximum),
    });
    return this.safeMarketStructure({
      id: info['symbol'],
      symbol: `${base}/${quote}`,
      base,
      quote,
      baseId: info['base'],
      quoteId: info['quote'],
      type: 'spot',
      spot: true,
      margin: false,
      active: info['isActive'],
      maker: this.safeNumber(info, 'makerFee'),
      taker: this.safeNumber(info, 'takerFee'),
      percentage: true,
      tierBased: true,
      feeSide: 'get',
      precision: {
        amount: this.safeNumber(info, 'volumeStep'),
        price: this.safeNumber(info, 'priceStep'),
        // Totals have the decimals of the ledger.
        cost: this.parseNumber(stepOf(18)),
      },
      limits: {
        leverage: { min: undefined, max: undefined },
        amount: range('minimumVolume', 'maximumVolume'),
        price: range('minimumPrice', 'maximumPrice'),
        cost: range('minimumQuoteSize', undefined),
        market: range(undefined, 'maxMarketOrderAsk'),
      },
      marginModes: { cross: false, isolated: false },
      created: this.safeInteger(info, 'createdAt'),
      info,
    }) as MarketInterface;
  }

  override async fetchCurrencies(params: Dict = {}): Promise<Currencies> {
    const coins = await this.ask<Dict[]>('GET', '/public/coins_info', params);
    return this.indexBy(
      coins.map((coin) => this.parseCurrency(coin)),
      'code',
    ) as Currencies;
  }

  override parseCurrency(info: Dict): NonNullable<Currency> {
    const sent = Object.values<Dict>(info['networks']);
    const decimals = sent.map((network) => Number(network['withdrawPrecision']));
    const normal = sent.find((network) => network['isDefault'] === true);
    // An internal unit of account is on no network: it trades, and cannot be moved.
    const precision = sent.length === 0 ? stepOf(18) : stepOf(Math.max(...decimals));
    const [deposit, withdraw] = ['depositStatus', 'withdrawStatus'].map((status) =>
      sent.some((network) => network[status] === 'active'),
    );
    const parsed = this.safeCurrencyStructure({
      id: info['symbol'],
      code: this.safeCurrencyCode(info['symbol']),
      name: info['nameEn'],
      type: sent.length === 0 ? 'other' : 'crypto',
      networks: Object.fromEntries(
        sent.map((network) => [network['NetworkSymbol'], this.parseNetwork(network)]),
      ),
      info,
    });
    // The library would take the cheapest network, and the coarsest.
    return this.extend(parsed, {
      active: deposit === true || withdraw === true,
      deposit,
      withdraw,
      fee: this.safeNumber(normal, 'withdrawFee'),
      precision: this.parseNumber(precision),
    });
  }

  private parseNetwork(info: Dict): Dict {
    const deposit = info['depositStatus'] === 'active';
    const withdraw = info['withdrawStatus'] === 'active';
    return {
      id: info['NetworkSymbol'],
      network: info['NetworkSymbol'],
      active: deposit || withdraw,
      deposit,
      withdraw,
      fee: this.safeNumber(info, 'withdrawFee'),
      precision: this.parseNumber(stepOf(Number(info['withdrawPrecision']))),
      limits: {
        deposit: { min: this.safeNumber(info, 'minimumDeposit'), max: undefined },
        withdraw: { min: this.safeNumber(info, 'minimumWithdraw'), max: undefined },
      },
      info,
    };
  }

  override async fetchDepositWithdrawFees(codes?: Strings, params: Dict = {}): Promise<Dict> {
    await this.loadMarkets();
    const coins = await this.ask<Dict[]>('GET', '/public/coins_info', params);
    return this.parseDepositWithdrawFees(coins, codes, 'symbol');
  }

  override parseDepositWithdrawFee(info: Dict): Dict {
    const fees = this.depositWithdrawFee(info);
    for (const network of Object.values<Dict>(info['networks'])) {
      const own = {
        deposit: { fee: this.safeNumber(network, 'depositFee'), percentage: false },
        withdraw: { fee: this.safeNumber(network, 'withdrawFee'), percentage: false },
      };
      fees.networks[network['NetworkSymbol']] = own;
      if (network['isDefault'] === true) Object.assign(fees, own);
    }
    return fees;
  }

  override async fetchOrderBook(
    symbol: string,
    limit?: Int,
    params: Dict = {},
  ): Promise<OrderBook> {
    await this.loadMarkets();
    const { id } = this.market(symbol);
    const depth = await this.ask('GET', '/public/depth', { symbol: id, limit, ...params });
    return this.toOrderBook(symbol, depth);
  }

  /** Sides are sent in order; the library would sort text by its letters. */
  protected toOrderBook(symbol: string, depth: Dict): OrderBook {
    const timestamp = this.safeInteger(depth, 'time');
    return {
      symbol,
      bids: this.toLevels(depth['bids']),
      asks: this.toLevels(depth['asks']),
      timestamp,
      datetime: this.iso8601(timestamp),
      nonce: this.safeInteger(depth, 'updateId'),
    } as OrderBook;
  }

  protected toLevels(levels: readonly SentLevel[]): [number, number][] {
    return levels.map(({ price, volume }) => [this.parseNumber(price), this.parseNumber(volume)]);
  }

  override async fetchTicker(symbol: string, params: Dict = {}): Promise<Ticker> {
    await this.loadMarkets();
    const market = this.market(symbol);
    const [ticker = {}] = await this.ask<Dict[]>('GET', '/public/tickers', {
      symbol: market.id,
      ...params,
    });
    return this.parseTicker(ticker, market);
  }

  override async fetchTickers(symbols?: Strings, params: Dict = {}): Promise<Tickers> {
    await this.loadMarkets();
    return this.parseTickers(await this.ask<Dict[]>('GET', '/public/tickers', params), symbols);
  }

  /** Of a ticker, or of the best prices alone. */
  override parseTicker(info: Dict, market?: Market): Ticker {
    const timestamp = this.safeInteger(info, 'time');
    const known = this.safeMarket(info['symbol'], market);
    return this.safeTicker(
      {
        symbol: known.symbol,
        timestamp,
        datetime: this.iso8601(timestamp),
        high: this.safeString(info, 'high'),
        low: this.safeString(info, 'low'),
        bid: this.safeString(info, 'bidPrice'),
        bidVolume: this.safeString(info, 'bidVolume'),
        ask: this.safeString(info, 'askPrice'),
        askVolume: this.safeString(info, 'askVolume'),
        vwap: this.safeString(info, 'vwap'),
        open: this.safeString(info, 'open'),
        close: this.safeString(info, 'last'),
        last: this.safeString(info, 'last'),
        previousClose: this.safeString(info, 'previousClose'),
        change: this.safeString(info, 'change'),
        percentage: this.safeString(info, 'changePercent'),
        average: undefined,
        baseVolume: this.safeString(info, 'volume'),
        quoteVolume: this.safeString(info, 'total'),
        info,
      },
      known,
    );
  }

  override async fetchBidsAsks(symbols?: Strings, params: Dict = {}): Promise<Tickers> {
    await this.loadMarkets();
    return this.parseTickers(await this.ask<Dict[]>('GET', '/public/best_prices', params), symbols);
  }

  override async fetchLastPrices(symbols?: Strings, params: Dict = {}): Promise<LastPrices> {
    await this.loadMarkets();
    const prices = await this.ask<Dict[]>('GET', '/public/last_prices', params);
    return this.parseLastPrices(prices, symbols);
  }

  override parseLastPrice(info: Dict, market?: Market): LastPrice {
    const timestamp = this.safeInteger(info, 'time');
    return {
      symbol: this.safeMarket(info['symbol'], market).symbol,
      timestamp,
      datetime: this.iso8601(timestamp),
      price: this.safeNumber(info, 'price'),
      side: undefined,
      info,
    };
  }

  override async fetchTrades(
    symbol: string,
    since?: Int,
    limit?: Int,
    { until, ...params }: Dict = {},
  ): Promise<Trade[]> {
    await this.loadMarkets();
    const market = this.market(symbol);
    const trades = await this.ask<Dict[]>('GET', '/public/last_trades', {
      symbol: market.id,
      from: since,
      to: until === undefined ? undefined : until + 1,
      limit,
      ...params,
    });
    // Newest first, unless a beginning was given.
    const isForward = since !== undefined || params['fromId'] !== undefined;
    return this.parseTrades(isForward ? trades : trades.toReversed(), market);
  }

  /** Keeps the venue's order, which is by number; the library would sort numbers of trades as text. */
  override parseTrades(trades: Dict[], market?: Market): Trade[] {
    return trades.map((trade) => this.parseTrade(trade, market));
  }

  /** A trade of everybody, or of the own account. */
  override parseTrade(info: Dict, market?: Market): Trade {
    const timestamp = this.safeInteger(info, 'time');
    const known = this.safeMarket(this.safeString(info, 'symbol'), market);
    const isMaker: boolean | undefined = info['isMaker'];
    return this.safeTrade(
      {
        id: info['tradeId'],
        order: this.safeString(info, 'orderId'),
        timestamp,
        datetime: this.iso8601(timestamp),
        symbol: known.symbol,
        type: info['orderType'] === undefined ? undefined : toResultKind(info['orderType'], ''),
        side: info['side'] ?? info['takerSide'],
        takerOrMaker: isMaker === true ? 'maker' : 'taker',
        price: info['price'],
        amount: info['volume'],
        cost: info['total'],
        fee:
          info['fee'] === undefined
            ? undefined
            : {
                cost: info['fee'],
                currency: this.safeCurrencyCode(info['feeCurrency']),
                rate: this.safeString(info, 'feeRate'),
              },
        info,
      },
      known,
    );
  }

  override async fetchOHLCV(
    symbol: string,
    timeframe: string = '1m',
    since?: Int,
    limit?: Int,
    { until, ...params }: Dict = {},
  ): Promise<OHLCV[]> {
    await this.loadMarkets();
    const market = this.market(symbol);
    const candles = await this.ask<Dict[]>('GET', '/public/candlesticks', {
      symbol: market.id,
      resolution: this.safeString(this.timeframes, timeframe, timeframe),
      from: since,
      to: until === undefined ? undefined : until + 1,
      limit,
      ...params,
    });
    return candles.map((candle) => this.parseOHLCV(candle));
  }

  override parseOHLCV(candle: Dict): OHLCV {
    return [
      this.safeInteger(candle, 'time'),
      this.safeNumber(candle, 'open'),
      this.safeNumber(candle, 'high'),
      this.safeNumber(candle, 'low'),
      this.safeNumber(candle, 'close'),
      this.safeNumber(candle, 'volume'),
    ];
  }
}

/** `limit` or `market`: what an order of this type is once it works. */
export function toResultKind(type: string, price: string): 'limit' | 'market' {
  if (type === 'trailing_stop') return price === '' ? 'market' : 'limit';
  return type.includes('limit') ? 'limit' : 'market';
}
