// Exact arithmetic on decimals as text, the form in which both APIs give amounts. Inside, a decimal is a whole number and
// a count of decimals; no floating-point number is involved.

/** A decimal as text: digits, perhaps with a point and a minus sign, such as `-0.0150`. */
export type Decimal = string;

interface Parsed {
  readonly units: bigint;
  /** How many of the digits stand after the point. */
  readonly scale: number;
}

/** More than any amount has; it keeps a product of products from growing without end. */
const CHARACTERS_MAX = 1000;
const FORM = /^-?[0-9]+(?:\.[0-9]+)?$/;

function parse(text: Decimal): Parsed {
  if (typeof text !== 'string') {
    throw new TypeError(`${String(text)} is a ${typeof text}. Write a decimal as text: '0.1'.`);
  }
  if (text.length > CHARACTERS_MAX || !FORM.test(text)) {
    const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
    throw new TypeError(
      `'${shown}' is no decimal. Write digits, perhaps with a point: '64250.10'.`,
    );
  }
  const point = text.indexOf('.');
  if (point < 0) return { units: BigInt(text), scale: 0 };
  return {
    units: BigInt(text.slice(0, point) + text.slice(point + 1)),
    scale: text.length - point - 1,
  };
}

function print({ units, scale }: Parsed): Decimal {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  const sign = units < 0n ? '-' : '';
  return fraction === '' ? `${sign}${whole}` : `${sign}${whole}.${fraction}`;
}

const atScale = ({ units, scale }: Parsed, wanted: number): bigint =>
  units * 10n ** BigInt(wanted - scale);

/** Both with the same count of decimals. */
function align(a: Decimal, b: Decimal): readonly [bigint, bigint, number] {
  const [left, right] = [parse(a), parse(b)];
  const scale = Math.max(left.scale, right.scale);
  return [atScale(left, scale), atScale(right, scale), scale];
}

/** Results have no zeros at the end: `add('0.10', '0.20')` is `0.3`. */
export function add(a: Decimal, b: Decimal): Decimal {
  const [left, right, scale] = align(a, b);
  return print({ units: left + right, scale });
}

export function subtract(a: Decimal, b: Decimal): Decimal {
  const [left, right, scale] = align(a, b);
  return print({ units: left - right, scale });
}

export function multiply(a: Decimal, b: Decimal): Decimal {
  const [left, right] = [parse(a), parse(b)];
  return print({ units: left.units * right.units, scale: left.scale + right.scale });
}

/** `a / b` with at most `decimals` decimals, the rest cut off towards zero. */
export function divide(a: Decimal, b: Decimal, decimals: number): Decimal {
  const [left, right] = align(a, b);
  if (right === 0n) throw new RangeError(`${a} cannot be divided by ${b}.`);
  checkDecimals(decimals);
  return print({ units: (left * 10n ** BigInt(decimals)) / right, scale: decimals });
}

/** -1, 0 or 1, as `sort` takes it. Zeros at the end make no difference. */
export function compare(a: Decimal, b: Decimal): -1 | 0 | 1 {
  const [left, right] = align(a, b);
  return left < right ? -1 : left > right ? 1 : 0;
}

export const equals = (a: Decimal, b: Decimal): boolean => compare(a, b) === 0;
export const isZero = (a: Decimal): boolean => parse(a).units === 0n;
export const negate = (a: Decimal): Decimal => subtract('0', a);
export const abs = (a: Decimal): Decimal => (parse(a).units < 0n ? negate(a) : add(a, '0'));

export const min = (first: Decimal, ...others: readonly Decimal[]): Decimal =>
  add(
    others.reduce((least, one) => (compare(one, least) < 0 ? one : least), first),
    '0',
  );
export const max = (first: Decimal, ...others: readonly Decimal[]): Decimal =>
  add(
    others.reduce((most, one) => (compare(one, most) > 0 ? one : most), first),
    '0',
  );
export const sum = (all: Iterable<Decimal>): Decimal => {
  let total = '0';
  for (const one of all) total = add(total, one);
  return total;
};

/** The greatest multiple of `step` that is not above `a`. */
export const roundDown = (a: Decimal, step: Decimal): Decimal => roundTo(a, step, 'down');

/** The least multiple of `step` that is not below `a`. */
export const roundUp = (a: Decimal, step: Decimal): Decimal => roundTo(a, step, 'up');

function roundTo(a: Decimal, step: Decimal, direction: 'down' | 'up'): Decimal {
  const [value, unit, scale] = align(a, step);
  if (unit <= 0n) throw new RangeError(`The step is ${step}; it has to be greater than 0.`);
  const rest = value % unit;
  const below = rest < 0n ? value - rest - unit : value - rest;
  const units = rest === 0n ? value : direction === 'down' ? below : below + unit;
  return print({ units, scale });
}

/** With exactly `decimals` decimals, as the venue prints prices: `pad('64250.1', 2)` is `64250.10`. */
export function pad(a: Decimal, decimals: number): Decimal {
  checkDecimals(decimals);
  const text = add(a, '0');
  const [whole = '', fraction = ''] = text.split('.');
  if (fraction.length > decimals) {
    throw new RangeError(`${a} has more than ${decimals} decimals. Round it first.`);
  }
  return decimals === 0 ? whole : `${whole}.${fraction.padEnd(decimals, '0')}`;
}

function checkDecimals(decimals: number): void {
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > CHARACTERS_MAX) {
    throw new RangeError(
      `decimals is ${decimals}; give a whole number from 0 to ${CHARACTERS_MAX}.`,
    );
  }
}
