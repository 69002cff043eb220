import { apply, readAsked, type OrderTerms } from '@rialto/matching';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../../platform/http/refusal.ts';
import { CORE_TIME_MS, coreVenue } from '../../testing/trading/core-venue.ts';
import { formatFixed } from '../amount.ts';
import { isSameRequest, toDecimals, toTerms, type KeptTerms, type NewOrder } from './terms.ts';

const codeOf = (work: () => unknown): string => {
  try {
    work();
    return '';
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
};

const limit = (changes: Partial<NewOrder> = {}): NewOrder => ({
  symbol: 'btcusdt',
  side: 'buy',
  type: 'limit',
  price: '64250.10',
  volume: '0.0150',
  ...changes,
});
const PRECISIONS = { basePrecision: 6, quotePrecision: 2 };

/** A decimal text with its exact value in units of 10^-18. */
const decimal = fc
  .record({
    whole: fc.bigInt({ min: 0n, max: 10n ** 18n }),
    fraction: fc
      .integer({ min: 0, max: 18 })
      .chain((length) =>
        fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length }),
      ),
  })
  .map(({ whole, fraction }) => {
    const digits = fraction.join('');
    return {
      text: digits === '' ? String(whole) : `${whole}.${digits}`,
      units: BigInt(`${whole}${digits.padEnd(18, '0')}`),
    };
  });

const unitsOf = (value: number, decimals: number) => BigInt(value) * 10n ** BigInt(18 - decimals);

describe('numbers of an order', () => {
  it('reach the core exactly, or are refused: nothing is rounded', () => {
    fc.assert(
      fc.property(decimal, decimal, fc.integer({ min: 0, max: 18 }), (one, two, precision) => {
        const precisions = { basePrecision: precision, quotePrecision: precision };
        const asked = { price: one.text, stopPrice: two.text, volume: two.text };
        let got;
        try {
          got = toDecimals(asked, precisions);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          // Only a number that no market with this precision could take is refused here.
          const step = 10n ** BigInt(18 - precision);
          const fits = (units: bigint) => units % step === 0n && units / step <= 10n ** 15n;
          expect(fits(one.units) && fits(two.units)).toBe(false);
          return;
        }
        expect(unitsOf(got.price ?? -1, got.priceDecimals ?? -1)).toBe(one.units);
        expect(unitsOf(got.stopPrice ?? -1, got.priceDecimals ?? -1)).toBe(two.units);
        expect(unitsOf(got.volume ?? -1, got.volumeDecimals ?? -1)).toBe(two.units);
      }),
      { numRuns: 2000 },
    );
  });

  it('a number that fits a market is always accepted', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 18 }),
        fc.bigInt({ min: 1n, max: 10n ** 15n }),
        fc.bigInt({ min: 1n, max: 10n ** 15n }),
        (precision, price, stop) => {
          const precisions = { basePrecision: 0, quotePrecision: precision };
          const asked = {
            price: formatFixed(price, precision),
            stopPrice: formatFixed(stop, precision),
          };
          const got = toDecimals(asked, precisions);
          expect(unitsOf(got.price ?? -1, got.priceDecimals ?? -1)).toBe(
            price * 10n ** BigInt(18 - precision),
          );
        },
      ),
    );
  });

  it('trailing zeros change nothing', () => {
    const terms = toTerms(
      limit({ price: '64250.1000000000000000000000', volume: '1.0' }),
      PRECISIONS,
    );
    expect(terms).toMatchObject({ price: 642501, priceDecimals: 1, volume: 1, volumeDecimals: 0 });
  });

  it.each<[Partial<NewOrder>, string, string]>([
    [{ price: '64250.1000000000001' }, '4005', 'more digits than a number holds, after the point'],
    [{ price: '0.0000000000000000001' }, '4005', 'more decimals than money has'],
    [{ volume: '0.0000000000000000001' }, '4006', 'the same for a volume'],
    [{ price: '99999999999999999999' }, '2003', 'larger than any market admits'],
    [{ volume: '99999999999999999999' }, '2003', 'the same for a volume'],
    [{ total: '0.0000000000000000001' }, '4006', 'more decimals than a total has'],
    [
      { price: '100000', stopPrice: '0.000000000001' },
      '4005',
      'two prices that fit no market together',
    ],
  ])('%j is refused with %s: %s', (changes, code, _why) => {
    expect(codeOf(() => toTerms(limit(changes), PRECISIONS))).toBe(code);
  });

  it('a total is exact to the last of its 18 decimals', () => {
    fc.assert(
      fc.property(decimal, ({ text, units }) => {
        const { price: _, volume: __, ...rest } = limit({ type: 'market', total: text });
        expect(toTerms(rest as NewOrder, PRECISIONS).total).toBe(units);
      }),
    );
  });
});

