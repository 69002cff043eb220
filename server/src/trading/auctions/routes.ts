import { Type } from 'typebox';
import { ensureBook } from '../books/access.ts';
import { tradingRoute } from '../http/route.ts';
import { accessMarket } from '../markets/access.ts';
import { referenceOf } from '../markets/market.ts';
import { MarketSymbol } from '../values.ts';
import { Auction, toAuction } from './auction.ts';

export const getAuction = tradingRoute({
  name: 'publicAuction',
  method: 'GET',
  path: '/public/auction',
  access: 'public',
  summary: 'What the auction of a market would trade if it ended now, by the visible book.',
  params: Type.Object({ symbol: MarketSymbol }),
  returns: Auction,
  errors: ['UNKNOWN_SYMBOL'],
  async handle(ctx, _caller, { symbol }) {
    const market = await accessMarket(ctx, symbol);
    await ensureBook(ctx, market.symbol);
    // Only a market in an auction has a crossed book that is to be uncrossed.
    return toAuction(market, ctx.books.findIndication(market.symbol, market, referenceOf(market)));
  },
});
