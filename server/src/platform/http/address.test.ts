import { describe, expect, it } from 'vitest';
import { clientAddress, isInRanges, limitKeyOf } from './address.ts';

describe('clientAddress', () => {
  it('believes no header without a trusted proxy', () => {
    expect(clientAddress('203.0.113.5', '198.51.100.1', 0)).toBe('203.0.113.5');
  });
  it('takes the entry that the trusted proxy wrote, not what the client forged before it', () => {
    expect(clientAddress('10.0.0.1', '6.6.6.6, 198.51.100.1', 1)).toBe('198.51.100.1');
    expect(clientAddress('10.0.0.1', '6.6.6.6, 198.51.100.1, 10.0.0.2', 2)).toBe('198.51.100.1');
  });
  it('gives IPv4 in IPv6 its plain spelling', () => {
    expect(clientAddress('::ffff:203.0.113.5', undefined, 0)).toBe('203.0.113.5');
  });
  it('falls back to the socket when the header is nonsense', () => {
    expect(clientAddress('10.0.0.1', 'unknown', 1)).toBe('10.0.0.1');
  });
});

it('an IPv6 /64 is one caller', () => {
  expect(limitKeyOf('2001:db8:1:2:3:4:5:6')).toBe(limitKeyOf('2001:db8:1:2:ffff::1'));
  expect(limitKeyOf('2001:db8:1:2::1')).not.toBe(limitKeyOf('2001:db8:1:3::1'));
  expect(limitKeyOf('203.0.113.5')).toBe('203.0.113.5');
});

it('allow-lists match ranges and single addresses of the same family', () => {
  expect(isInRanges('203.0.113.7', ['203.0.113.0/24'])).toBe(true);
  expect(isInRanges('203.0.113.7', ['203.0.113.8'])).toBe(false);
  expect(isInRanges('2001:db8::1', ['2001:db8::/32', '10.0.0.0/8'])).toBe(true);
});
