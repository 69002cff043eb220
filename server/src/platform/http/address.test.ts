import { describe, expect, it } from 'vitest';
import { clientAddress, isInRanges, limitKeyOf, parseProxyList } from './address.ts';

describe('clientAddress', () => {
  const nobody = parseProxyList('');
  const ours = parseProxyList('10.0.0.1, 10.1.0.0/16,fd00::/8');

  it('trusts no header when no proxy is trusted', () => {
    expect(clientAddress('203.0.113.5', '198.51.100.1', nobody)).toBe('203.0.113.5');
    expect(clientAddress('127.0.0.1', '198.51.100.1', nobody)).toBe('127.0.0.1');
  });

  it('trusts no header from a client that is not a proxy, however many entries it has', () => {
    expect(clientAddress('203.0.113.5', '198.51.100.1', ours)).toBe('203.0.113.5');
    expect(clientAddress('203.0.113.5', '198.51.100.1, 10.0.0.1', ours)).toBe('203.0.113.5');
    expect(clientAddress('10.0.0.2', '198.51.100.1', ours)).toBe('10.0.0.2');
  });

  it('takes the entry that the outermost proxy wrote, not the client’s forged one before it', () => {
    expect(clientAddress('10.0.0.1', '198.51.100.1', ours)).toBe('198.51.100.1');
    expect(clientAddress('10.0.0.1', '6.6.6.6, 198.51.100.1', ours)).toBe('198.51.100.1');
    expect(clientAddress('10.0.0.1', '6.6.6.6, 198.51.100.1, 10.1.2.3', ours)).toBe('198.51.100.1');
    // A client that claims to be one of the proxies stands left of what the proxy saw.
    expect(clientAddress('10.0.0.1', '6.6.6.6, 10.1.0.1, 198.51.100.1', ours)).toBe('198.51.100.1');
    expect(clientAddress('fd00::7', '6.6.6.6, 2001:db8::9', ours)).toBe('2001:db8::9');
  });

  it('takes the leftmost address when every hop is a proxy', () => {
    expect(clientAddress('10.0.0.1', '10.1.0.9, 10.1.0.2', ours)).toBe('10.1.0.9');
    expect(clientAddress('10.0.0.1', undefined, ours)).toBe('10.0.0.1');
  });

  it('normalises an address, without a port', () => {
    expect(clientAddress('::ffff:203.0.113.5', undefined, nobody)).toBe('203.0.113.5');
    expect(clientAddress('::ffff:10.0.0.1', '198.51.100.1:4711', ours)).toBe('198.51.100.1');
    expect(clientAddress('10.0.0.1', '[2001:DB8::1]:4711', ours)).toBe('2001:db8::1');
  });

  it('stops at the last valid entry', () => {
    expect(clientAddress('10.0.0.1', 'unknown', ours)).toBe('10.0.0.1');
    expect(clientAddress('10.0.0.1', '198.51.100.1, _hidden, 10.1.0.2', ours)).toBe('10.1.0.2');
    expect(clientAddress('10.0.0.1', '', ours)).toBe('10.0.0.1');
  });

  it.each(['10.0.0', '10.0.0.1/33', 'proxy.example', '10.0.0.0/', '1', '0x7f.1'])(
    'refuses %j as a proxy',
    (text) => {
      expect(() => parseProxyList(text)).toThrow(Error);
    },
  );
});

it('an IPv6 /64 is one caller', () => {
  expect(limitKeyOf('2001:db8:1:2:3:4:5:6')).toBe(limitKeyOf('2001:db8:1:2:ffff::1'));
  expect(limitKeyOf('2001:db8:1:2::1')).not.toBe(limitKeyOf('2001:db8:1:3::1'));
  expect(limitKeyOf('203.0.113.5')).toBe('203.0.113.5');
  expect(limitKeyOf('::ffff:203.0.113.5')).toBe('203.0.113.5');
});

it('allow-lists match ranges and single addresses of the same family', () => {
  expect(isInRanges('203.0.113.7', ['203.0.113.0/24'])).toBe(true);
  expect(isInRanges('203.0.113.7', ['203.0.113.8'])).toBe(false);
  expect(isInRanges('2001:db8::1', ['2001:db8::/32', '10.0.0.0/8'])).toBe(true);
});
