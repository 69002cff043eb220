// Public keys of Ed25519: which are accepted, and whether they verify a signature. Pure: no clock, no database.
import { createPublicKey, verify, type KeyObject } from 'node:crypto';

/** The other bytes of a public key in the form that the library parses (RFC 8410). */
const PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

const PUBLIC_KEY = /^[0-9a-f]{64}$/;

/** The 32 bytes of a public key; undefined unless it is 64 lower-case hexadecimal digits. */
export const parsePublicKey = (text: string): Buffer | undefined =>
  PUBLIC_KEY.test(text) ? Buffer.from(text, 'hex') : undefined;

export const openPublicKey = (raw: Buffer): KeyObject =>
  createPublicKey({ key: Buffer.concat([PREFIX, raw]), format: 'der', type: 'spki' });

export const isVerifiedBy = (
  publicKey: KeyObject,
  text: string | Buffer,
  signature: Buffer,
): boolean => verify(null, Buffer.from(text), publicKey, signature);

/** The field, and the constant of the curve −x² + y² = 1 + d·x²·y² (RFC 8032). */
const P = 2n ** 255n - 19n;
const D = mod(-121665n * invert(121666n));
const BYTES = 32;

/**
 * Whether these bytes name a point of the curve, in its one spelling, that is not of small order. Eight points have a
 * small order; under such a key some libraries verify signatures that nobody made.
 */
export function isUsablePoint(raw: Buffer): boolean {
  const y = readNumber(raw) & ((1n << 255n) - 1n);
  if (raw.length !== BYTES || y >= P) return false;
  const yy = mod(y * y);
  const xx = mod((yy - 1n) * invert(mod(D * yy + 1n)));
  const x = squareRoot(xx);
  if (x === undefined) return false;
  let point = { x, y };
  for (let doublings = 0; doublings < 3; doublings += 1) point = double(point);
  return !(point.x === 0n && point.y === 1n);
}

interface Point {
  readonly x: bigint;
  readonly y: bigint;
}

/** The sum of a point with itself. The law is complete: no denominator is zero. */
function double({ x, y }: Point): Point {
  const [xx, yy, xy] = [mod(x * x), mod(y * y), mod(x * y)];
  const product = mod(D * mod(xx * yy));
  return {
    x: mod(2n * xy * invert(mod(1n + product))),
    y: mod((yy + xx) * invert(mod(1n - product))),
  };
}

/** Either root will do: both have the same order. */
function squareRoot(square: bigint): bigint | undefined {
  const root = power(square, (P + 3n) / 8n);
  if (mod(root * root) === square) return root;
  const other = mod(root * power(2n, (P - 1n) / 4n));
  return mod(other * other) === square ? other : undefined;
}

/** Little-endian. */
const readNumber = (raw: Buffer): bigint =>
  BigInt(`0x${Buffer.from(raw).reverse().toString('hex') || '0'}`);

function mod(value: bigint): bigint {
  const rest = value % P;
  return rest < 0n ? rest + P : rest;
}

function invert(value: bigint): bigint {
  return power(mod(value), P - 2n);
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let [square, left] = [base, exponent]; left > 0n; left >>= 1n) {
    if ((left & 1n) === 1n) result = mod(result * square);
    square = mod(square * square);
  }
  return result;
}
