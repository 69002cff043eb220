// How values look on the wire. Numbers travel as text, so their schemas are strings with a pattern.
import { Type } from 'typebox';

export const Decimal = (description: string) =>
  Type.String({ pattern: '^-?[0-9]+(\\.[0-9]+)?$', description, examples: ['1500.25'] });

export const Count = (description: string) =>
  Type.String({ pattern: '^[0-9]+$', description, examples: ['6'] });

/** A time, or the empty text where nothing has happened yet. */
export const MaybeMillis = (description: string) =>
  Type.String({ pattern: '^([0-9]{13})?$', description });

export const Millis = (description: string) =>
  Type.String({ pattern: '^[0-9]{13}$', description, examples: ['1760000000000'] });

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

/** A time of the database as the wire has it. */
export const toMillis = (date: Date): string => String(date.getTime());
