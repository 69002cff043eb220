import { Type } from 'typebox';
import { RenderedJson } from '../http/envelope.ts';
import { tradingRoute } from '../http/route.ts';
import { accessMarket } from '../markets/access.ts';
import { MarketSymbol } from '../values.ts';
import { ensureBook } from './access.ts';
import { Depth, OrderBook } from './book.ts';
import { DEPTH_MAX } from './replica.ts';

/** A reader of `orderbook` gets all levels; a follower of `depth` asks often, and for fewer. */
const BOOK_DEFAULT = DEPTH_MAX;
const DEPTH_DEFAULT = 100;

const bookParams = (levels: number) =>
  Type.Object({
    symbol: MarketSymbol,
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: DEPTH_MAX,
        description: `Levels per side; ${levels} when absent.`,
        examples: ['50'],
      }),
    ),
  });

export const getOrderBook = tradingRoute({
  name: 'publicOrderbook',
  method: 'GET',
  path: '/public/orderbook',
  access: 'public',
  summary: `The price levels of a market, best first; all of them, up to ${DEPTH_MAX} on each side.`,
  params: bookParams(BOOK_DEFAULT),
  returns: OrderBook,
  errors: ['UNKNOWN_SYMBOL'],
  async handle(ctx, _caller, { symbol, limit = BOOK_DEFAULT }) {
    const market = await accessMarket(ctx, symbol);
    await ensureBook(ctx, market.symbol);
    const book = ctx.books.printJson(market.symbol, market, limit);
    return new RenderedJson(`{"symbol":"${market.symbol}","orderbook":${book}}`);
  },
});

export const getDepth = tradingRoute({
  name: 'publicDepth',
  method: 'GET',
  path: '/public/depth',
  access: 'public',
  summary: 'The same book with what is needed to follow it: its update id and a checksum.',
  params: bookParams(DEPTH_DEFAULT),
  returns: Depth,
  errors: ['UNKNOWN_SYMBOL'],
  async handle(ctx, _caller, { symbol, limit = DEPTH_DEFAULT }) {
    const market = await accessMarket(ctx, symbol);
    await ensureBook(ctx, market.symbol);
    return new RenderedJson(ctx.books.printDepth(market.symbol, market, limit));
  },
});
