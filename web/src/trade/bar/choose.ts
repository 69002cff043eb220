// Which markets the picker lists, and in which order. Pure.
import type { Coin, MarketDetail } from '@rialto/sdk';
import { fold } from '../../i18n/fold.ts';

export interface MarketRow {
  readonly market: MarketDetail;
  readonly coin: Coin | undefined;
  readonly isStarred: boolean;
}

/** Signs between the coins of a pair, as people type them: BTC/USDT, btc-usdt, btc usdt. */
const SEPARATORS = /[\s/_-]+/gu;

/** Favourites first, then by symbol. `typed` is a part of a symbol, or of a name in either language. */
export function chooseRows(
  markets: Iterable<MarketDetail>,
  coins: ReadonlyMap<string, Coin>,
  stars: ReadonlySet<string>,
  typed: string,
): readonly MarketRow[] {
  const sought = fold(typed);
  const pair = sought.replace(SEPARATORS, '');
  return [...markets]
    .map((market) => ({
      market,
      coin: coins.get(market.base),
      isStarred: stars.has(market.symbol),
    }))
    .filter(
      ({ market, coin }) =>
        sought === '' ||
        (pair !== '' && market.symbol.includes(pair)) ||
        [coin?.nameEn, coin?.nameFa].some(
          (name) => name !== undefined && fold(name).includes(sought),
        ),
    )
    .sort(
      (a, b) =>
        Number(b.isStarred) - Number(a.isStarred) ||
        (a.market.symbol < b.market.symbol ? -1 : Number(a.market.symbol > b.market.symbol)),
    );
}
