import { describe, expect, it } from 'vitest';
import { findCoinProblems } from '../../server/src/trading/coins/rules.ts';
import { CHAINS, type Chain, type ChainSymbol } from './data/chains.ts';
import { COINS } from './data/coins.ts';
import { MARKETS } from './data/markets.ts';
import { CAST, EXTRAS } from './data/people.ts';
import { toCoin } from './world.ts';

/** A real address of each chain, and an invalid one. */
const ADDRESSES: Record<ChainSymbol, [string, string]> = {
  BTC: ['bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdO'],
  ETH: ['0xde0B295669a9FD93d5F28D9Ec85E40f4cb697BAe', 'de0B295669a9FD93d5F28D9Ec85E40f4cb697BAe'],
  BSC: ['0x8894E0a0c962CB723c1976a4421c95949bE2D4E3', '0x8894E0a0c962CB723c1976a4421c95949bE2D4'],
  ARBITRUM: [
    '0xB38e8c17e38363aF6EbdCb3dAE12e0243582891D',
    '0xB38e8c17e38363aF6EbdCb3dAE12e0243582891Z',
  ],
  TRX: ['TNXoiAJ3dct8Fjg4M9fkLFh9S2v9TXc32G', 'ANXoiAJ3dct8Fjg4M9fkLFh9S2v9TXc32G'],
  SOL: [
    '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
    '0WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
  ],
  TON: [
    'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N',
    'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2',
  ],
  XRP: ['rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh', 'xEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh'],
  DOGE: ['DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L', 'LH5yaieqoZN36fDVciNyRueRGvGLR3mr7L'],
  LTC: [
    'ltc1qhw80dfq2myx3rqj9mzmx2wtd4p4w3wkxsvm4q0',
    'bc1qhw80dfq2myx3rqj9mzmx2wtd4p4w3wkxsvm4q0',
  ],
};

describe('chains', () => {
  for (const [symbol, chain] of Object.entries(CHAINS) as [ChainSymbol, Chain][]) {
    it(`${symbol} accepts its own addresses and has complete explorer URLs`, () => {
      const [good, bad] = ADDRESSES[symbol];
      const form = new RegExp(chain.addressRegex, 'u');
      expect(form.test(good)).toBe(true);
      expect(form.test(bad)).toBe(false);
      expect(chain.addressUrl).toContain('{address}');
      expect(chain.transactionUrl).toContain('{txid}');
      expect(chain.nameFa).toMatch(/\p{Script=Arabic}/u);
    });
  }
});

describe('coins', () => {
  it('are accepted by the venue', () => {
    for (const coin of COINS) expect(findCoinProblems(toCoin(coin)), coin.symbol).toEqual([]);
  });

  it('are at least eight, each with a Persian name, and most with several networks', () => {
    expect(COINS.length).toBeGreaterThanOrEqual(8);
    for (const coin of COINS) {
      expect(coin.nameFa).toMatch(/\p{Script=Arabic}/u);
      if (coin.symbol !== 'irt') expect(coin.networks.length).toBeGreaterThanOrEqual(2);
    }
    expect(COINS.find(({ symbol }) => symbol === 'irt')?.networks).toEqual([]);
  });

  it('have exactly one default network, and contracts that are addresses of their chain', () => {
    for (const coin of COINS) {
      const rows = Object.values(toCoin(coin).networks);
      if (rows.length > 0) expect(rows.filter((row) => row.isDefault)).toHaveLength(1);
      for (const row of rows) {
        if (row.contractAddress === '') continue;
        expect(row.contractAddress).toMatch(new RegExp(row.addressRegex));
        expect(row.contractAddressUrl).toContain(row.contractAddress);
      }
      for (const row of rows)
        expect(Number(row.withdrawPrecision)).toBeLessThanOrEqual(Number(row.tokenDecimal));
    }
  });

  it('need a memo where their chain does', () => {
    const rows = COINS.flatMap((coin) =>
      Object.values(toCoin(coin).networks).map((row) => ({ ...row, coin: coin.symbol })),
    );
    const withMemo = rows
      .filter((row) => row.memoRequired)
      .map((row) => `${row.coin} ${row.NetworkSymbol}`);
    expect(withMemo).toEqual(['usdt TON', 'xrp XRP', 'ton TON']);
  });
});

it('markets trade known coins, exactly, and one of them is not open', () => {
  const known = COINS.map(({ symbol }) => symbol);
  expect(MARKETS.length).toBeGreaterThanOrEqual(6);
  for (const { base, quote, basePrecision, quotePrecision } of MARKETS) {
    expect(known).toContain(base);
    expect(known).toContain(quote);
    expect(basePrecision + quotePrecision).toBeLessThanOrEqual(18);
  }
  expect(MARKETS.filter(({ phase }) => phase !== 'continuous')).toHaveLength(1);
});

it('there is one owner, and no two people share an address', () => {
  const people = [...Object.values(CAST), ...EXTRAS];
  expect(people.filter(({ role }) => role === 'owner')).toHaveLength(1);
  expect(new Set(people.map(({ email }) => email)).size).toBe(people.length);
});
