import { describe, expect, test } from 'vitest';
import { COIN, LOT, TICK_LOT, Venue, describe as kindOf } from '../../sim/example.ts';
import { apply, audit, findOrder, restore, snapshot, stateHash } from '../index.ts';
import type { Order, OrderTerms } from '../index.ts';

/** Makes one trade at the price. */
function tradeAt(venue: Venue, price: number): void {
  venue.sell(1, price, 1);
  venue.buy(2, price, 1);
}

function opened(options: ConstructorParameters<typeof Venue>[0] = {}): Venue {
  const venue = new Venue(options);
  tradeAt(venue, 1000);
  return venue;
}

const now = (venue: Venue, { orderId, account }: Order): Order | undefined =>
  findOrder(venue.state, account, { orderId });

const SELL = { type: 'trailing_stop', side: 'sell', volume: 2, trailingDelta: 100 } as const;
const limitBuy = { type: 'trailing_stop', side: 'buy', trailingDelta: 100 } as const;
const BUY = { ...limitBuy, total: COIN } as const;

describe('a trailing stop', () => {
  test('sells when the price has come back from its highest by the delta', () => {
    const venue = opened();
    const stop = venue.placed(3, SELL);
    expect(stop).toMatchObject({ status: 'pending', trailingDelta: 100, held: 2n * LOT });
    for (const price of [1000, 1050, 1100, 1090, 1101]) tradeAt(venue, price);
    // 1101 · 0.99 = 1089.99
    tradeAt(venue, 1090);
    expect(now(venue, stop)).toMatchObject({ status: 'pending', engineSeq: stop.engineSeq });
    venue.buy(2, 1080, 5);
    tradeAt(venue, 1089);
    expect(venue.steps.map((s) => s.cause)).toEqual(['command', 'trigger']);
    expect(now(venue, stop)).toMatchObject({ status: 'filled', triggeredAt: venue.time });
    expect(audit(venue.state)).toEqual([]);
  });

  test('buys when the price has risen from its lowest by the delta', () => {
    const venue = opened();
    const stop = venue.placed(3, { ...limitBuy, price: 1000, volume: 1 });
    expect(stop).toMatchObject({ status: 'pending', held: 1000n * TICK_LOT, timeInForce: 'GTC' });
    for (const price of [1000, 950, 901, 910]) tradeAt(venue, price);
    // 901 · 1.01 = 910.01
    expect(now(venue, stop)?.status).toBe('pending');
    tradeAt(venue, 911);
    expect(now(venue, stop)).toMatchObject({ status: 'open', type: 'trailing_stop', price: 1000 });
  });

  test('counts only trades after its placement', () => {
    const venue = opened();
    tradeAt(venue, 1200);
    const stop = venue.placed(3, SELL);
    tradeAt(venue, 1000);
    expect(now(venue, stop)?.status).toBe('pending');
    tradeAt(venue, 990);
    expect(now(venue, stop)?.status).not.toBe('pending');
  });

  test('with an activation price begins to follow when a trade reaches it', () => {
    const venue = opened();
    const stop = venue.placed(3, { ...SELL, stopPrice: 1100 });
    for (const price of [1099, 900, 1000]) tradeAt(venue, price);
    expect(now(venue, stop)?.status).toBe('pending');
    tradeAt(venue, 1150);
    expect(now(venue, stop)).toMatchObject({ status: 'pending', stopPrice: 1100 });
    tradeAt(venue, 1138);
    expect(now(venue, stop)?.status).not.toBe('pending');
  });

  test('fires in the order of placement, beside other stops', () => {
    const venue = opened();
    const ids = [
      venue.placed(3, { ...SELL, volume: 1 }),
      venue.placed(3, { type: 'stop_market', side: 'sell', stopPrice: 985, volume: 1 }),
      venue.placed(3, { ...SELL, volume: 1, trailingDelta: 50 }),
      venue.placed(3, { ...SELL, volume: 1 }),
    ].map((o) => o.orderId);
    tradeAt(venue, 1001);
    venue.sell(1, 985, 1);
    venue.buy(2, 984, 9);
    venue.buy(2, 985, 1);
    const fired = venue.steps.filter((s) => s.cause === 'trigger');
    expect(fired.map((s) => s.orders.find((o) => ids.includes(o.orderId))?.orderId)).toEqual(ids);
  });

  test('is tested without being placed', () => {
    const venue = opened();
    const order: OrderTerms = { symbol: 'btcusdt', volumeDecimals: 2, ...SELL };
    const { result } = venue.do({ type: 'test', account: 3, order });
    expect(result).toMatchObject({ kind: 'tested', fills: [], hold: 2n * LOT, holdCoin: 'btc' });
  });
});

