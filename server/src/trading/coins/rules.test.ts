import { expect, it } from 'vitest';
import type { Coin, Network } from './coin.ts';
import { findCoinProblems } from './rules.ts';

const NETWORK: Network = {
  NetworkSymbol: 'XRP',
  NetworkNameEn: 'XRP Ledger',
  NetworkNameFa: 'دفتر ریپل',
  isDefault: true,
  tokenNameOnNetwork: '',
  tokenSymbolOnNetwork: 'XRP',
  addressUrl: 'https://explorer.example/xrp/address/{address}',
  contractAddressUrl: '',
  transactionUrl: 'https://explorer.example/xrp/tx/{txid}',
  contractAddress: '',
  memoRequired: true,
  memoRegex: '^[0-9]{1,10}$',
  addressRegex: '^r[1-9A-HJ-NP-Za-km-z]{24,34}$',
  tokenDecimal: '6',
  depositFee: '0',
  withdrawFee: '0.2',
  depositStatus: 'active',
  withdrawStatus: 'active',
  minimumDeposit: '1',
  minimumWithdraw: '20',
  DepositConfirmationCount: '1',
  withdrawPrecision: '6',
};
const COIN: Coin = { symbol: 'xrp', nameEn: 'XRP', nameFa: 'ریپل', networks: { XRP: NETWORK } };

const withNetwork = (change: Partial<Network>): Coin => ({
  ...COIN,
  networks: { XRP: { ...NETWORK, ...change } },
});

it('a complete coin has no problem, and neither has one without networks', () => {
  expect(findCoinProblems(COIN)).toEqual([]);
  expect(findCoinProblems({ ...COIN, networks: {} })).toEqual([]);
  expect(findCoinProblems(withNetwork({ memoRequired: false, memoRegex: '' }))).toEqual([]);
});

it.each<[string, unknown]>([
  ['symbol must be 2 to 12', { ...COIN, symbol: 'XRP' }],
  ['nameFa must not be empty', { ...COIN, nameFa: ' ' }],
  ['exactly one must have isDefault, not 0', withNetwork({ isDefault: false })],
  [
    'exactly one must have isDefault, not 2',
    { ...COIN, networks: { XRP: NETWORK, BSC: { ...NETWORK, NetworkSymbol: 'BSC' } } },
  ],
  ['NetworkSymbol must be its own key', withNetwork({ NetworkSymbol: 'BSC' })],
  [
    'NetworkSymbol must be its own key',
    { ...COIN, networks: { xrp: { ...NETWORK, NetworkSymbol: 'xrp' } } },
  ],
  ['addressUrl must hold {address}', withNetwork({ addressUrl: 'https://explorer.example/' })],
  ['transactionUrl must hold {txid}', withNetwork({ transactionUrl: 'https://explorer.example/' })],
  ['addressRegex must be an expression', withNetwork({ addressRegex: '^(r$' })],
  ['addressRegex must be an expression', withNetwork({ addressRegex: 'r.*' })],
  ['memoRegex must be an expression', withNetwork({ memoRegex: '' })],
  ['withdrawFee must be a decimal number of zero or more', withNetwork({ withdrawFee: '-1' })],
  ['tokenDecimal must be a whole number from 0 to 24', withNetwork({ tokenDecimal: '25' })],
  ['withdrawPrecision must be a whole number', withNetwork({ withdrawPrecision: '19' })],
  ['addressUrl must have at most 500', withNetwork({ addressUrl: `{address}${'x'.repeat(500)}` })],
  ['networks', { ...COIN, networks: { XRP: { ...NETWORK, isDefault: 'yes' } } }],
  ['nameEn', { symbol: 'xrp' }],
])('%s', (problem, coin) => {
  expect(findCoinProblems(coin).join(' ')).toContain(problem);
});
