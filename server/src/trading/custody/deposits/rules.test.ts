import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { creditsOf, feeOf, reachesMinimum, toIncoming, type CoinTerms } from './rules.ts';

const TERMS: CoinTerms = {
  coin: 'ltc',
  contract: '',
  decimals: 8,
  confirmations: 6,
  minimum: 100n,
  fee: 0n,
  isActive: true,
};
const ready = {
  depositId: 1n,
  network: 'LTC',
  txid: 'ab',
  place: '0',
  generation: 0,
  coin: 'ltc',
  accountId: 7n as bigint | null,
  amount: 500n,
};
const amount = fc.bigInt(1n, 10n ** 36n);

describe('what comes in', () => {
  const terms = new Map([['', TERMS]]);
  it('is counted in units of the ledger, and waits as long as coin and chain demand', () => {
    const incoming = toIncoming({ contract: '', units: 5n, maturity: 100 }, terms);
    expect(incoming).toEqual({ coin: 'ltc', amount: 50_000_000_000n, needed: 100, held: '' });
    expect(toIncoming({ contract: '', units: 5n, maturity: 0 }, terms)?.needed).toBe(6);
  });

  it('of a coin that is not listed is nothing', () => {
    expect(toIncoming({ contract: '0xaa', units: 5n, maturity: 0 }, terms)).toBeUndefined();
  });

  it('is held where the ledger cannot hold it', () => {
    const fine = new Map([['', { ...TERMS, decimals: 20 }]]);
    const of = (units: bigint) => toIncoming({ contract: '', units, maturity: 0 }, fine);
    expect(of(101n)).toMatchObject({ held: 'precision', amount: 0n });
    expect(of(10n ** 38n)).toMatchObject({ held: '', amount: 10n ** 36n });
    expect(of(10n ** 38n + 100n)).toMatchObject({ held: 'too_large' });
  });
});

describe('credits', () => {
  it('of a deposit add up to it, and none is empty', () => {
    fc.assert(
      fc.property(amount, amount, (whole, fee) => {
        const taken = feeOf({ amount: whole }, { fee });
        const credits = creditsOf({ ...ready, amount: whole }, taken);
        expect(credits.reduce((sum, credit) => sum + credit.amount, 0n)).toBe(whole);
        expect(credits.every((credit) => credit.amount > 0n)).toBe(true);
        expect(new Set(credits.map(({ depositId }) => depositId)).size).toBe(credits.length);
      }),
    );
  });

  it('have an id of their own for each time, and go to suspense where nobody is known', () => {
    expect(creditsOf(ready, 0n)).toEqual([
      {
        type: 'credit_deposit',
        network: 'LTC',
        coin: 'ltc',
        depositId: 'ab:0',
        to: 7,
        amount: 500n,
      },
    ]);
    const again = creditsOf({ ...ready, generation: 2, accountId: null }, 1n);
    expect(again.map(({ depositId, to, amount: of }) => [depositId, to, of])).toEqual([
      ['ab:0~2', 'suspense', 499n],
      ['ab:0~2:fee', 'adjustments', 1n],
    ]);
  });

  it('wait until the sum reaches the minimum', () => {
    expect(reachesMinimum([{ amount: 60n }, { amount: 39n }], TERMS)).toBe(false);
    expect(reachesMinimum([{ amount: 60n }, { amount: 40n }], TERMS)).toBe(true);
    expect(reachesMinimum([], { minimum: 0n })).toBe(true);
  });
});
