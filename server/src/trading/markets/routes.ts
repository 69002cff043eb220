import { Type } from 'typebox';
import { tradingRoute } from '../http/route.ts';
import { MarketSymbol } from '../values.ts';
import { accessMarket } from './access.ts';
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
