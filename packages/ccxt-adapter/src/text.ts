// Amounts as text. The library computes with steps in floating point, which loses digits of large amounts; the steps of
// the venue are powers of ten, so cutting text is exact.
import { functions, InvalidOrder } from 'ccxt';

/** A number as the library's callers give it. */
export type Amount = number | string;

const PLAIN = /^-?\d+(\.\d*)?$/;

/** Plain decimal text, without an exponent. */
export function toText(value: Amount): string {
  const text = typeof value === 'number' ? functions.numberToString(value) : value;
  if (text === undefined || !PLAIN.test(text)) {
    throw new InvalidOrder(
      `rialto takes amounts as numbers or plain decimal text such as 0.015, not '${String(value)}'.`,
    );
  }
  return text;
}

/** How many decimals a step has: 0.01 has two. */
export const decimalsOf = (step: Amount): number =>
  toText(step).replace(/0+$/, '').split('.')[1]?.length ?? 0;

/** Drops the decimals that are smaller than the step. */
export function cutToStep(value: Amount, step: Amount): string {
  const [whole = '0', fraction = ''] = toText(value).split('.');
  return withoutZeros(whole, fraction.slice(0, decimalsOf(step)));
}

/** The nearest multiple of the step; half a step goes away from zero. */
export function roundToStep(value: Amount, step: Amount): string {
  const decimals = decimalsOf(step);
  const text = toText(value);
  const isNegative = text.startsWith('-');
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.');
  const kept = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
  const isUp = (fraction[decimals] ?? '0') >= '5';
  const digits = String(kept + (isUp ? 1n : 0n)).padStart(decimals + 1, '0');
  const cut = digits.length - decimals;
  return withoutZeros((isNegative ? '-' : '') + digits.slice(0, cut), digits.slice(cut));
}

function withoutZeros(whole: string, fraction: string): string {
  const kept = fraction.replace(/0+$/, '');
  return kept === '' ? whole : `${whole}.${kept}`;
}

/** The step of a number of decimals: two decimals are 0.01. */
export const stepOf = (decimals: number): string =>
  decimals === 0 ? '1' : `0.${'0'.repeat(decimals - 1)}1`;
