// How values look on the wire. Numbers are sent as text, so their schemas are strings with a
// pattern.
import { Type } from 'typebox';

export const Decimal = (description: string) =>
  Type.String({ pattern: '^-?[0-9]+(\\.[0-9]+)?$', description });

/** A decimal, or the empty text where there is no such price yet. */
export const MaybeDecimal = (description: string) =>
  Type.String({ pattern: '^(-?[0-9]+(\\.[0-9]+)?)?$', description });

export const Count = (description: string) => Type.String({ pattern: '^[0-9]+$', description });

/** A time, or the empty text where nothing has happened yet. */
export const MaybeMillis = (description: string) =>
  Type.String({ pattern: '^([0-9]{13})?$', description });

export const Millis = (description: string) =>
  Type.String({ pattern: '^[0-9]{13}$', description, examples: ['1760000000000'] });

/** One of several words. */
export const Choice = <const V extends string>(values: readonly V[], description: string) =>
  Type.Enum<V[]>([...values], { type: 'string', description });

/** Symbols are looked up in lower case, however they were typed. */
const FOLD_LOWER = { 'x-fold': 'lower' } as const;

export const MarketSymbol = Type.String({
  ...FOLD_LOWER,
  maxLength: 32,
  description: 'Market symbol, for instance `btcusdt`. Letter case does not matter.',
  examples: ['btcusdt'],
});

export const CoinSymbol = Type.String({
  ...FOLD_LOWER,
  maxLength: 32,
  description: 'Coin symbol, for instance `usdt`. Letter case does not matter.',
  examples: ['usdt'],
});

/** The latest time that has thirteen digits. */
export const MS_MAX = 9_999_999_999_999;

/**
 * When the projections are late, public history is shown as far as it goes: its readers have no
 * writes of their own in it.
 */
export const PUBLIC_PATIENCE = { patienceMs: 250 } as const;

/** A time of the database in its wire form. */
export const toMillis = (date: Date): string => String(date.getTime());
