import { Type } from 'typebox';
import { formatAtLeast } from '../amount.ts';
import { ensureBook } from '../books/access.ts';
import { tradingRoute } from '../http/route.ts';
import { selectMarkets } from '../markets/access.ts';
import { MarketSymbol } from '../values.ts';
import { BestPrice, LastPrice, Ticker, toBest, toTicker } from './ticker.ts';

const params = Type.Object({ symbol: Type.Optional(MarketSymbol) });

export const getTickers = tradingRoute({
  name: 'publicTickers',
  method: 'GET',
  path: '/public/tickers',
  access: 'public',
  summary: 'The last 24 hours of every market, or of one.',
  params,
  returns: Type.Array(Ticker),
  errors: ['UNKNOWN_SYMBOL'],
  async handle(ctx, _caller, { symbol }) {
    const markets = await selectMarkets(ctx, symbol);
    const statistics = await ctx.statistics();
    return markets.map((market) =>
      toTicker(
        market,
        statistics.dayOf(market.symbol),
        ctx.books.findBest(market.symbol, market),
        statistics,
      ),
    );
  },
});

export const getLastPrices = tradingRoute({
  name: 'publicLastPrices',
  method: 'GET',
  path: '/public/last_prices',
  access: 'public',
  summary: 'The price of the last trade in every market, or in one.',
  params,
  returns: Type.Array(LastPrice),
  errors: ['UNKNOWN_SYMBOL'],
  async handle(ctx, _caller, { symbol }) {
    const markets = await selectMarkets(ctx, symbol);
    const statistics = await ctx.statistics();
    return markets.map((market) => {
      const { units, timeMs } = statistics.lastPriceOf(market);
      const isTraded = units > 0n;
      return {
        symbol: market.symbol,
        price: isTraded ? formatAtLeast(units, market.quotePrecision) : '',
        time: isTraded ? String(timeMs) : '',
      };
    });
  },
});

export const getBestPrices = tradingRoute({
  name: 'publicBestPrices',
  method: 'GET',
  path: '/public/best_prices',
  access: 'public',
  summary: 'The best bid and ask of every market, or of one.',
  params,
  returns: Type.Array(BestPrice),
  errors: ['UNKNOWN_SYMBOL'],
  async handle(ctx, _caller, { symbol }) {
    const markets = await selectMarkets(ctx, symbol);
    for (const market of markets) await ensureBook(ctx, market.symbol);
    return markets.map((market) => {
      const best = ctx.books.findBest(market.symbol, market);
      return { symbol: market.symbol, ...toBest(best), updateId: String(best?.updateId ?? 0) };
    });
  },
});
