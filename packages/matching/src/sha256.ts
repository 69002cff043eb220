// SHA-256 (FIPS 180-4). The core uses nothing from outside, not even the runtime's own
// implementation.

const K = new Uint32Array(64);
const INITIAL = new Uint32Array(8);

// The constants are the first 32 bits of the fractional parts of cube and square roots of primes;
// integer roots by bisection give them without floating point.
function rootBits(n: bigint, power: bigint): number {
  const shifted = n << (32n * power);
  let low = 0n;
  let high = 1n << 40n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** power <= shifted) low = middle;
    else high = middle;
  }
  return Number(low & 0xffff_ffffn);
}

let found = 0;
for (let n = 2; found < 64; n++) {
  let isPrime = true;
  for (let d = 2; d * d <= n; d++) if (n % d === 0) isPrime = false;
  if (!isPrime) continue;
  K[found] = rootBits(BigInt(n), 3n);
  if (found < 8) INITIAL[found] = rootBits(BigInt(n), 2n);
  found += 1;
}

const rotate = (x: number, n: number): number => (x >>> n) | (x << (32 - n));

export function sha256(bytes: Uint8Array): Uint8Array {
  const h = INITIAL.slice();
  const w = new Uint32Array(64);
  const tailStart = Math.floor(bytes.length / 64) * 64;
  const rest = bytes.length - tailStart;
  const tail = new Uint8Array(rest + 9 <= 64 ? 64 : 128);
  tail.set(bytes.subarray(tailStart));
  tail[rest] = 0x80;
  // The length in bits, as 64 bits: the high word is the length in bytes over 2^29.
  const view = new DataView(tail.buffer);
  view.setUint32(tail.length - 8, Math.floor(bytes.length / 536_870_912));
  view.setUint32(tail.length - 4, (bytes.length % 536_870_912) * 8);
  for (let at = 0; at < tailStart; at += 64) compress(h, w, bytes, at);
  for (let at = 0; at < tail.length; at += 64) compress(h, w, tail, at);
  const digest = new Uint8Array(32);
  const out = new DataView(digest.buffer);
  for (let i = 0; i < 8; i++) out.setUint32(i * 4, h[i]!);
  return digest;
}

function compress(h: Uint32Array, w: Uint32Array, bytes: Uint8Array, at: number): void {
  for (let i = 0; i < 16; i++) {
    const j = at + i * 4;
    w[i] = (bytes[j]! << 24) | (bytes[j + 1]! << 16) | (bytes[j + 2]! << 8) | bytes[j + 3]!;
  }
  for (let i = 16; i < 64; i++) {
    const a = w[i - 15]!;
    const b = w[i - 2]!;
    const s0 = rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3);
    const s1 = rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10);
    w[i] = (w[i - 16]! + s0 + w[i - 7]! + s1) | 0;
  }
  let a = h[0]! | 0;
  let b = h[1]! | 0;
  let c = h[2]! | 0;
  let d = h[3]! | 0;
  let e = h[4]! | 0;
  let f = h[5]! | 0;
  let g = h[6]! | 0;
  let k = h[7]! | 0;
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const choice = (e & f) ^ (~e & g);
    const t1 = (k + s1 + choice + K[i]! + w[i]!) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const t2 = (s0 + majority) | 0;
    k = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  h[0]! += a;
  h[1]! += b;
  h[2]! += c;
  h[3]! += d;
  h[4]! += e;
  h[5]! += f;
  h[6]! += g;
  h[7]! += k;
}

export function toHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0');
  return text;
}