describe('the terms of a trailing stop', () => {
  test('are refused where they do not fit', () => {
    const venue = new Venue({ market: { minimumQuoteSize: COIN, maxConditionalOrders: 2 } });
    const place = (terms: object): unknown => kindOf(venue.place(3, { ...SELL, ...terms }));
    expect(place({ volume: 100 })).toBe(4018);
    tradeAt(venue, 1000);
    expect(place({ trailingDelta: undefined })).toBe(2001);
    for (const trailingDelta of [9, 2_001, 10.5, NaN]) expect(place({ trailingDelta })).toBe(2003);
    expect(place({ type: 'stop_market', stopPrice: 900 })).toBe(2009);
    expect(place({ type: 'limit', price: 1000 })).toBe(2009);
    expect(place({ total: COIN })).toBe(2009);
    expect(place({ timeInForce: 'GTC' })).toBe(2009);
    expect(place({ ...BUY, volume: 1 })).toBe(2009);
    // The last price is 100, so a lot is worth 1.
    expect(place({ volume: undefined })).toBe(2001);
    expect(place({ stopPrice: 1000 })).toBe(4016);
    expect(place({ ...BUY, volume: undefined, stopPrice: 1000 })).toBe(4016);
    expect(place({ stopPrice: 499 })).toBe(4009);
    expect(place({ volume: 1, price: 99 })).toBe(4009);
    expect(place({})).toBe('placed');
    expect(place({ ...BUY, volume: undefined, stopPrice: 999 })).toBe('placed');
    expect(place({})).toBe(4015);
  });

  test('are unknown to older rules', () => {
    for (const rules of [1, 2, 3]) {
      const venue = opened({ core: { rules } });
      const result = venue.place(3, SELL);
      expect(result).toMatchObject({ rejection: { code: 2002, details: { parameter: 'type' } } });
      // The member itself was not looked at.
      expect(kindOf(venue.place(3, { price: 900, volume: 1, trailingDelta: 50 }))).toBe('placed');
    }
  });

  test('belong to a client id', () => {
    const venue = opened();
    const terms = { ...SELL, stopPrice: 1100, clientOrderId: 'a' };
    venue.placed(3, terms);
    expect(venue.place(3, terms)).toMatchObject({ kind: 'placed', replay: true });
    expect(kindOf(venue.place(3, { ...terms, trailingDelta: 101 }))).toBe(4012);
    expect(kindOf(venue.place(3, { ...terms, stopPrice: 1101 }))).toBe(4012);
    expect(kindOf(venue.place(3, { ...terms, price: 900 }))).toBe(4012);
    venue.do({ type: 'amend', account: 3, clientOrderId: 'a', stopPrice: 1200, priceDecimals: 1 });
    expect(venue.place(3, terms)).toMatchObject({ replay: true, order: { stopPrice: 1200 } });
  });

  test('can be amended, the activation price only until it is reached', () => {
    const venue = opened();
    const { orderId } = venue.placed(3, { ...SELL, stopPrice: 1100 });
    const amend = (terms: object): unknown =>
      kindOf(
        venue.do({
          type: 'amend',
          account: 3,
          orderId,
          priceDecimals: 1,
          volumeDecimals: 2,
          ...terms,
        }).result,
      );
    expect(amend({ stopPrice: 1000 })).toBe(4016);
    expect(amend({ stopPrice: 1010 })).toBe('amended');
    expect(amend({ price: 900 })).toBe(2009);
    expect(amend({ volume: 3 })).toBe('amended');
    expect(venue.balance(3, 'btc').hold).toBe(3n * LOT);
    tradeAt(venue, 1010);
    expect(amend({ stopPrice: 1200 })).toBe(2009);
    expect(amend({ volume: 1 })).toBe('amended');
    // A trailing stop without one was active from the beginning.
    const other = venue.placed(3, SELL);
    expect(
      kindOf(venue.do({ type: 'amend', account: 3, orderId: other.orderId, stopPrice: 1 }).result),
    ).toBe(2009);
    expect(audit(venue.state)).toEqual([]);
  });
});

