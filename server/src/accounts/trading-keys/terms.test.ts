import { describe, expect, it } from 'vitest';
import { Refusal } from '../../platform/http/refusal.ts';
import { DAY_MS } from '../../platform/std/time.ts';
import { parseRanges } from './ranges.ts';
import { checkTerms, type AskedTerms } from './terms.ts';

/** The code of the refusal, or an empty text. */
function refusalOf(work: () => unknown): string {
  try {
    work();
    return '';
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

describe('[I21] addresses of a key', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7/32'],
    ['203.0.113.0/24', '203.0.113.0/24'],
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['0.0.0.0', '0.0.0.0/32'],
    ['2001:DB8::1', '2001:db8::1/128'],
    ['2001:db8:0:0::/32', '2001:db8::/32'],
    ['2001:db8::/33', '2001:db8::/33'],
    ['::1/128', '::1/128'],
  ])('%s is %s', (given, stored) => {
    expect(parseRanges([given])).toEqual([stored]);
  });

  it('are each stored once', () => {
    expect(parseRanges(['203.0.113.7', '203.0.113.7/32'])).toEqual(['203.0.113.7/32']);
  });

  it.each([
    '203.0.113.7/24',
    '10.0.0.1/8',
    '2001:db8::1/64',
    '2001:db8:0:0:8000::/64',
    '203.0.113',
    '203.0.113.07',
    '0x7f000001',
    '203.0.113.7/',
    '203.0.113.7/033',
    '203.0.113.7/33',
    '203.0.113.7/-1',
    '203.0.113.0/24/24',
    '2001:db8::/129',
    'fe80::1%eth0',
    '::ffff:203.0.113.7',
    '::ffff:203.0.113.7/128',
    '',
    'localhost',
    ' 203.0.113.7',
  ])('%s is refused as wrong', (given) => {
    expect(refusalOf(() => parseRanges([given]))).toBe('PARAMETER_INVALID');
  });

  it.each(['0.0.0.0/0', '10.0.0.0/7', '::/0', '2001::/16', '2001:db8::/31'])(
    '%s is refused as too wide',
    (given) => {
      expect(refusalOf(() => parseRanges([given]))).toBe('PARAMETER_RANGE');
    },
  );
});

describe('[I21] the terms of a key', () => {
  const NOW = 1_760_000_000_000;
  const inDays = (days: number) => new Date(NOW + days * DAY_MS);
  const READ: AskedTerms = {
    label: '',
    permissions: ['read'],
    ipAllowlist: [],
    markets: [],
    requireBoundSignature: false,
    expiresAt: undefined,
  };
  const check = (changes: Partial<AskedTerms>, isNewEnd = true) =>
    checkTerms({ ...READ, ...changes }, NOW, isNewEnd);
  const endOf = (changes: Partial<AskedTerms>, isNewEnd = true) =>
    check(changes, isNewEnd).expiresAt;
  const HERE = { ipAllowlist: ['203.0.113.7'] };
  const TRADE = { permissions: ['read', 'trade'] } as const;

  it('a key to trade from anywhere lives for 90 days, others as long as they are wanted', () => {
    expect(endOf({})).toBeNull();
    expect(endOf(TRADE)).toEqual(inDays(90));
    expect(endOf({ ...TRADE, ...HERE })).toBeNull();
    expect(endOf({ ...TRADE, expiresAt: inDays(90) })).toEqual(inDays(90));
    expect(refusalOf(() => endOf({ ...TRADE, expiresAt: inDays(91) }))).toBe('PARAMETER_RANGE');
    expect(endOf({ ...TRADE, ...HERE, expiresAt: inDays(365) })).toEqual(inDays(365));
    expect(refusalOf(() => endOf({ expiresAt: inDays(366) }))).toBe('PARAMETER_RANGE');
    expect(refusalOf(() => endOf({ expiresAt: inDays(0) }))).toBe('PARAMETER_RANGE');
    expect(refusalOf(() => endOf({ expiresAt: inDays(-1) }))).toBe('PARAMETER_RANGE');
  });

  it('a key that becomes one to trade from anywhere ends earlier, and never later', () => {
    expect(endOf({ ...TRADE, expiresAt: inDays(300) }, false)).toEqual(inDays(90));
    expect(endOf({ ...TRADE, expiresAt: inDays(3) }, false)).toEqual(inDays(3));
    expect(endOf({ ...TRADE, expiresAt: null }, false)).toEqual(inDays(90));
    expect(endOf({ expiresAt: inDays(-3) }, false)).toEqual(inDays(-3));
  });

  it('a key to withdraw needs addresses', () => {
    const withdraw = { permissions: ['withdraw'] } as const;
    expect(refusalOf(() => check(withdraw))).toBe('PARAMETER_CONFLICT');
    expect(check({ ...withdraw, ...HERE }).ipAllowlist).toEqual(['203.0.113.7/32']);
  });

  it('has everything once', () => {
    const { permissions, markets } = check({
      permissions: ['read', 'read'],
      markets: ['btcusdt', 'btcusdt'],
    });
    expect([permissions, markets]).toEqual([['read'], ['btcusdt']]);
  });
});
