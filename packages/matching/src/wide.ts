// Unsigned 144-bit integers as three limbs of 48 bits, least significant first, inside Float64Arrays.
//
// The ledger counts in 10^-18, and LIMITS.amountMax (10^36) is below 2^120, so three limbs hold every
// balance. Unlike bigint they are changed in place: the hot path makes no garbage; and unlike integer
// arrays they need no conversion between loads and sums. Each step below says why its intermediate
// values stay below 2^53, where doubles are exact integers. Numbers too large for the short way go
// through bigint, which is slower but never wrong.

import { assert } from './assert.ts';

export const LIMBS = 3;
const TWO48 = 281_474_976_710_656;
const INV48 = 1 / TWO48;
const TWO24 = 16_777_216;
const INV24 = 1 / TWO24;
const TWO53 = 9_007_199_254_740_992;
const MASK48 = 0xffff_ffff_ffffn;

/** A power of ten as three digits of 24 bits, for exact multiplication. */
export class Scale {
  readonly exponent: number;
  readonly big: bigint;
  readonly d0: number;
  readonly d1: number;
  readonly d2: number;
  /** The same power divided by a million, where that is whole. */
  readonly perMillion: Scale | undefined;

  constructor(exponent: number) {
    assert(exponent >= 0 && exponent <= 18, 'a scale has 0 to 18 decimals');
    this.exponent = exponent;
    this.big = 10n ** BigInt(exponent);
    this.d0 = Number(this.big & 0xff_ffffn);
    this.d1 = Number((this.big >> 24n) & 0xff_ffffn);
    // 10^18 is below 2^60, so the last digit is below 2^12.
    this.d2 = Number(this.big >> 48n);
    this.perMillion = exponent >= 6 ? new Scale(exponent - 6) : undefined;
  }
}

export function setZero(a: Float64Array, i: number): void {
  a[i] = 0;
  a[i + 1] = 0;
  a[i + 2] = 0;
}

export function isZero(a: Float64Array, i: number): boolean {
  return a[i] === 0 && a[i + 1] === 0 && a[i + 2] === 0;
}

export function copy(to: Float64Array, i: number, from: Float64Array, j: number): void {
  to[i] = from[j]!;
  to[i + 1] = from[j + 1]!;
  to[i + 2] = from[j + 2]!;
}

/** Negative, zero or positive as a is below, equal to or above b. */
export function compare(a: Float64Array, i: number, b: Float64Array, j: number): number {
  if (a[i + 2] !== b[j + 2]) return a[i + 2]! < b[j + 2]! ? -1 : 1;
  if (a[i + 1] !== b[j + 1]) return a[i + 1]! < b[j + 1]! ? -1 : 1;
  if (a[i] !== b[j]) return a[i]! < b[j]! ? -1 : 1;
  return 0;
}

/** a += b. Sums of two limbs and a carry are at most 2^49. */
export function add(a: Float64Array, i: number, b: Float64Array, j: number): void {
  let s = a[i]! + b[j]!;
  let carry = 0;
  if (s >= TWO48) {
    s -= TWO48;
    carry = 1;
  }
  a[i] = s;
  s = a[i + 1]! + b[j + 1]! + carry;
  carry = 0;
  if (s >= TWO48) {
    s -= TWO48;
    carry = 1;
  }
  a[i + 1] = s;
  s = a[i + 2]! + b[j + 2]! + carry;
  a[i + 2] = s;
  assert(s < TWO48, 'an amount passed 2^144');
}

/** a -= b. A result below zero is a broken invariant, never a value. */
export function subtract(a: Float64Array, i: number, b: Float64Array, j: number): void {
  let s = a[i]! - b[j]!;
  let borrow = 0;
  if (s < 0) {
    s += TWO48;
    borrow = 1;
  }
  a[i] = s;
  s = a[i + 1]! - b[j + 1]! - borrow;
  borrow = 0;
  if (s < 0) {
    s += TWO48;
    borrow = 1;
  }
  a[i + 1] = s;
  s = a[i + 2]! - b[j + 2]! - borrow;
  a[i + 2] = s;
  assert(s >= 0, 'an amount fell below zero');
}

