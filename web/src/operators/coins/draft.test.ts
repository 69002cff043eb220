import type { Network } from '@rialto/sdk';
import { describe, expect, it } from 'vitest';
import {
  changesOf,
  coinProblems,
  networkProblems,
  newNetwork,
  NO_COIN,
  withDefault,
  type CoinDraft,
} from './draft.ts';

const NETWORK: Network = {
  ...newNetwork(true),
  NetworkSymbol: 'LTC',
  NetworkNameEn: 'Litecoin',
  NetworkNameFa: 'لایت‌کوین',
  addressRegex: '^ltc1[a-z0-9]{39}$',
  addressUrl: 'https://explorer.example/{address}',
  transactionUrl: 'https://explorer.example/{txid}',
  tokenDecimal: '8',
  withdrawPrecision: '8',
  DepositConfirmationCount: '6',
  minimumDeposit: '0.01',
  depositFee: '0',
  minimumWithdraw: '0.02',
  withdrawFee: '0.001',
};
const COIN: CoinDraft = {
  symbol: 'ltc',
  nameEn: 'Litecoin',
  nameFa: 'لایت‌کوین',
  networks: [NETWORK],
};

describe('names of a coin', () => {
  it('are all needed, and its symbol is its own', () => {
    expect(coinProblems(NO_COIN, [])).toEqual({
      symbol: 'missing',
      nameEn: 'missing',
      nameFa: 'missing',
    });
    expect(coinProblems({ ...COIN, symbol: 'LTC' }, [])).toEqual({ symbol: 'coinSymbol' });
    expect(coinProblems(COIN, ['ltc'])).toEqual({ symbol: 'coinTaken' });
    expect(coinProblems(COIN, ['btc'])).toEqual({});
  });
});

describe('a network', () => {
  it('may be as the example', () => {
    expect(networkProblems(NETWORK, ['ETH'])).toEqual({});
  });

  it.each<[Partial<Network>, ReturnType<typeof networkProblems>]>([
    [{ NetworkSymbol: 'ltc' }, { NetworkSymbol: 'networkSymbol' }],
    [{ NetworkSymbol: 'ETH' }, { NetworkSymbol: 'networkTwice' }],
    [{ addressUrl: 'https://explorer.example/' }, { addressUrl: 'address' }],
    [{ transactionUrl: 'https://explorer.example/' }, { transactionUrl: 'txid' }],
    [{ addressRegex: 'ltc1.*' }, { addressRegex: 'expression' }],
    [{ memoRequired: true }, { memoRegex: 'missing' }],
    [{ withdrawFee: '-1' }, { withdrawFee: 'notNegative' }],
    [{ withdrawFee: '' }, { withdrawFee: 'missing' }],
    [{ withdrawPrecision: '19' }, { withdrawPrecision: { min: 0, max: 18 } }],
    [{ tokenDecimal: '1.5' }, { tokenDecimal: { min: 0, max: 24 } }],
  ])('with %j has the problems %j', (change, problems) => {
    expect(networkProblems({ ...NETWORK, ...change }, ['ETH'])).toEqual(problems);
  });

  it('that becomes the default takes that from the others', () => {
    const networks = withDefault([NETWORK, { ...NETWORK, NetworkSymbol: 'ETH' }], 1);
    expect(networks.map(({ isDefault }) => isDefault)).toEqual([false, true]);
  });
});

describe('changes', () => {
  it('are none where a number is written otherwise', () => {
    const networks = [{ ...NETWORK, withdrawFee: '0.0010' }];
    expect(changesOf(COIN, { ...COIN, networks })).toEqual([]);
  });

  it('name the network, with what was before', () => {
    const networks = [{ ...NETWORK, withdrawFee: '0.002', memoRegex: '^\\d+$' }];
    expect(changesOf(COIN, { ...COIN, networks })).toEqual([
      { network: 'LTC', field: 'memoRegex', before: '', after: '^\\d+$' },
      { network: 'LTC', field: 'withdrawFee', before: '0.001', after: '0.002' },
    ]);
  });

  it('of a new coin are all that is not empty', () => {
    const fields = changesOf(undefined, COIN).map(({ field }) => field);
    expect(fields).toContain('symbol');
    expect(fields).toContain('withdrawFee');
    expect(fields).not.toContain('contractAddress');
  });
});
