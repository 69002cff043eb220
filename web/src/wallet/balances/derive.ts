// The rows of the balances. Pure.
import { decimal, type Balance } from '@rialto/sdk';
import { fold } from '../../i18n/fold.ts';
import { cut, decimalsOf, priceOf, type Pair, type Price } from './value.ts';

export interface CoinName {
  readonly nameEn: string;
  readonly nameFa: string;
}

export interface BalanceRow {
  readonly balance: Balance;
  readonly name: CoinName | undefined;
  /** Undefined where no market prices the coin. */
  readonly worth: { readonly value: string; readonly price: Price } | undefined;
}

/** An event that is newer than the answer replaces its line; an older one does not. */
export function withNews(
  balances: readonly Balance[],
  accountId: string,
  news: ReadonlyMap<string, Balance>,
): readonly Balance[] {
  return balances.map((one) => {
    const told = news.get(`${accountId}:${one.coin}`);
    return told !== undefined && timeOf(told) > timeOf(one) ? told : one;
  });
}

const timeOf = ({ updatedAt }: Balance): bigint => (updatedAt === '' ? 0n : BigInt(updatedAt));

export interface Wanted {
  readonly search: string;
  readonly hidesZero: boolean;
  readonly quote: string;
  readonly quoteDecimals: number;
}

/** Every coin with what it is worth, the dearest first. */
export function rowsOf(
  balances: readonly Balance[],
  names: ReadonlyMap<string, CoinName>,
  pairs: readonly Pair[],
  { quote, quoteDecimals }: Pick<Wanted, 'quote' | 'quoteDecimals'>,
): readonly BalanceRow[] {
  return balances
    .map((balance): BalanceRow => {
      const price = priceOf(balance.coin, quote, pairs);
      return {
        balance,
        name: names.get(balance.coin),
        worth: price && {
          value: cut(decimal.multiply(balance.total, price.price), quoteDecimals),
          price,
        },
      };
    })
    .sort(
      (a, b) =>
        decimal.compare(b.worth?.value ?? '-1', a.worth?.value ?? '-1') ||
        decimal.compare(b.balance.total, a.balance.total) ||
        a.balance.coin.localeCompare(b.balance.coin),
    );
}

export function filterRows(
  rows: readonly BalanceRow[],
  { search, hidesZero }: Pick<Wanted, 'search' | 'hidesZero'>,
): readonly BalanceRow[] {
  const sought = fold(search);
  return rows.filter(
    ({ balance, name }) =>
      !(hidesZero && decimal.isZero(balance.total)) &&
      [balance.coin, name?.nameEn ?? '', name?.nameFa ?? ''].some((text) =>
        fold(text).includes(sought),
      ),
  );
}

export interface Worth {
  readonly value: string;
  /** Coins that are there but have no price, so they are not in it. */
  readonly unpriced: readonly string[];
}

export function worthOf(rows: readonly BalanceRow[]): Worth {
  return {
    value: decimal.sum(rows.map(({ worth }) => worth?.value ?? '0')),
    unpriced: rows
      .filter(({ worth, balance }) => worth === undefined && !decimal.isZero(balance.total))
      .map(({ balance }) => balance.coin),
  };
}

type Column = 'available' | 'hold' | 'total';

/** So many decimals has the finest amount of a column: all are filled up to it, so that the points are below each other. */
export const columnDecimals = (rows: readonly BalanceRow[], column: Column): number =>
  Math.max(0, ...rows.map(({ balance }) => decimalsOf(balance[column])));
