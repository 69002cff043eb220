import type { Db } from '../../platform/db/pool.ts';
import type { TradingContext } from '../context.ts';
import { RenderedJson } from '../http/envelope.ts';
import { refuse } from '../http/errors.ts';
import { suggest } from '../http/suggest.ts';
import { remember } from '../remember.ts';
import type { Coin, CoinList } from './coin.ts';
import { listCoins } from './store.ts';

/** How old a served definition may be. */
const DEFINITIONS_AGE_MS = 1000;

export function rememberCoins(db: Db): () => CoinList | Promise<CoinList> {
  return remember(DEFINITIONS_AGE_MS, async () => {
    const coins = await listCoins(db);
    return {
      bySymbol: new Map(coins.map((coin) => [coin.symbol, coin])),
      rendered: new RenderedJson(JSON.stringify(coins)),
    };
  });
}

export { pauseWithdrawals } from './store.ts';

/** Every coin as it is defined now. */
export const listCoinDefinitions = (db: Db): Promise<Coin[]> => listCoins(db);

/** The coin as it is defined now. */
export async function getCoin(db: Db, symbol: string): Promise<Coin> {
  const coins = await listCoins(db);
  const coin = coins.find((one) => one.symbol === symbol);
  if (coin === undefined) {
    const known = coins.map((one) => one.symbol);
    throw unknownCoin(symbol, 'symbol', known);
  }
  return coin;
}

function unknownCoin(symbol: string, parameter: 'symbol' | 'coin', known: Iterable<string>) {
  const { said, detail } = suggest(symbol, known);
  return refuse('UNKNOWN_COIN', `No coin has the symbol '${symbol}'.${said}`, {
    parameter,
    value: symbol,
    ...detail,
  });
}

/** The coin with this symbol, which must be in lower case; `parameter` is what the caller named it by. */
export async function accessCoin(
  ctx: TradingContext,
  symbol: string,
  parameter: 'symbol' | 'coin',
): Promise<Coin> {
  const { bySymbol } = await ctx.coins();
  const coin = bySymbol.get(symbol);
  if (coin !== undefined) return coin;
  throw unknownCoin(symbol, parameter, bySymbol.keys());
}
