// Which markets a page lists and in which order, by its address.
import { foldName, skeletonOf } from '../../platform/names/fold.ts';
import type { MarketOverview } from '../../trading/tickers/overview.ts';

export const SORTS = ['volume', 'change', 'price', 'name'] as const;
export type Sort = (typeof SORTS)[number];

export interface Choice {
  /** A part of a symbol or of a name in either language; empty for all. */
  readonly search: string;
  /** One quote coin; empty for all. */
  readonly quote: string;
  readonly sort: Sort;
}

const SEARCH_CHARACTERS_MAX = 60;
const QUOTE_CHARACTERS_MAX = 20;

/** What a page is asked for; anything that it does not know is left out. */
export function readChoice(query: unknown): Choice {
  const { q, quote, sort } = query as Readonly<Record<string, unknown>>;
  return {
    search: textOf(q).trim().slice(0, SEARCH_CHARACTERS_MAX),
    quote: textOf(quote).toLowerCase().slice(0, QUOTE_CHARACTERS_MAX),
    sort: SORTS.find((one) => one === sort) ?? 'volume',
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Signs between the coins of a pair, as people type them: BTC/USDT, btc-usdt, btc usdt. */
const SEPARATORS = /[\s/_-]+/g;

export function chooseMarkets(
  markets: readonly MarketOverview[],
  { search, quote, sort }: Choice,
): MarketOverview[] {
  // Arabic letters are typed for Persian ones, and names have half-spaces.
  const wanted = skeletonOf(search);
  const pair = foldName(search).replaceAll(SEPARATORS, '');
  const found = markets.filter((market) => {
    if (quote !== '' && market.quote !== quote) return false;
    if (wanted === '') return true;
    const names = [market.nameEn, market.nameFa].map(skeletonOf);
    return (
      (pair !== '' && market.symbol.includes(pair)) || names.some((name) => name.includes(wanted))
    );
  });
  return found.sort(
    (a, b) =>
      // What cannot be traded now comes last.
      Number(isTraded(b)) - Number(isTraded(a)) || compare[sort](a, b) || byName(a, b),
  );
}

const isTraded = ({ phase }: MarketOverview): boolean => phase === 'continuous';
const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
const byUnits = (a: bigint, b: bigint): number => (a < b ? -1 : Number(a > b));
const byName = (a: MarketOverview, b: MarketOverview): number => byText(a.symbol, b.symbol);
/** Amounts in different coins cannot be compared, so markets stay with those of the same quote coin. */
const byQuote = (a: MarketOverview, b: MarketOverview): number => byText(b.quote, a.quote);

const compare: Readonly<Record<Sort, (a: MarketOverview, b: MarketOverview) => number>> = {
  volume: (a, b) => byQuote(a, b) || byUnits(b.totalUnits, a.totalUnits),
  // Has two decimals and is only compared: no amount is computed from it.
  change: (a, b) => Number(b.changePercent) - Number(a.changePercent),
  price: (a, b) => byQuote(a, b) || byUnits(b.lastUnits, a.lastUnits),
  name: byName,
};

/** The quote coins of markets, each once, those of most markets first. */
export function quotesOf(markets: readonly MarketOverview[]): string[] {
  const counts = new Map<string, number>();
  for (const { quote } of markets) counts.set(quote, (counts.get(quote) ?? 0) + 1);
  return [...counts].sort(([a, n], [b, m]) => m - n || byText(a, b)).map(([quote]) => quote);
}
