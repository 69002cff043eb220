import { describe, expect, it } from 'vitest';
import { toPreventedMatch, type PreventedRow } from './match.ts';

const row: PreventedRow = {
  engineSeq: 9n,
  number: 0,
  symbol: 'btcusdt',
  takerOrderId: 11n,
  makerOrderId: 12n,
  takerAccountId: 1n,
  makerAccountId: 2n,
  price: 6_410_000n,
  priceDecimals: 2,
  volume: 4_000n,
  volumeDecimals: 6,
  mode: 'decrement',
  timeMs: 5n,
};

describe('a prevented match between two accounts of a family', () => {
  it('names to each of them its own order only', () => {
    expect(toPreventedMatch(row, 1n)).toMatchObject({
      takerOrderId: '11',
      makerOrderId: '',
      role: 'taker',
      price: '64100.00',
      volume: '0.004000',
    });
    expect(toPreventedMatch(row, 2n)).toMatchObject({
      takerOrderId: '',
      makerOrderId: '12',
      role: 'maker',
    });
  });

  it('names both to the account that has both', () => {
    expect(toPreventedMatch({ ...row, makerAccountId: 1n }, 1n)).toMatchObject({
      takerOrderId: '11',
      makerOrderId: '12',
      role: 'both',
    });
  });
});