/** out = v * scale, for v below 2^53. The result is below 2^113, so it always fits. */
function scaleUp(out: Float64Array, i: number, v: number, scale: Scale): void {
  const { d0, d1, d2 } = scale;
  const v2 = Math.floor(v * INV48); // below 2^5
  const rest = v - v2 * TWO48;
  const v1 = Math.floor(rest * INV24);
  const v0 = rest - v1 * TWO24;
  // Products of 24-bit digits are below 2^48, and sums of three of them below 2^50.
  const c1 = v0 * d1 + v1 * d0;
  const c2 = v0 * d2 + v1 * d1 + v2 * d0;
  const c3 = v1 * d2 + v2 * d1;
  const c1High = Math.floor(c1 * INV24);
  const c3High = Math.floor(c3 * INV24);
  let s = v0 * d0 + (c1 - c1High * TWO24) * TWO24; // below 2^49
  let carry = s >= TWO48 ? 1 : 0;
  out[i] = s - carry * TWO48;
  s = c1High + c2 + (c3 - c3High * TWO24) * TWO24 + carry; // below 2^51
  carry = Math.floor(s * INV48);
  out[i + 1] = s - carry * TWO48;
  out[i + 2] = c3High + v2 * d2 + carry;
}

/**
 * out = x * y * scale, for whole x and y up to 2^50. Says whether it fits; if not, out is 2^144 - 1,
 * which is above every amount there can be.
 */
export function product(out: Float64Array, i: number, x: number, y: number, scale: Scale): boolean {
  const v = x * y;
  if (v < TWO53) {
    scaleUp(out, i, v, scale);
    return true;
  }
  return setOrSaturate(out, i, BigInt(x) * BigInt(y) * scale.big);
}

function setOrSaturate(out: Float64Array, i: number, value: bigint): boolean {
  if (value >> 144n === 0n) {
    fromBigint(out, i, value);
    return true;
  }
  out[i] = TWO48 - 1;
  out[i + 1] = TWO48 - 1;
  out[i + 2] = TWO48 - 1;
  return false;
}

/** out = x * y * scale * ppm / 10^6, rounded up or down, for an amount x * y * scale that fits. */
export function share(
  out: Float64Array,
  i: number,
  x: number,
  y: number,
  scale: Scale,
  ppm: number,
  roundUp: boolean,
): void {
  const v = x * y * ppm;
  // Six decimals of the scale pay for the division by a million: nothing is left to round. The
  // comparison is sound although a large product is inexact, since it is then far above the bound.
  if (scale.perMillion !== undefined && v < TWO53) {
    scaleUp(out, i, v, scale.perMillion);
    return;
  }
  const exact = BigInt(x) * BigInt(y) * scale.big * BigInt(ppm);
  fromBigint(out, i, (exact + (roundUp ? 999_999n : 0n)) / 1_000_000n);
}

export function toBigint(a: Float64Array, i: number): bigint {
  // Most amounts of most records are zero, and few have the highest limb.
  if (a[i + 2] === 0) {
    if (a[i + 1] === 0) return a[i] === 0 ? 0n : BigInt(a[i]!);
    return (BigInt(a[i + 1]!) << 48n) | BigInt(a[i]!);
  }
  return (BigInt(a[i + 2]!) << 96n) | (BigInt(a[i + 1]!) << 48n) | BigInt(a[i]!);
}

export function fromBigint(a: Float64Array, i: number, value: bigint): void {
  assert(value >= 0n && value >> 144n === 0n, 'an amount does not fit 144 bits');
  a[i] = Number(value & MASK48);
  a[i + 1] = Number((value >> 48n) & MASK48);
  a[i + 2] = Number(value >> 96n);
}