describe('a trailing stop in a market that halts', () => {
  const halting = { market: { haltPpm: 100_000, priceBandPpm: 1_000_000 } };

  test('follows the trades of the step that halts, and fires when trading resumes', () => {
    const venue = opened(halting);
    venue.time += 400_000;
    const stop = venue.placed(3, SELL);
    venue.sell(1, 1200, 1);
    venue.buy(2, 1200, 1);
    expect(venue.steps[0]?.phases[0]?.phase).toBe('halted');
    venue.do({ type: 'set_phase', symbol: 'btcusdt', phase: 'continuous' });
    tradeAt(venue, 1189);
    expect(now(venue, stop)?.status).toBe('pending');
    // 1200 · 0.99 = 1188
    tradeAt(venue, 1188);
    expect(now(venue, stop)?.status).not.toBe('pending');
  });

  test('that fired too late keeps waiting, with what traded in between', () => {
    const venue = opened({ market: { ...halting.market, marketSlippagePpm: 500_000 } });
    venue.time += 400_000;
    // 990 fires both. The first then buys at 1200, which halts the market before the second runs.
    const stopPrice = 990;
    const first = venue.placed(3, { type: 'take_profit_market', stopPrice, total: 2n * COIN });
    const second = venue.placed(3, SELL);
    tradeAt(venue, 1000);
    venue.sell(1, 1200, 100);
    tradeAt(venue, 990);
    expect(venue.steps.map((s) => s.cause)).toEqual(['command', 'trigger']);
    expect(now(venue, first)?.status).toBe('filled');
    expect(now(venue, second)?.status).toBe('pending');
    expect(audit(venue.state)).toEqual([]);
    const copy = restore(snapshot(venue.state));
    expect(audit(copy)).toEqual([]);
    venue.do({ type: 'set_phase', symbol: 'btcusdt', phase: 'continuous' });
    tradeAt(venue, 1189);
    expect(now(venue, second)?.status).toBe('pending');
    // 1200 · 0.99 = 1188
    tradeAt(venue, 1188);
    expect(now(venue, second)?.status).not.toBe('pending');
  });

  test('does not take the look back at the last price for a trade', () => {
    const venue = opened();
    const stop = venue.placed(3, SELL);
    venue.do({ type: 'set_phase', symbol: 'btcusdt', phase: 'halted' });
    venue.do({ type: 'set_phase', symbol: 'btcusdt', phase: 'continuous' });
    tradeAt(venue, 900);
    expect(now(venue, stop)?.status).toBe('pending');
    tradeAt(venue, 891);
    expect(now(venue, stop)?.status).not.toBe('pending');
  });
});

