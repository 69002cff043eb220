import { Type } from 'typebox';
import { tradingRoute } from '../http/route.ts';
import { MarketSymbol } from '../values.ts';
import { getFeeTier } from '../fees/access.ts';
import { accessMarket, selectMarkets } from './access.ts';
import { MarketDetail, toMarketDetail } from './detail.ts';
import { Market, toMarket } from './market.ts';

export const getExchangeInfo = tradingRoute({
  name: 'publicExchangeInfo',
  method: 'GET',
  path: '/public/exchange_info',
  access: 'public',
  summary: 'The listed markets, by symbol; with `symbol`, a list of that one.',
  params: Type.Object({ symbol: Type.Optional(MarketSymbol) }),
  returns: Type.Array(Market),
  errors: ['UNKNOWN_SYMBOL'],
  handle: async (ctx, _caller, { symbol }) =>
    symbol === undefined
      ? (await ctx.markets()).rendered
      : [toMarket(await accessMarket(ctx, symbol))],
});

export const getMarkets = tradingRoute({
  name: 'publicMarkets',
  method: 'GET',
  path: '/public/markets',
  access: 'public',
  summary: 'The listed markets with their phase, steps, limits and rates.',
  params: Type.Object({ symbol: Type.Optional(MarketSymbol) }),
  returns: Type.Array(MarketDetail),
  errors: ['UNKNOWN_SYMBOL'],
  async handle(ctx, _caller, { symbol }) {
    const markets = await selectMarkets(ctx, symbol);
    const tier = await getFeeTier(ctx, 0);
    return markets.map((market) =>
      toMarketDetail(market, ctx.books.findBest(market.symbol, market), tier),
    );
  },
});
