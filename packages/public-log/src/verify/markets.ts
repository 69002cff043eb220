// Checks of what the log says about a market: its terms and its phases.
import type { MarketTerms } from '../queues.ts';
import { fault, positiveDecimal, wholeNumber } from './fault.ts';

/** Phases in which the two sides of a book must not meet. */
const TRADING: ReadonlySet<string> = new Set(['continuous', 'post_only']);
/** Phases that take new orders. */
const OPEN: ReadonlySet<string> = new Set(['continuous', 'post_only', 'auction']);
const PHASES: ReadonlySet<string> = new Set([
  ...OPEN,
  'pre_open',
  'cancel_only',
  'halted',
  'delisted',
]);

export const isTrading = (phase: string): boolean => TRADING.has(phase);
export const isOpen = (phase: string): boolean => OPEN.has(phase);
export const isPhase = (phase: string): boolean => PHASES.has(phase);

/** The terms of a market from their texts. */
export function checkTerms(texts: Readonly<Record<keyof MarketTerms, string>>): MarketTerms {
  const { symbol, base, quote } = texts;
  if (!/^[a-z0-9]{1,20}$/.test(base) || !/^[a-z0-9]{1,20}$/.test(quote)) {
    fault('the coins of a market have 1 to 20 small letters and digits');
  }
  if (symbol !== base + quote) fault(`the market of ${base} and ${quote} must be ${base}${quote}`);
  const basePrecision = wholeNumber('basePrecision', texts.basePrecision);
  const quotePrecision = wholeNumber('quotePrecision', texts.quotePrecision);
  if (basePrecision + quotePrecision > 18) fault('both precisions together are at most 18');
  const listingPrice = positiveDecimal('listingPrice', texts.listingPrice, quotePrecision);
  return { symbol, base, quote, basePrecision, quotePrecision, listingPrice };
}
