// Which coins a market trades and with which decimals, for markets in any phase: an order of a
// delisted market still belongs to somebody.
import type { TradingContext } from '../context.ts';
import type { Precisions } from '../http/rejections.ts';
import { unknownMarket } from '../markets/access.ts';

export interface MarketCoins {
  readonly base: string;
  readonly quote: string;
}

export interface MarketPair extends Precisions, MarketCoins {
  readonly symbol: string;
}

export type MarketPairs = ReadonlyMap<string, MarketPair>;

/** The form of a symbol: two coins. Other texts are not worth asking the engine. */
const SYMBOL = /^[a-z0-9]{1,32}$/;

/** The pairs of these symbols, if they exist. */
export async function listPairs(
  ctx: TradingContext,
  symbols: Iterable<string>,
): Promise<MarketPairs> {
  const { bySymbol } = await ctx.markets();
  const found = new Map<string, MarketPair>();
  const unlisted = new Set<string>();
  for (const symbol of symbols) {
    const market = bySymbol.get(symbol);
    if (market !== undefined) found.set(symbol, market);
    else if (SYMBOL.test(symbol)) unlisted.add(symbol);
  }
  // Delisted, or newer than the cached list; the engine knows all.
  if (unlisted.size > 0) {
    const asked = Array.from(unlisted, (symbol) => ctx.engine.read('markets', { symbol }));
    for (const { config } of (await Promise.all(asked)).flat()) found.set(config.symbol, config);
  }
  return found;
}

export async function findPair(
  ctx: TradingContext,
  symbol: string,
): Promise<MarketPair | undefined> {
  return (await listPairs(ctx, [symbol])).get(symbol);
}

/** At once for a listed market whose definition is remembered, as almost always. */
export function getPair(ctx: TradingContext, symbol: string): MarketPair | Promise<MarketPair> {
  const list = ctx.markets();
  const listed = list instanceof Promise ? undefined : list.bySymbol.get(symbol);
  return listed ?? lookUpPair(ctx, symbol);
}

async function lookUpPair(ctx: TradingContext, symbol: string): Promise<MarketPair> {
  const pair = await findPair(ctx, symbol);
  if (pair !== undefined) return pair;
  throw unknownMarket(await ctx.markets(), symbol);
}
