import {
  apply,
  readAsked,
  type AskedTerms,
  type ListTerms,
  type Order as EngineOrder,
} from '@rialto/matching';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CORE_TIME_MS, coreVenue } from '../../testing/trading/core-venue.ts';
import type { KeptTerms } from '../orders/terms.ts';
import { isSameList, legsOf, toBracketTerms, toOcoTerms, type NewOco } from './terms.ts';

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

describe('a repeated request', () => {
  const oco = fc.record(
    {
      symbol: fc.constant('btcusdt'),
      side: fc.constant('sell' as const),
      volume: fc.constantFrom('1', '1.0', '2'),
      limitPrice: fc.constantFrom('66000', '66000.0', '66000.01'),
      stopPrice: fc.constantFrom('63000', '63000.00', '63000.01'),
      stopLimitPrice: fc.constantFrom('62000', '62000.0', '62001'),
      stpMode: fc.constantFrom('expire_taker' as const, 'expire_maker' as const),
      limitClientOrderId: fc.constantFrom('a', 'b'),
      stopClientOrderId: fc.constantFrom('c', 'd'),
    },
    { requiredKeys: ['symbol', 'side', 'volume', 'limitPrice', 'stopPrice'] },
  );
  const bracket = fc.record(
    {
      symbol: fc.constant('btcusdt'),
      side: fc.constant('buy' as const),
      type: fc.constant('limit' as const),
      price: fc.constantFrom('64000', '64000.0', '64000.01'),
      volume: fc.constantFrom('1', '1.0', '2'),
      takeProfitPrice: fc.constantFrom('66000', '66000.0', '66000.01'),
      stopLossPrice: fc.constantFrom('63000', '63000.00', '63000.01'),
      stopLossLimitPrice: fc.constantFrom('62000', '62000.0', '62001'),
      postOnly: fc.boolean(),
      clientOrderId: fc.constantFrom('e', 'f'),
      takeProfitClientOrderId: fc.constantFrom('a', 'b'),
      stopLossClientOrderId: fc.constantFrom('c', 'd'),
    },
    {
      requiredKeys: [
        'symbol',
        'side',
        'type',
        'price',
        'volume',
        'takeProfitPrice',
        'stopLossPrice',
      ],
    },
  );
  const lists = fc.oneof(
    oco.map((asked) => ({ asked, toList: () => toOcoTerms(asked, PRECISIONS) })),
    bracket.map((asked) => ({ asked, toList: () => toBracketTerms(asked, PRECISIONS) })),
  );

  it('is the same for the projection exactly when it is for the core', () => {
    const counts = { replays: 0, conflicts: 0 };
    const time = CORE_TIME_MS;
    let number = 0;
    const state = coreVenue();
    /** Ids of this round, so that earlier lists are not in the way. */
    const ofRound = (list: ListTerms): ListTerms =>
      JSON.parse(JSON.stringify(list), (name, value: unknown) =>
        /clientOrderId$/i.test(name) ? `${String(value)}-${number}` : value,
      ) as ListTerms;
    const both = fc.tuple(lists, lists, fc.boolean());
    fc.assert(
      fc.property(both, ([first, other, isMixed]) => {
        number += 1;
        const list = ofRound(first.toList());
        const second = isMixed
          ? ofRound(other.toList())
          : ({ ...list, ...pickOne(ofRound(other.toList()), list, number) } as ListTerms);
        const place = (one: ListTerms) =>
          apply(state, { type: 'place_list', time, account: 1, list: one }).result;
        const placed = place(list);
        if (placed.kind !== 'listed') throw new Error(JSON.stringify(placed.kind));
        const asked = readAsked(state.ownTape, 0);
        const kept = new Map(
          placed.orders.flatMap((order) => {
            const terms = asked.get(order.orderId);
            return terms === undefined ? [] : [[order.orderId, toKept(order, terms)] as const];
          }),
        );
        expect(isSameList(list, placed.orders, kept)).toBe(true);
        const ids = new Set(placed.orders.map(({ clientOrderId }) => clientOrderId));
        const isAbout = legsOf(second).some(({ clientOrderId = '-' }) => ids.has(clientOrderId));
        if (isAbout) {
          const result = place(second);
          const isReplay = result.kind === 'listed' && result.replay;
          if (isReplay) counts.replays += 1;
          else {
            expect(result).toMatchObject({ kind: 'rejected', rejection: { code: 4012 } });
            counts.conflicts += 1;
          }
          expect(isSameList(second, placed.orders, kept)).toBe(isReplay);
        }
        apply(state, { type: 'cancel_all', time, account: 1 });
      }),
      { numRuns: 500 },
    );
    expect(counts.replays).toBeGreaterThan(30);
    expect(counts.conflicts).toBeGreaterThan(100);
  });
});

/** One member of another list of the same kind, chosen by the number. */
function pickOne(other: ListTerms, list: ListTerms, number: number): Partial<ListTerms> {
  if (other.kind !== list.kind || other.priceDecimals !== list.priceDecimals) return {};
  const entries = Object.entries(other);
  return Object.fromEntries([entries[number % entries.length] ?? []]) as Partial<ListTerms>;
}

const toKept = (order: EngineOrder, asked: AskedTerms): KeptTerms => ({
  ...order,
  ...asked,
  price: BigInt(asked.price),
  stopPrice: BigInt(asked.stopPrice),
  volume: BigInt(asked.volume),
  visibleVolume: BigInt(asked.visibleVolume),
  expireMs: BigInt(order.expireTime),
  orderListId: BigInt(order.orderListId),
});