describe('a trailing stop ends', () => {
  test('by cancel, expiry, suspension, sweep and delisting, in whatever state it is', () => {
    const ends: Array<[string, (venue: Venue, orderId: number) => void]> = [
      ['user', (venue, orderId) => venue.do({ type: 'cancel', account: 3, orderId })],
      ['cancel_all', (venue) => venue.do({ type: 'cancel_all', account: 3 })],
      [
        'admin',
        (venue) =>
          venue.do({ type: 'suspend_account', account: 3, suspended: true, cancelOrders: true }),
      ],
      ['admin', (venue) => venue.do({ type: 'cancel_market', symbol: 'btcusdt', side: 'sell' })],
      [
        'market_closed',
        (venue) => venue.do({ type: 'set_phase', symbol: 'btcusdt', phase: 'delisted' }),
      ],
      [
        'gtd',
        (venue) => {
          venue.time += 10_000;
          venue.do({ type: 'tick' });
        },
      ],
    ];
    for (const [reason, end] of ends) {
      for (const trades of [[], [1000], [1200], [1200, 1190]]) {
        for (const stopPrice of [undefined, 1100]) {
          const venue = opened();
          const expireTime = venue.time + 10_000;
          const terms = { ...SELL, price: 900, timeInForce: 'GTD', expireTime } as const;
          const stop = venue.placed(3, stopPrice === undefined ? terms : { ...terms, stopPrice });
          const other = venue.placed(2, SELL);
          for (const price of trades) tradeAt(venue, price);
          end(venue, stop.orderId);
          expect(now(venue, stop)?.statusReason).toBe(reason);
          expect(venue.balance(3, 'btc').hold).toBe(0n);
          expect(audit(venue.state)).toEqual([]);
          const swept = reason === 'market_closed' || (reason === 'admin' && end === ends[3]?.[1]);
          expect(now(venue, other)?.status).toBe(swept ? 'canceled' : 'pending');
        }
      }
    }
  });

  test('in steps, by id, after the other orders of a swept market', () => {
    const venue = opened({ core: { sweepStep: 2 } });
    const trails = [SELL, BUY, SELL, { ...SELL, stopPrice: 1100 }, SELL].map((terms) =>
      venue.placed(3, terms),
    );
    const stop = venue.placed(3, { type: 'stop_market', side: 'sell', stopPrice: 900, volume: 1 });
    tradeAt(venue, 1001);
    const ids: number[] = [];
    let { result } = venue.do({ type: 'cancel_market', symbol: 'btcusdt', side: 'sell' });
    for (let i = 0; i < 9 && 'orderIds' in result; i++) {
      ids.push(...result.orderIds);
      ({ result } = venue.do({ type: 'sweep' }));
    }
    const sells = trails.filter((o) => o.side === 'sell').map((o) => o.orderId);
    expect(ids).toEqual([stop.orderId, ...sells]);
    expect(now(venue, trails[1]!)?.status).toBe('pending');
    expect(audit(venue.state)).toEqual([]);
  });
});

describe('the extreme of a trailing stop', () => {
  test('is part of the snapshot', () => {
    const venue = opened();
    for (const trailingDelta of [100, 100, 200]) {
      venue.placed(3, { ...SELL, trailingDelta });
      venue.placed(3, { ...BUY, trailingDelta, stopPrice: 980 });
      tradeAt(venue, 1000 + trailingDelta);
      tradeAt(venue, 1095);
    }
    const copy = restore(snapshot(venue.state));
    expect(snapshot(copy)).toEqual(snapshot(venue.state));
    expect(audit(copy)).toEqual([]);
    for (const price of [1100, 979, 1080, 1000, 990]) {
      for (const [account, side] of [
        [1, 'sell'],
        [2, 'buy'],
      ] as const) {
        const command = {
          type: 'place',
          time: venue.time,
          account,
          order: {
            symbol: 'btcusdt',
            side,
            type: 'limit',
            price,
            priceDecimals: 1,
            volume: 1,
            volumeDecimals: 2,
          },
        } as const;
        expect(apply(copy, command)).toEqual(apply(venue.state, command));
      }
      expect(stateHash(copy)).toBe(stateHash(venue.state));
    }
  });

  test('is expressed in finer ticks when the precision changes', () => {
    const venue = opened();
    const stop = venue.placed(3, SELL);
    tradeAt(venue, 1001);
    const { config } = venue.state.markets[0]!;
    venue.do({
      type: 'configure_market',
      config: {
        ...config,
        quotePrecision: 2,
        minimumPriceTicks: 10,
        maximumPriceTicks: 10_000_000,
        listingPriceTicks: 10_000,
      },
    });
    expect(audit(venue.state)).toEqual([]);
    const at = (price: number): void => {
      venue.sell(1, price, 1, { priceDecimals: 2 });
      venue.buy(2, price, 1, { priceDecimals: 2 });
    };
    // 10010 · 0.99 = 9909.9
    at(9910);
    expect(now(venue, stop)?.status).toBe('pending');
    at(9909);
    expect(now(venue, stop)?.status).not.toBe('pending');
  });
});
