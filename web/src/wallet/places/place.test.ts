import type { Coin, Network } from '@rialto/sdk';
import { expect, it } from 'vitest';
import { coinsOf, explorerOf, isAddressOf, isMemoOf, networkAt, networksOf } from './place.ts';

const network = (terms: Partial<Network>): Network =>
  ({
    NetworkSymbol: 'LTC',
    isDefault: false,
    depositStatus: 'active',
    withdrawStatus: 'active',
    addressRegex: '^ltc1[a-z0-9]{5,}$',
    memoRequired: false,
    memoRegex: '',
    ...terms,
  }) as Network;

const coin = (symbol: string, ...networks: readonly Network[]): Coin => ({
  symbol,
  nameEn: symbol,
  nameFa: symbol,
  networks: Object.fromEntries(networks.map((one) => [one.NetworkSymbol, one])),
});

it('the default network comes first, and a disabled one not at all', () => {
  const one = coin(
    'ltc',
    network({ NetworkSymbol: 'OLD', withdrawStatus: 'disabled' }),
    network({ NetworkSymbol: 'BSC' }),
    network({ NetworkSymbol: 'LTC', isDefault: true }),
  );
  const names = (direction: 'deposit' | 'withdraw') =>
    networksOf(one, direction).map(({ NetworkSymbol }) => NetworkSymbol);
  expect(names('withdraw')).toEqual(['LTC', 'BSC']);
  expect(names('deposit')).toEqual(['LTC', 'OLD', 'BSC']);
  const gone = coin('doge', network({ depositStatus: 'disabled' }));
  expect(coinsOf([one, gone], 'deposit')).toEqual([one]);
  expect(networksOf(undefined, 'deposit')).toEqual([]);
});

it('a chosen place is found only where it is offered', () => {
  const coins = [coin('ltc', network({ withdrawStatus: 'disabled' }))];
  const place = { coin: 'ltc', network: 'LTC' };
  expect(networkAt(coins, 'deposit', place)?.NetworkSymbol).toBe('LTC');
  expect(networkAt(coins, 'withdraw', place)).toBeUndefined();
  expect(networkAt(coins, 'deposit', { coin: 'ltc', network: '' })).toBeUndefined();
});

it('an address is judged once there is one, and by the pattern of its network', () => {
  expect(isAddressOf(network({}), '')).toBeUndefined();
  expect(isAddressOf(network({}), 'ltc1qqqqqq')).toBe(true);
  expect(isAddressOf(network({}), '0xabc')).toBe(false);
  expect(isAddressOf(network({ addressRegex: '.*' }), 'a'.repeat(201))).toBe(false);
});

it('a pattern that cannot be read refuses nothing', () => {
  expect(isAddressOf(network({ addressRegex: '(' }), 'anything')).toBe(true);
});

it('a memo is needed where the network says so', () => {
  expect(isMemoOf(network({}), '')).toBe(true);
  const tagged = network({ memoRequired: true, memoRegex: '^[0-9]{1,10}$' });
  expect(isMemoOf(tagged, '')).toBeUndefined();
  expect(isMemoOf(tagged, '12')).toBe(true);
  expect(isMemoOf(tagged, 'twelve')).toBe(false);
});

it('a link to an explorer holds the value as text alone', () => {
  const pattern = 'https://explorer.example/tx/{txid}';
  expect(explorerOf(pattern, 'txid', 'ab/../c')).toBe('https://explorer.example/tx/ab%2F..%2Fc');
  expect(explorerOf(pattern, 'txid', '')).toBe('');
  expect(explorerOf('javascript:alert("{txid}")', 'txid', 'ab')).toBe('');
});
