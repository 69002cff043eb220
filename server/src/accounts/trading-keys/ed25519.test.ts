import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
} from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isUsablePoint, isVerifiedBy, openPublicKey, parsePublicKey } from './ed25519.ts';
import { boundText, isSignedBy, parseSignature } from './signature.ts';

/** RFC 8410. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SEED = createHash('sha256').update('rialto ed25519 test vector').digest();
const PRIVATE = createPrivateKey({
  key: Buffer.concat([PKCS8, SEED]),
  format: 'der',
  type: 'pkcs8',
});
const PUBLIC = 'f33556dbfbd1dd580845f7a114ebc9b2ef269b2dd66a688d5958216eeb6eed79';

const ORDER =
  'symbol=btcusdt&side=buy&type=limit&price=64250.10&volume=0.0150&clientOrderId=desk-a-1&timestamp=1760000000500';
const VECTORS: readonly [name: string, text: string | Buffer, signature: string][] = [
  [
    'GET',
    'symbol=btcusdt&limit=50&timestamp=1760000000000',
    '9fbec8deb8fed64803e2a8017e40a6566ea262832685b3e91947304eb7d8552cfc44c3cf12494029cea26e9a45a196267cf3205dc7620ffdba9dc0b5c63b3106',
  ],
  [
    'DELETE',
    'orderId=1048577&timestamp=1760000000250',
    '200804d90fe3f06484510b962c48e862a0b3693e51c8a494bb47e2eeb5282296407e75ce5bfa22ba475e9ed64c0e75ff7274713dc98ef364b9a9d7a7b350240c',
  ],
  [
    'POST',
    ORDER,
    '6ac9fec73ce3aa40e7631cc65e5ebb47162d8c5815f5ded769247ca9823fd6ae202f7380be0c984de8347ae2017aae7722d351285d3135080c68f0301a1e880c',
  ],
  [
    'version 2',
    boundText('POST', '/v1/private/order/create', ORDER),
    '5e5697b6be7f44eacef60af813d9838da3478f038e70bcc6332a00cc1049a5db59bd3c32c5520dca573e90c48e204352edf9ba9114fc73e93002addcaaa94d0c',
  ],
];

const bytes = (hex: string) => Buffer.from(hex, 'hex');

describe('[I20] the vectors of Ed25519', () => {
  it('the public key follows from the seed', () => {
    const der = createPublicKey(PRIVATE).export({ format: 'der', type: 'spki' });
    expect(der.subarray(-32).toString('hex')).toBe(PUBLIC);
  });

  it.each(VECTORS)('%s', (_name, text, signature) => {
    expect(sign(null, Buffer.from(text), PRIVATE).toString('hex')).toBe(signature);
    const proof = { type: 'ed25519', key: openPublicKey(bytes(PUBLIC)) } as const;
    const given = parseSignature(signature, 'ed25519') as Buffer;
    expect(isSignedBy(proof, ['another', text], given)).toBe(true);
    expect(isSignedBy(proof, ['another'], given)).toBe(false);
    for (let place = 0; place < given.length; place += 1) {
      const changed = Buffer.from(given);
      changed[place] = (changed[place] ?? 0) ^ 1;
      expect(isSignedBy(proof, [text], changed)).toBe(false);
    }
  });

  it('a signature has one spelling: 128 lower-case digits, and S below the order', () => {
    const [, text, right] = VECTORS[0] as (typeof VECTORS)[number];
    expect(parseSignature(right, 'ed25519')).toHaveLength(64);
    for (const wrong of [right.toUpperCase(), right.slice(2), `${right}00`, right.slice(0, 64)]) {
      expect(parseSignature(wrong, 'ed25519')).toBeUndefined();
    }
    // A signature of one type is none of the other.
    expect(parseSignature(right, 'hmac')).toBeUndefined();
    expect(parseSignature('0'.repeat(64), 'ed25519')).toBeUndefined();
    const order = 2n ** 252n + 27742317777372353535851937790883648493n;
    const given = bytes(right);
    const s = BigInt(`0x${Buffer.from(given.subarray(32)).reverse().toString('hex')}`) + order;
    const moved = Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse();
    const malleable = Buffer.concat([given.subarray(0, 32), moved]);
    expect(isVerifiedBy(openPublicKey(bytes(PUBLIC)), text, malleable)).toBe(false);
  });
});

describe('[I20] a public key', () => {
  it('is 64 lower-case hexadecimal digits', () => {
    expect(parsePublicKey(PUBLIC)).toHaveLength(32);
    for (const wrong of [PUBLIC.toUpperCase(), PUBLIC.slice(1), `${PUBLIC}0`, '', ` ${PUBLIC}`]) {
      expect(parsePublicKey(wrong)).toBeUndefined();
    }
  });

  it('that a library makes is usable', () => {
    expect(isUsablePoint(bytes(PUBLIC))).toBe(true);
    for (let count = 0; count < 20; count += 1) {
      const { publicKey } = generateKeyPairSync('ed25519');
      const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
      expect(isUsablePoint(raw), raw.toString('hex')).toBe(true);
    }
  });

  /** The eight points of small order, and other spellings of them; the highest bit is the sign of x. */
  const SMALL = [
    '0000000000000000000000000000000000000000000000000000000000000000',
    '0100000000000000000000000000000000000000000000000000000000000000',
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  ];

  it.each(SMALL)('of small order is refused, with either sign: %s', (hex) => {
    const raw = bytes(hex);
    expect(isUsablePoint(raw)).toBe(false);
    raw[31] = (raw[31] ?? 0) ^ 0x80;
    expect(isUsablePoint(raw)).toBe(false);
  });

  it('that is no point, not in its one spelling, or of another length is refused', () => {
    // About half of all numbers are no y of the curve.
    const fives = Array.from({ length: 40 }, (_, n) => Buffer.alloc(32, n + 3));
    const refused = fives.filter((raw) => !isUsablePoint(raw)).length;
    expect(refused).toBeGreaterThan(5);
    expect(refused).toBeLessThan(35);
    expect(isUsablePoint(Buffer.alloc(31, 7))).toBe(false);
    expect(isUsablePoint(Buffer.alloc(0))).toBe(false);
    // The number 3 + p, which names the same point as 3 would.
    const p3 = Buffer.from(
      'f0ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
      'hex',
    );
    expect(isUsablePoint(p3)).toBe(false);
  });
});
