import type { Order as EngineOrder } from '@rialto/matching';
import { describe, expect, it } from 'vitest';
import { isSameLeg, keptOf, legsOf, toBracketTerms, toOcoTerms, type NewOco } from './terms.ts';

const PRECISIONS = { basePrecision: 6, quotePrecision: 2 };
const OCO: NewOco = {
  symbol: 'btcusdt',
  side: 'sell',
  volume: '0.01',
  limitPrice: '66000',
  stopPrice: '63000.5',
};
const BRACKET = {
  symbol: 'btcusdt',
  side: 'buy' as const,
  type: 'limit' as const,
  price: '64000.00',
  volume: '0.01',
  takeProfitPrice: '66000',
  stopLossPrice: '63000.5',
};

describe('an OCO', () => {
  it('is two orders of one size, with prices of one count of decimals', () => {
    const list = toOcoTerms({ ...OCO, stopLimitPrice: '62900.25' }, PRECISIONS);
    expect(list).toEqual({
      kind: 'oco',
      symbol: 'btcusdt',
      side: 'sell',
      volume: 1,
      volumeDecimals: 2,
      limitPrice: 6_600_000,
      stopPrice: 6_300_050,
      stopLimitPrice: 6_290_025,
      priceDecimals: 2,
    });
    const shared = { symbol: 'btcusdt', side: 'sell', volume: 1, volumeDecimals: 2 };
    expect(legsOf(list)).toEqual([
      { ...shared, type: 'limit', price: 6_600_000, priceDecimals: 2 },
      { ...shared, type: 'stop_limit', stopPrice: 6_300_050, price: 6_290_025, priceDecimals: 2 },
    ]);
  });

  it('ends in a market order without a limit of the stop', () => {
    const [, stop] = legsOf(toOcoTerms({ ...OCO, stopClientOrderId: 'b' }, PRECISIONS));
    expect(stop).toMatchObject({ type: 'stop_market', clientOrderId: 'b' });
    expect(stop).not.toHaveProperty('price');
  });

  it.each([
    ['stopPrice', { stopPrice: '63000.123456789012345678' }, '4005'],
    ['stopLimitPrice', { stopLimitPrice: '9'.repeat(30) }, '2003'],
    ['volume', { volume: '0.0000000000000000001' }, '4006'],
  ])('with a number that fits no market is refused: %s', (parameter, change, code) => {
    const refusal = { code, fields: expect.objectContaining({ parameter }) as object };
    expect(() => toOcoTerms({ ...OCO, ...change }, PRECISIONS)).toThrow(
      expect.objectContaining(refusal) as Error,
    );
  });

  it('with more decimals than its market is left to the core, which knows the market', () => {
    expect(toOcoTerms({ ...OCO, limitPrice: '66000.001' }, PRECISIONS).priceDecimals).toBe(3);
  });
});

describe('a bracket', () => {
  it('is its entry and two exits of the other side, without a volume of their own', () => {
    const list = toBracketTerms({ ...BRACKET, takeProfitClientOrderId: 'tp' }, PRECISIONS);
    const [entry, profit, loss] = legsOf(list);
    expect(entry).toMatchObject({ side: 'buy', type: 'limit', price: 64_000, volume: 1 });
    expect(profit).toEqual({
      symbol: 'btcusdt',
      side: 'sell',
      type: 'limit',
      price: 660_000,
      priceDecimals: 1,
      clientOrderId: 'tp',
    });
    expect(loss).toMatchObject({ side: 'sell', type: 'stop_market', stopPrice: 630_005 });
  });
});

describe('a leg that was kept', () => {
  const [limit, stop] = legsOf(toOcoTerms(OCO, PRECISIONS));
  const order = {
    symbol: 'btcusdt',
    side: 'sell',
    type: 'limit',
    timeInForce: 'GTC',
    postOnly: false,
    stpMode: 'expire_taker',
    priceDecimals: 2,
    volumeDecimals: 6,
    price: 6_600_000,
    stopPrice: 0,
    trailingDelta: 0,
    orderListId: 7,
    volume: 10_000,
    total: 0n,
    visibleVolume: 0,
    expireTime: 0,
  } as EngineOrder;

  it('is the same in another spelling, and different with any other term', () => {
    if (limit === undefined || stop === undefined) throw new Error('an OCO has two legs');
    const kept = keptOf(order, limit);
    expect(isSameLeg(kept, limit)).toBe(true);
    expect(isSameLeg({ ...kept, price: kept.price + 1n }, limit)).toBe(false);
    expect(isSameLeg({ ...kept, volume: kept.volume + 1n }, limit)).toBe(false);
    expect(isSameLeg({ ...kept, side: 'buy' }, limit)).toBe(false);
    expect(isSameLeg(kept, stop)).toBe(false);
  });

  it('has any volume where the request named none', () => {
    const [, profit] = legsOf(toBracketTerms(BRACKET, PRECISIONS));
    if (profit === undefined) throw new Error('a bracket has three legs');
    const kept = keptOf(order, profit);
    expect(isSameLeg(kept, profit)).toBe(true);
    expect(isSameLeg({ ...kept, volume: 5n }, profit)).toBe(true);
    expect(isSameLeg({ ...kept, price: 5n }, profit)).toBe(false);
  });
});
