import { describe, expect, it } from 'vitest';
import { toBase32 } from './base32.ts';
import { createRecoveryCodes, normalizeRecoveryCode } from './recovery-codes.ts';
import { codeAt, createTotpSecret, findStep, normalizeCode, stepAt, totpUri } from './totp.ts';

const SECRET = Buffer.from('12345678901234567890');

describe('a code by time', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at second %i is %s, as in RFC 6238', (seconds, code) => {
    expect(codeAt(SECRET, stepAt(seconds))).toBe(code);
  });

  it('is accepted one step early and one late, and no further', () => {
    const seconds = 1_000_000;
    const now = stepAt(seconds);
    const found = [-2n, -1n, 0n, 1n, 2n].map((offset) =>
      findStep(SECRET, codeAt(SECRET, now + offset), { seconds, lastStep: 0n }),
    );
    expect(found).toEqual([undefined, now - 1n, now, now + 1n, undefined]);
  });

  it('is not accepted again, nor is an earlier one', () => {
    const seconds = 1_000_000;
    const now = stepAt(seconds);
    const find = (step: bigint) =>
      findStep(SECRET, codeAt(SECRET, step), { seconds, lastStep: now });
    expect([find(now - 1n), find(now), find(now + 1n)]).toEqual([undefined, undefined, now + 1n]);
  });

  it.each(['', '28708', '2870820', '28708x', '٢٨٧٠٨٢', 'é', '287082 '.repeat(9)])(
    'is not %j',
    (code) => {
      expect(findStep(SECRET, code, { seconds: 59, lastStep: 0n })).toBeUndefined();
    },
  );

  it('may be typed with spaces and in the digits of another script', () => {
    expect(['287 082', '۲۸۷۰۸۲', ' ٢٨٧-٠٨٢ '].map(normalizeCode)).toEqual(
      Array.from({ length: 3 }, () => '287082'),
    );
  });
});

describe('what an authenticator reads', () => {
  it('names the organization and the account, and quotes both', () => {
    const uri = totpUri(SECRET, { organization: 'A: b&c', email: 'ada+1@example.com' });
    expect(uri).toBe(
      'otpauth://totp/A%20%20b%26c:ada%2B1%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=A%20%20b%26c&algorithm=SHA1&digits=6&period=30',
    );
  });

  it('is a secret of 160 random bits', () => {
    const secrets = Array.from({ length: 100 }, () => toBase32(createTotpSecret()));
    expect(new Set(secrets).size).toBe(100);
    for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  });
});

describe('base32', () => {
  it.each([
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ])('of %j is %j, as in RFC 4648', (text, expected) => {
    expect(toBase32(Buffer.from(text))).toBe(expected);
  });
});

describe('recovery codes', () => {
  it('are ten, all different, of ten letters and digits', () => {
    const codes = createRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[A-Z2-7]{5}-[A-Z2-7]{5}$/);
  });

  it('may be typed in small letters, without the hyphen, and with 0 and 1 for O and I', () => {
    expect(normalizeRecoveryCode(' abcde fghi0')).toBe('ABCDEFGHIO');
    expect(normalizeRecoveryCode('ABCDE-FGH1J')).toBe('ABCDEFGHIJ');
    for (const wrong of ['', 'ABCDE', 'ABCDE-FGHIJK', 'ABCDE-FGHI8', 'ABCDE-FGHI9']) {
      expect(normalizeRecoveryCode(wrong)).toBeUndefined();
    }
  });
});
