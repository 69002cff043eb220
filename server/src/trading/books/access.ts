import type { TradingContext } from '../context.ts';

/** Makes sure that the market's book is in memory; resolves at once if it is. */
export function ensureBook(ctx: TradingContext, symbol: string): void | Promise<void> {
  if (!ctx.books.has(symbol)) return ctx.loadBook(symbol);
}