const request = fc.record(
  {
    side: fc.constantFrom('buy' as const, 'sell' as const),
    price: fc.constantFrom('64250.10', '64250.1', '64250.100', '64250.11'),
    volume: fc.constantFrom('1', '1.0', '1.000000', '2'),
    visibleVolume: fc.constantFrom('1', '1.0', '0.5'),
    timeInForce: fc.constantFrom('GTC' as const, 'GTD' as const),
    expireTime: fc.constantFrom(1_760_000_100_000, 1_760_000_200_000),
    postOnly: fc.boolean(),
    stpMode: fc.constantFrom('expire_taker' as const, 'expire_maker' as const),
  },
  { requiredKeys: ['side', 'price', 'volume'] },
);

/** Without a price it ends as a market order, with one as a limit order. */
const trailing = fc.record(
  {
    side: fc.constant('sell' as const),
    type: fc.constant('trailing_stop' as const),
    trailingDelta: fc.constantFrom(100, 101),
    volume: fc.constantFrom('1', '1.0', '2'),
    price: fc.constantFrom('64000', '64000.0', '64000.01'),
    stopPrice: fc.constantFrom('70000', '70000.00', '70001'),
    stpMode: fc.constantFrom('expire_taker' as const, 'expire_maker' as const),
  },
  { requiredKeys: ['side', 'type', 'trailingDelta', 'volume'] },
);
type Repeated = Partial<NewOrder>;

/** The same request in another spelling, or with one different term. */
const respelled = (first: Repeated, requests: fc.Arbitrary<Repeated>) =>
  fc
    .tuple(requests, fc.subarray(Object.keys(first) as (keyof Repeated)[], { maxLength: 2 }))
    .map(([other, names]): Repeated => ({
      ...first,
      ...Object.fromEntries(names.map((name) => [name, other[name] ?? first[name]])),
    }));

describe('a repeated request', () => {
  it.each([
    ['a limit order', request as fc.Arbitrary<Repeated>],
    ['a trailing stop', trailing as fc.Arbitrary<Repeated>],
  ])('for %s is the same for the projection exactly when it is for the core', (_what, requests) => {
    const counts = { replays: 0, conflicts: 0 };
    const state = coreVenue();
    const time = CORE_TIME_MS;
    let number = 0;
    const both = requests.chain((first) =>
      fc.tuple(fc.constant(first), respelled(first, requests)),
    );
    fc.assert(
      fc.property(both, ([first, second]) => {
        number += 1;
        const { price: _, volume: __, ...bare } = limit();
        const terms = (one: Repeated): OrderTerms =>
          toTerms({ ...bare, ...one, clientOrderId: `id-${number}` }, PRECISIONS);
        const place = (order: OrderTerms) =>
          apply(state, { type: 'place', time, account: 1, order }).result;
        const placed = place(terms(first));
        fc.pre(placed.kind === 'placed');
        if (placed.kind !== 'placed') return;
        const { order } = placed;
        const asked = readAsked(state.ownTape, 0).get(order.orderId);
        if (asked === undefined) throw new Error('an order with a client id has asked terms');
        const kept: KeptTerms = {
          ...order,
          ...asked,
          price: BigInt(asked.price),
          stopPrice: BigInt(asked.stopPrice),
          volume: BigInt(asked.volume),
          visibleVolume: BigInt(asked.visibleVolume),
          expireMs: BigInt(order.expireTime),
          orderListId: BigInt(order.orderListId),
        };
        const result = place(terms(second));
        const isReplay = result.kind === 'placed' && result.replay;
        if (isReplay) counts.replays += 1;
        else {
          expect(result).toMatchObject({ kind: 'rejected', rejection: { code: 4012 } });
          counts.conflicts += 1;
        }
        expect(isSameRequest(kept, terms(second))).toBe(isReplay);
        expect(isSameRequest(kept, terms(first))).toBe(true);
        apply(state, { type: 'cancel_all', time, account: 1 });
      }),
      { numRuns: 500 },
    );
    expect(counts.replays).toBeGreaterThan(50);
    expect(counts.conflicts).toBeGreaterThan(50);
  });
});
