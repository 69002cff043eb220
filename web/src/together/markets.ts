// The markets as conversations need them: their rules and figures of the day, asked once for all who show them.
import { Trading, type Coin, type MarketDetail, type Ticker } from '@rialto/sdk';
import { useEffect, useState } from 'react';
import { useAsked } from '../asked/use-asked.ts';
import { candlesOf, createPriceHistory } from './price-history.ts';

const trading = new Trading({ url: globalThis.location?.origin ?? 'http://here.invalid' });
const history = createPriceHistory(candlesOf(trading));

const FIGURES_AGAIN_MS = 15_000;

const askMarkets = async (): Promise<ReadonlyMap<string, MarketDetail>> =>
  new Map((await trading.public.markets()).map((one) => [one.symbol, one]));

/** Undefined until it is known, and for what is no market. */
export function useMarketOf(symbol: string): MarketDetail | undefined {
  const { asked } = useAsked('together:markets', askMarkets);
  return asked.state === 'known' ? asked.value.get(symbol) : undefined;
}

/** The figures of the day, asked again while somebody looks. */
export function useFigures(symbol: string): Ticker | undefined {
  const { asked, again } = useAsked(`together:ticker:${symbol}`, async () => {
    const tickers = await trading.public.tickers({ symbol });
    return tickers[0];
  });
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') again();
    }, FIGURES_AGAIN_MS);
    return () => clearInterval(timer);
  }, [again]);
  return asked.state === 'known' ? asked.value : undefined;
}

/** What the market cost then; undefined until it is known. */
export function usePriceAt(symbol: string, atMs: number): string | undefined {
  const [price, setPrice] = useState<string>();
  useEffect(() => {
    let isWanted = true;
    history.priceAt(symbol, atMs).then(
      (found) => {
        if (isWanted) setPrice(found);
      },
      // A message without its price is still a message.
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, [symbol, atMs]);
  return price;
}

/** For the palette: every market, with the names of its coin in both languages. */
export async function listMarkets(): Promise<
  readonly { readonly symbol: string; readonly pair: string; readonly words: readonly string[] }[]
> {
  const [markets, coins] = await Promise.all([
    trading.public.markets(),
    trading.public.coinsInfo().catch((): readonly Coin[] => []),
  ]);
  const coinOf = new Map(coins.map((coin) => [coin.symbol.toLowerCase(), coin]));
  return markets.map(({ symbol, base, quote }) => {
    const coin = coinOf.get(base.toLowerCase());
    return {
      symbol,
      pair: `${base.toUpperCase()}/${quote.toUpperCase()}`,
      words: [symbol, ...(coin === undefined ? [] : [coin.nameEn, coin.nameFa])],
    };
  });
}
