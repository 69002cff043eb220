import { Type } from 'typebox';
import { tradingRoute } from '../http/route.ts';
import { CoinSymbol } from '../values.ts';
import { accessCoin } from './access.ts';
import { Coin } from './coin.ts';

export const getCoinsInfo = tradingRoute({
  name: 'publicCoinsInfo',
  method: 'GET',
  path: '/public/coins_info',
  access: 'public',
  summary: 'The coins and the networks they move on; with `symbol`, a list of that one.',
  params: Type.Object({ symbol: Type.Optional(CoinSymbol) }),
  returns: Type.Array(Coin),
  errors: ['UNKNOWN_COIN'],
  handle: async (ctx, _caller, { symbol }) =>
    symbol === undefined ? (await ctx.coins()).rendered : [await accessCoin(ctx, symbol, 'symbol')],
});
