import { Type } from 'typebox';
import { Rendered } from '../http/envelope.ts';
import { tradingRoute } from '../http/route.ts';
import { accessMarket } from '../markets/access.ts';
import { MarketSymbol } from '../values.ts';
import { OrderBook } from './book.ts';

const DEPTH_DEFAULT = 100;

export const getOrderBook = tradingRoute({
  name: 'publicOrderbook',
  method: 'GET',
  path: '/public/orderbook',
  access: 'public',
  summary: 'The price levels of a market, best first.',
  params: Type.Object({
    symbol: MarketSymbol,
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        description: `Levels per side; ${DEPTH_DEFAULT} when absent.`,
      }),
    ),
  }),
  returns: OrderBook,
  errors: ['UNKNOWN_SYMBOL'],
  async handle(ctx, _caller, { symbol, limit = DEPTH_DEFAULT }) {
    const market = await accessMarket(ctx, symbol);
    const book = ctx.books.printJson(market.symbol, limit);
    return new Rendered(`{"symbol":"${market.symbol}","orderbook":${book}}`);
  },
});
