import type { Db } from '../../platform/db/pool.ts';
import type { Refusal } from '../../platform/http/refusal.ts';
import type { TradingContext } from '../context.ts';
import { RenderedJson } from '../http/envelope.ts';
import { refuse } from '../http/errors.ts';
import { suggest } from '../http/suggest.ts';
import { remember } from '../remember.ts';
import { toMarket, type MarketDefinition, type MarketList } from './market.ts';
import { listMarkets } from './store.ts';

export { listMarkets, listMarketStates, type MarketState } from './store.ts';

/** How old a served definition may be. */
const DEFINITIONS_AGE_MS = 1000;

export function rememberMarkets(db: Db): () => MarketList | Promise<MarketList> {
  return remember(DEFINITIONS_AGE_MS, async () => {
    const markets = await listMarkets(db);
    return {
      bySymbol: new Map(markets.map((market) => [market.symbol, market])),
      rendered: new RenderedJson(JSON.stringify(markets.map(toMarket))),
    };
  });
}

/** The listed market with this symbol, which must be in lower case. */
export async function accessMarket(ctx: TradingContext, symbol: string): Promise<MarketDefinition> {
  return getMarket(await ctx.markets(), symbol);
}

export function getMarket(list: MarketList, symbol: string): MarketDefinition {
  const market = list.bySymbol.get(symbol);
  if (market !== undefined) return market;
  throw unknownMarket(list, symbol);
}

/** Names the listed market with the most similar symbol. */
export function unknownMarket(list: MarketList, symbol: string): Refusal {
  const { said, detail } = suggest(symbol, list.bySymbol.keys());
  return refuse('UNKNOWN_SYMBOL', `No market has the symbol '${symbol}'.${said}`, {
    parameter: 'symbol',
    value: symbol,
    ...detail,
  });
}

/** Every listed market, or the one that a caller named. */
export async function selectMarkets(
  ctx: TradingContext,
  symbol: string | undefined,
): Promise<MarketDefinition[]> {
  const list = await ctx.markets();
  return symbol === undefined ? [...list.bySymbol.values()] : [getMarket(list, symbol)];
}
