import type { Db } from '../../platform/db/pool.ts';
import type { TradingContext } from '../context.ts';
import { listNetworks } from '../custody/watch/access.ts';
import { RenderedJson } from '../http/envelope.ts';
import { refuse } from '../http/errors.ts';
import { suggest } from '../http/suggest.ts';
import { remember } from '../remember.ts';
import type { Coin, CoinList, Network, NetworkStatus } from './coin.ts';
import { listCoins } from './store.ts';

/** How old a served definition may be. */
const DEFINITIONS_AGE_MS = 1000;

export function rememberCoins(db: Db): () => CoinList | Promise<CoinList> {
  return remember(DEFINITIONS_AGE_MS, async () => {
    const [defined, networks] = await Promise.all([listCoins(db), listNetworks(db)]);
    const paused = new Set(
      networks.filter(({ status }) => status === 'paused').map(({ network }) => network),
    );
    const coins = paused.size === 0 ? defined : defined.map((coin) => withPauses(coin, paused));
    return {
      bySymbol: new Map(coins.map((coin) => [coin.symbol, coin])),
      rendered: new RenderedJson(JSON.stringify(coins)),
    };
  });
}

export { pauseWithdrawals } from './store.ts';
/** What is active where a network is paused is shown as paused: nothing of it is credited or sent now. */
function withPauses(coin: Coin, paused: ReadonlySet<string>): Coin {
  const shown = (status: NetworkStatus): NetworkStatus => (status === 'active' ? 'paused' : status);
  const networks = Object.entries(coin.networks).map(([name, network]): [string, Network] => [
    name,
    paused.has(name)
      ? {
          ...network,
          depositStatus: shown(network.depositStatus),
          withdrawStatus: shown(network.withdrawStatus),
        }
      : network,
  ]);
  return { ...coin, networks: Object.fromEntries(networks) };
}

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
