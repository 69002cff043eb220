// Exact decimals. Inside, an amount is a bigint of units of 10^-18; on the wire it is decimal text.
// The conversion uses no floating point and never rounds.
import { assert } from '../platform/std/assert.ts';

/** Decimals of the ledger's unit, for every coin. */
export const AMOUNT_DECIMALS = 18;

/** Fee rates are whole millionths. */
const RATE_DECIMALS = 6;

/** What a caller may write: ASCII digits only, no sign, no exponent, at most 18 decimals. */
const WRITTEN = /^([0-9]{1,20})(?:\.([0-9]{1,18}))?$/;
const STORED = /^(-?)([0-9]+)(?:\.([0-9]+))?$/;

/** Parses an amount that a caller wrote; undefined when it is not one. */
export function parseAmount(text: string): bigint | undefined {
  const match = WRITTEN.exec(text);
  if (match === null) return undefined;
  return BigInt((match[1] ?? '') + (match[2] ?? '').padEnd(AMOUNT_DECIMALS, '0'));
}

/** Parses a numeric column whose scale is at most 18. */
export function amountFromNumeric(text: string): bigint {
  const match = STORED.exec(text);
  assert(match !== null, 'a numeric column holds a plain decimal', { text });
  const [, sign = '', whole = '', fraction = ''] = match;
  assert(fraction.length <= AMOUNT_DECIMALS, 'a numeric column has at most 18 decimals', { text });
  return BigInt(sign + whole + fraction.padEnd(AMOUNT_DECIMALS, '0'));
}

/** Prints units without trailing zeros: `1500.25`, `0`. */
export function formatAmount(units: bigint): string {
  if (units === 0n) return '0';
  return withoutTrailingZeros(formatFixed(units, AMOUNT_DECIMALS));
}

/** Prints a rate in millionths without trailing zeros: 1500 is `0.0015`. */
export function formatRate(millionths: number): string {
  return withoutTrailingZeros(formatFixed(BigInt(millionths), RATE_DECIMALS));
}

/** Prints `count` steps of 10^-decimals with exactly that many decimals: (150n, 2) is `1.50`. */
export function formatFixed(count: bigint, decimals: number): string {
  if (decimals === 0) return count.toString();
  const sign = count < 0n ? '-' : '';
  const digits = (count < 0n ? -count : count).toString().padStart(decimals + 1, '0');
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/**
 * Prints units with at least this many decimals, and more only where the value has them: values
 * from before a market became coarser keep their digits.
 */
export function formatAtLeast(units: bigint, decimals: number): string {
  const step = 10n ** BigInt(AMOUNT_DECIMALS - decimals);
  if (units % step === 0n) return formatFixed(units / step, decimals);
  return withoutTrailingZeros(formatFixed(units, AMOUNT_DECIMALS));
}

/** A quotient of two amounts in units, rounded to this many decimals, halves away from zero. */
export function divideRounded(dividend: bigint, divisor: bigint, decimals: number): bigint {
  const step = 10n ** BigInt(AMOUNT_DECIMALS - decimals);
  const scaled = dividend * 10n ** BigInt(decimals) * 2n;
  const magnitude = ((scaled < 0n ? -scaled : scaled) + divisor) / (divisor * 2n);
  return (dividend < 0n ? -magnitude : magnitude) * step;
}

/** The same for a count that a double holds exactly, which spares a bigint: prices in ticks, volumes in lots. */
export function formatSteps(count: number, decimals: number): string {
  assert(Number.isSafeInteger(count) && count >= 0, 'ticks and lots are whole numbers', { count });
  const digits = String(count);
  if (decimals === 0) return digits;
  if (digits.length <= decimals) return `0.${digits.padStart(decimals, '0')}`;
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

const ZERO = 48;
const POINT = 46;

/** `1.50` is `1.5`, and `2.00` is `2`. */
export function withoutTrailingZeros(text: string): string {
  if (!text.includes('.')) return text;
  let end = text.length;
  while (text.charCodeAt(end - 1) === ZERO) end -= 1;
  if (text.charCodeAt(end - 1) === POINT) end -= 1;
  const trimmed = text.slice(0, end);
  return trimmed === '-0' ? '0' : trimmed;
}
