// Decimal text to integers and back. Nothing is ever rounded: what does not fit is refused.

export interface Decimal {
  /** The number without its point: 64250.1 is 642501 with one decimal. */
  value: number;
  decimals: number;
}

const DECIMAL = /^(\d{1,60})(?:\.(\d{1,60}))?$/;

interface Digits {
  digits: string;
  decimals: number;
}

/** Digits without trailing zeros after the point, since they change nothing. */
function findDigits(text: string): Digits | undefined {
  const match = DECIMAL.exec(text);
  if (match === null) return undefined;
  const whole = match[1] ?? '';
  const fraction = (match[2] ?? '').replace(/0+$/, '');
  return { digits: whole + fraction, decimals: fraction.length };
}

/**
 * Parses a price or a volume of a command; undefined if the text is not a plain decimal or has more
 * digits than any market allows.
 */
export function findDecimal(text: string): Decimal | undefined {
  const found = findDigits(text);
  if (found === undefined || found.decimals > 18) return undefined;
  const value = Number(found.digits);
  return Number.isSafeInteger(value) ? { value, decimals: found.decimals } : undefined;
}

/**
 * Parses an amount of money as units of 10^-decimals; undefined if the text is not exactly that.
 */
export function findUnits(text: string, decimals: number = 18): bigint | undefined {
  const found = findDigits(text);
  if (found === undefined || found.decimals > decimals) return undefined;
  return BigInt(found.digits) * 10n ** BigInt(decimals - found.decimals);
}

/** Prints with exactly `decimals` decimals, as prices and volumes are. */
export function formatFixed(value: number | bigint, decimals: number): string {
  const units = BigInt(value);
  const sign = units < 0n ? '-' : '';
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0');
  if (decimals === 0) return sign + digits;
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** Prints without trailing zeros, as balances, totals and fees are. */
export function formatUnits(value: bigint, decimals: number = 18): string {
  const fixed = formatFixed(value, decimals);
  return fixed.includes('.') ? fixed.replace(/\.?0+$/, '') : fixed;
}

/** 10^n for n in 0 to 18; exact as a number up to 10^15 and, being 5^n times a power of two, to 10^22. */
export const POW10: readonly number[] = Array.from({ length: 19 }, (_, n) => Number(`1e${n}`));

/**
 * A decimal in units of 10^-target. Gives -1 if it has more decimals than that, and a value above
 * every limit (though perhaps inexact) if it is too large.
 */
export function scaleDecimal(value: number, decimals: number, target: number): number {
  if (decimals === target) return value;
  if (decimals < target) return value * POW10[target - decimals]!;
  const divisor = POW10[decimals - target]!;
  const quotient = Math.floor(value / divisor);
  // Exact for value below 2^53: quotient * divisor is an integer no larger than value.
  return quotient * divisor === value ? quotient : -1;
}

/** floor(price * (10^6 + ppm) / 10^6), exact: for price <= 10^15, ppm <= 10^6 no term passes 2^53. */
export function addPpm(price: number, ppm: number): number {
  const millions = Math.floor(price / 1_000_000);
  const rest = price - millions * 1_000_000;
  const factor = 1_000_000 + ppm;
  return millions * factor + Math.floor((rest * factor) / 1_000_000);
}

/** ceil(price * (10^6 - ppm) / 10^6), exact for the same reason. */
export function subtractPpm(price: number, ppm: number): number {
  const millions = Math.floor(price / 1_000_000);
  const rest = price - millions * 1_000_000;
  const factor = 1_000_000 - ppm;
  return millions * factor + Math.ceil((rest * factor) / 1_000_000);
}

/** floor(price * (10^4 - delta) / 10^4): the highest price that lies by the delta below. Exact up to 10^15. */
export function trailBelow(price: number, delta: number): number {
  const whole = Math.floor(price / 10_000);
  const rest = price - whole * 10_000;
  const factor = 10_000 - delta;
  return whole * factor + Math.floor((rest * factor) / 10_000);
}

/** ceil(price * (10^4 + delta) / 10^4): the lowest price that lies by the delta above. Exact up to 10^15. */
export function trailAbove(price: number, delta: number): number {
  const whole = Math.floor(price / 10_000);
  const rest = price - whole * 10_000;
  const factor = 10_000 + delta;
  return whole * factor + Math.ceil((rest * factor) / 10_000);
}
