import { describe, expect, test } from 'vitest';
import { LOT, TICK_LOT, Venue, describe as kindOf } from '../../sim/example.ts';
import type { VenueOptions } from '../../sim/example.ts';
import { audit, findList, findOrder, restore, snapshot, stateHash } from '../index.ts';
import type { BracketTerms, OcoTerms, Order, OrderTerms, Result } from '../index.ts';

/** Makes one trade at the price. */
function tradeAt(venue: Venue, price: number): void {
  venue.sell(1, price, 1);
  venue.buy(2, price, 1);
}

function openVenue(options: VenueOptions = {}): Venue {
  const venue = new Venue(options);
  tradeAt(venue, 1000);
  return venue;
}

function oco(venue: Venue, terms: Partial<OcoTerms> = {}, account = 3): Result {
  const list: OcoTerms = {
    kind: 'oco',
    symbol: 'btcusdt',
    side: 'sell',
    volume: 10,
    volumeDecimals: 2,
    limitPrice: 1020,
    stopPrice: 980,
    priceDecimals: 1,
    ...terms,
  };
  return venue.do({ type: 'place_list', account, list, checkpoint: Infinity }).result;
}

const BUY: Partial<OcoTerms> = {
  side: 'buy',
  limitPrice: 980,
  stopPrice: 1020,
  stopLimitPrice: 1030,
};

function bracket(
  venue: Venue,
  entry: Partial<OrderTerms> = {},
  terms: Partial<BracketTerms> = {},
): Result {
  const list: BracketTerms = {
    kind: 'bracket',
    entry: {
      symbol: 'btcusdt',
      side: 'buy',
      type: 'limit',
      price: 990,
      volume: 10,
      priceDecimals: 1,
      volumeDecimals: 2,
      ...entry,
    },
    takeProfitPrice: 1040,
    stopLossPrice: 950,
    priceDecimals: 1,
    ...terms,
  };
  return venue.do({ type: 'place_list', account: 3, list, checkpoint: Infinity }).result;
}

function ordersOf(result: Result): Order[] {
  if (result.kind !== 'listed') throw new Error(`not listed: ${kindOf(result)}`);
  return result.orders;
}

const stand = (venue: Venue, order: Order | undefined): Order =>
  findOrder(venue.state, 3, { orderId: order?.orderId ?? 0 })!;

function expectSound(venue: Venue): void {
  expect(audit(venue.state)).toEqual([]);
  const copy = restore(snapshot(venue.state));
  expect(audit(copy)).toEqual([]);
  expect(stateHash(copy)).toBe(stateHash(venue.state));
}

describe('an OCO', () => {
  test('has two legs with consecutive ids and one hold', () => {
    const venue = openVenue();
    const [limit, stop] = ordersOf(oco(venue));
    expect(limit).toMatchObject({ type: 'limit', status: 'open', held: 10n * LOT });
    expect(stop).toMatchObject({
      type: 'stop_market',
      status: 'pending',
      held: 0n,
      stopPrice: 980,
    });
    expect(stop?.orderId).toBe(limit!.orderId + 1);
    for (const leg of [limit, stop]) {
      expect(leg).toMatchObject({ orderListId: limit?.orderId, orderListKind: 'oco' });
    }
    expect(venue.balance(3, 'btc').hold).toBe(10n * LOT);
    expect(findList(venue.state, 3, { orderId: stop!.orderId })).toHaveLength(2);
    expect(findList(venue.state, 2, { orderId: stop!.orderId })).toBeUndefined();
    expectSound(venue);
  });

  test('holds for the dearer leg of a buy', () => {
    const venue = openVenue();
    ordersOf(oco(venue, BUY));
    expect(venue.balance(3, 'usdt').hold).toBe(10_300n * TICK_LOT);
    expectSound(venue);
  });

  test('lets a partial fill of the limit leg end the stop, and gives the surplus back', () => {
    const venue = openVenue();
    const [limit, stop] = ordersOf(oco(venue, BUY));
    venue.sell(1, 980, 4);
    expect(venue.steps).toHaveLength(1);
    expect(stand(venue, limit)).toMatchObject({
      status: 'partially_filled',
      remainingVolume: 6,
      held: 5_880n * TICK_LOT,
    });
    expect(stand(venue, stop)).toMatchObject({ status: 'canceled', statusReason: 'list_sibling' });
    expect(venue.balance(3, 'usdt').hold).toBe(5_880n * TICK_LOT);
    expectSound(venue);
    // Alone, it is an order like any other.
    const amended = venue.do({
      type: 'amend',
      account: 3,
      orderId: limit!.orderId,
      volume: 8,
      volumeDecimals: 2,
    });
    expect(kindOf(amended.result)).toBe('amended');
  });

  test('lets the stop take over when it fires, before it trades', () => {
    const venue = openVenue();
    const [limit, stop] = ordersOf(oco(venue));
    venue.buy(2, 975, 4);
    tradeAt(venue, 980);
    expect(venue.steps.map(({ cause }) => cause)).toEqual(['command', 'trigger']);
    const [, fired] = venue.steps;
    expect(fired?.orders.map(({ orderId }) => orderId).sort()).toEqual(
      expect.arrayContaining([limit?.orderId, stop?.orderId]),
    );
    expect(stand(venue, limit)).toMatchObject({ status: 'canceled', statusReason: 'list_sibling' });
    expect(stand(venue, stop)).toMatchObject({ status: 'expired', filledVolume: 4 });
    expect(venue.balance(3, 'btc').hold).toBe(0n);
    expectSound(venue);
  });

  test('lets a stop rest at the price that the limit leg leaves', () => {
    const venue = openVenue();
    const [, stop] = ordersOf(oco(venue, { stopLimitPrice: 1020 }));
    tradeAt(venue, 980);
    expect(stand(venue, stop)).toMatchObject({ status: 'open', price: 1020, held: 10n * LOT });
    const [, fired] = venue.steps;
    expect(fired?.books).toEqual([]);
    expectSound(venue);
  });

  test('skips a stop whose limit leg traded while it waited for its turn', () => {
    for (const memory of [1, 100]) {
      const venue = openVenue();
      venue.do({ type: 'set_memory', memory });
      // It fires by the same trade as the stop of the list, and buys from the limit leg.
      const first = venue.placed(2, {
        side: 'buy',
        type: 'take_profit_limit',
        stopPrice: 980,
        price: 1020,
        volume: 3,
      });
      const [limit, stop] = ordersOf(oco(venue));
      tradeAt(venue, 980);
      expect(venue.steps.map(({ cause }) => cause)).toEqual(['command', 'trigger']);
      expect(venue.steps[1]?.trades).toMatchObject([
        { buyer: { orderId: first.orderId }, lots: 3 },
      ]);
      expect(venue.steps[1]?.orders.find((o) => o.orderId === stop?.orderId)).toMatchObject({
        status: 'canceled',
        statusReason: 'list_sibling',
        triggeredAt: 0,
      });
      expect(stand(venue, limit)).toMatchObject({ status: 'partially_filled', held: 7n * LOT });
      expectSound(venue);
    }
  });

  test('ends as a whole when either leg is canceled, swept or stopped by its family', () => {
    const ways: Array<(venue: Venue, legs: Order[]) => void> = [
      (venue, legs) => venue.do({ type: 'cancel', account: 3, orderId: legs[0]!.orderId }),
      (venue, legs) => venue.do({ type: 'cancel', account: 3, orderId: legs[1]!.orderId }),
      (venue) => venue.do({ type: 'cancel_all', account: 3 }),
      (venue) => venue.do({ type: 'cancel_all', account: 3, side: 'sell' }),
      (venue) => venue.do({ type: 'cancel_market', symbol: 'btcusdt' }),
      (venue) => venue.do({ type: 'set_phase', symbol: 'btcusdt', phase: 'delisted' }),
      (venue) =>
        venue.do({ type: 'suspend_account', account: 3, suspended: true, cancelOrders: true }),
      (venue) => venue.buy(3, 1020, 1, { stpMode: 'expire_maker' }),
    ];
    for (const end of ways) {
      for (const sweepStep of [1, 200]) {
        const venue = openVenue({ core: { sweepStep } });
        const legs = ordersOf(oco(venue));
        end(venue, legs);
        const reasons = legs.map((leg) => stand(venue, leg).statusReason);
        expect(reasons.filter((reason) => reason === 'list_sibling')).toHaveLength(1);
        expect(venue.balance(3, 'btc').hold).toBe(0n);
        expectSound(venue);
      }
    }
  });

  test('counts a leg that ends along in a sweep', () => {
    const venue = openVenue({ core: { sweepStep: 1 } });
    const [limit, stop] = ordersOf(oco(venue));
    const { result } = venue.do({ type: 'cancel_all', account: 3 });
    expect(result).toEqual({
      kind: 'canceled_all',
      orderIds: [limit?.orderId, stop?.orderId],
      sweepId: 0,
    });
  });

  test('is decided by a decrement, which makes one leg smaller', () => {
    const venue = openVenue();
    const [limit, stop] = ordersOf(oco(venue, BUY));
    venue.sell(3, 980, 4, { stpMode: 'decrement' });
    expect(stand(venue, limit)).toMatchObject({ preventedVolume: 4, held: 5_880n * TICK_LOT });
    expect(stand(venue, stop).statusReason).toBe('list_sibling');
    expectSound(venue);
  });

  test('refuses prices on the wrong side, and a buy without a limit', () => {
    const venue = openVenue();
    const parameterOf = (result: Result): unknown =>
      result.kind === 'rejected'
        ? [result.rejection.code, result.rejection.details['parameter']]
        : result.kind;
    expect(parameterOf(oco(venue, { limitPrice: 1000 }))).toEqual([2009, 'limitPrice']);
    expect(kindOf(oco(venue, { stopPrice: 1000 }))).toBe(4016);
    expect(parameterOf(oco(venue, { ...BUY, limitPrice: 1000 }))).toEqual([2009, 'limitPrice']);
    const { stopLimitPrice: _, ...noLimit } = BUY;
    expect(parameterOf(oco(venue, noLimit))).toEqual([2001, 'stopLimitPrice']);
    expect(parameterOf(oco(venue, { limitPrice: 9_000_000 }))).toEqual([4009, 'limitPrice']);
    expect(parameterOf(oco(venue, { stopLimitPrice: 1 }))).toEqual([4009, 'stopLimitPrice']);
    expect(parameterOf(oco(venue, { limitPrice: 1_020_55, priceDecimals: 3 }))).toEqual([
      4005,
      'limitPrice',
    ]);
    expect(kindOf(oco(venue, { volume: 200_000_000 }))).toBe(4010);
    expect(kindOf(oco(venue, {}, 9))).toBe(7001);
    expect(kindOf(oco(venue, { symbol: 'nosuch' }))).toBe(4001);
    expect(parameterOf(oco(venue, { limitClientOrderId: 'a', stopClientOrderId: 'a' }))).toEqual([
      2009,
      'stopClientOrderId',
    ]);
    expect(parameterOf(oco(venue, { stopClientOrderId: 'a b' }))).toEqual([
      2002,
      'stopClientOrderId',
    ]);
    expect(venue.state.orderCount).toBe(2);
    expect(venue.balance(3, 'btc').hold).toBe(0n);
  });

  test('is answered from memory when it is repeated, and refused when it differs', () => {
    const venue = openVenue();
    const ids = { limitClientOrderId: 'l', stopClientOrderId: 's' };
    const [limit] = ordersOf(oco(venue, ids));
    expect(oco(venue, ids)).toMatchObject({ kind: 'listed', replay: true, orders: [{}, {}] });
    expect(kindOf(oco(venue, { ...ids, volume: 11 }))).toBe(4012);
    expect(kindOf(oco(venue, { limitClientOrderId: 'l' }))).toBe(4012);
    expect(kindOf(oco(venue, { ...ids, stopClientOrderId: 't' }))).toBe(4012);
    expect(kindOf(oco(venue, { limitClientOrderId: 's', stopClientOrderId: 'l' }))).toBe(4012);
    const alike = { side: 'sell', price: 1020, volume: 10, clientOrderId: 'l' } as const;
    expect(kindOf(venue.place(3, alike))).toBe(4012);
    venue.do({ type: 'cancel', account: 3, orderId: limit!.orderId });
    expect(oco(venue, ids)).toMatchObject({
      replay: true,
      orders: [{ status: 'canceled' }, { statusReason: 'list_sibling' }],
    });
    expect(venue.state.orderCount).toBe(4);
  });

  test('asks to look again when one of its ids may be forgotten', () => {
    const venue = openVenue();
    venue.do({ type: 'set_memory', memory: 1 });
    for (const clientOrderId of ['x', 'y', 'z']) {
      const { orderId } = venue.buy(3, 900, 1, { clientOrderId });
      venue.do({ type: 'cancel', account: 3, orderId });
    }
    const list: OcoTerms = {
      kind: 'oco',
      symbol: 'btcusdt',
      side: 'sell',
      volume: 10,
      volumeDecimals: 2,
      limitPrice: 1020,
      stopPrice: 980,
      priceDecimals: 1,
      stopClientOrderId: 's',
    };
    const place = (checkpoint: number): string =>
      venue.do({ type: 'place_list', account: 3, list, checkpoint }).result.kind;
    expect(place(0)).toBe('lookup_again');
    expect(place(Infinity)).toBe('listed');
  });

  test('refuses to amend a leg while both live', () => {
    const venue = openVenue();
    for (const { orderId } of ordersOf(oco(venue))) {
      const { result } = venue.do({
        type: 'amend',
        account: 3,
        orderId,
        volume: 5,
        volumeDecimals: 2,
      });
      expect(result).toMatchObject({
        rejection: { code: 2009, details: { parameter: 'orderListId' } },
      });
    }
  });

  test('is unknown to older rules', () => {
    const venue = openVenue({ core: { rules: 3 } });
    expect(oco(venue)).toMatchObject({ rejection: { code: 2002, details: { parameter: 'type' } } });
  });
});

describe('a bracket', () => {
  test('waits with its exits until the entry has ended', () => {
    const venue = openVenue({ makerPpm: 1_000 });
    const [entry, profit, loss] = ordersOf(bracket(venue));
    expect(entry).toMatchObject({ status: 'open', orderListKind: 'bracket' });
    for (const exit of [profit, loss]) {
      expect(exit).toMatchObject({ status: 'pending', side: 'sell', held: 0n, volume: 10 });
      expect(exit?.remainingVolume).toBe(10);
    }
    expectSound(venue);
    tradeAt(venue, 995);
    venue.sell(1, 990, 4);
    expect(stand(venue, profit).status).toBe('pending');
    venue.sell(1, 990, 6);
    expect(venue.steps.map(({ cause }) => cause)).toEqual(['command', 'list']);
    // Ten lots less the fee of a thousandth: nine whole lots are left.
    expect(stand(venue, profit)).toMatchObject({ status: 'open', volume: 9, held: 9n * LOT });
    expect(stand(venue, loss)).toMatchObject({ status: 'pending', volume: 9, held: 0n });
    expectSound(venue);
    venue.buy(2, 1040, 20);
    expect(stand(venue, profit)).toMatchObject({ status: 'filled', filledVolume: 9 });
    expect(stand(venue, loss).statusReason).toBe('list_sibling');
    expectSound(venue);
  });

  test('begins for what was filled when the entry is canceled, and not at all for nothing', () => {
    const venue = openVenue();
    const [entry, profit, loss] = ordersOf(bracket(venue));
    venue.sell(1, 990, 4);
    venue.do({ type: 'cancel', account: 3, orderId: entry!.orderId });
    expect(venue.steps.map(({ cause }) => cause)).toEqual(['command', 'list']);
    expect(stand(venue, profit)).toMatchObject({ status: 'open', volume: 4, held: 4n * LOT });
    expect(stand(venue, loss)).toMatchObject({ status: 'pending', volume: 4 });
    expectSound(venue);
    const [second, ...exits] = ordersOf(bracket(venue));
    venue.do({ type: 'cancel', account: 3, orderId: second!.orderId });
    for (const exit of exits) expect(stand(venue, exit).statusReason).toBe('list_sibling');
    expectSound(venue);
  });

  test('runs at once with a market entry', () => {
    const venue = openVenue();
    venue.sell(1, 1000, 4);
    const market = { type: 'market', volume: 4, price: undefined } as unknown as OrderTerms;
    const [first, profit] = ordersOf(bracket(venue, market));
    expect(first?.status).toBe('filled');
    expect(stand(venue, profit)).toMatchObject({ status: 'open', volume: 4 });
    expectSound(venue);
  });

  test('lets its stop fire at once when the price fell through both', () => {
    const venue = openVenue();
    const [, profit, loss] = ordersOf(bracket(venue));
    venue.buy(2, 940, 8);
    venue.sell(1, 940, 15);
    expect(venue.steps.map(({ cause }) => cause)).toEqual(['command', 'list', 'trigger']);
    expect(stand(venue, profit).statusReason).toBe('list_sibling');
    expect(stand(venue, loss)).toMatchObject({ filledVolume: 3, status: 'expired' });
    expect(venue.balance(3, 'btc').hold).toBe(0n);
    expectSound(venue);
  });

  test('ends its exits with an operator’s cancel, and lets a closed market refuse them', () => {
    const venue = openVenue();
    const [entry, profit, loss] = ordersOf(bracket(venue));
    venue.sell(1, 990, 4);
    venue.do({ type: 'cancel', account: 3, orderId: entry!.orderId, reason: 'admin' });
    for (const exit of [profit, loss]) expect(stand(venue, exit).statusReason).toBe('list_sibling');
    const [second, ...exits] = ordersOf(bracket(venue));
    venue.sell(1, 990, 4);
    venue.do({ type: 'set_phase', symbol: 'btcusdt', phase: 'cancel_only' });
    venue.do({ type: 'cancel', account: 3, orderId: second!.orderId });
    for (const exit of exits) {
      expect(stand(venue, exit)).toMatchObject({
        status: 'canceled',
        statusReason: 'market_closed',
      });
    }
    expectSound(venue);
  });

  test('of a sale begins only with enough money', () => {
    const venue = openVenue();
    const exits = { takeProfitPrice: 950, stopLossPrice: 1050, stopLossLimitPrice: 1060 };
    const [, ...legs] = ordersOf(bracket(venue, { side: 'sell', price: 1010 }, exits));
    const { available } = venue.balance(3, 'usdt');
    venue.do({
      type: 'transfer',
      transferId: 't',
      from: 3,
      to: 2,
      coin: 'usdt',
      amount: available,
    });
    venue.buy(2, 1010, 10);
    for (const leg of legs) {
      expect(stand(venue, leg)).toMatchObject({
        status: 'rejected',
        statusReason: 'insufficient_funds_at_trigger',
      });
    }
    expectSound(venue);
  });

  test('lets its exits be canceled before they begin, and the entry go on alone', () => {
    const venue = openVenue();
    const [entry, profit, loss] = ordersOf(bracket(venue));
    venue.do({ type: 'cancel', account: 3, orderId: loss!.orderId });
    expect(stand(venue, profit).statusReason).toBe('list_sibling');
    expect(stand(venue, entry).status).toBe('open');
    venue.sell(1, 990, 10);
    expect(venue.steps.map(({ cause }) => cause)).toEqual(['command']);
    expectSound(venue);
  });

  test('is canceled as a whole by canceling an exit and then the entry', () => {
    const venue = openVenue();
    const legs = ordersOf(bracket(venue));
    venue.sell(1, 990, 4);
    const orders = [legs[1]!, legs[0]!].map(({ orderId }) => ({ orderId }));
    venue.do({ type: 'cancel_batch', account: 3, orders });
    for (const leg of legs) expect(stand(venue, leg).status).toBe('canceled');
    expect(venue.steps).toHaveLength(1);
    expectSound(venue);
  });

  test('keeps its prices when the precision is raised', () => {
    const venue = openVenue();
    const [, profit, loss] = ordersOf(bracket(venue));
    const { config } = venue.state.markets[0]!;
    venue.do({
      type: 'configure_market',
      config: { ...config, quotePrecision: 2, basePrecision: 3, maximumPriceTicks: 10_000_000 },
    });
    expect(venue.last?.result.kind).toBe('done');
    expect(stand(venue, profit)).toMatchObject({ price: 10_400, priceDecimals: 2, volume: 100 });
    expect(stand(venue, loss)).toMatchObject({ stopPrice: 9_500, volumeDecimals: 3 });
    expectSound(venue);
  });

  test('refuses exits on the wrong side, conditional entries and too many', () => {
    const venue = openVenue({ market: { maxConditionalOrders: 3 } });
    const code = (result: Result): unknown =>
      result.kind === 'rejected'
        ? [result.rejection.code, result.rejection.details['parameter']]
        : result.kind;
    expect(code(bracket(venue, {}, { takeProfitPrice: 990 }))).toEqual([2009, 'takeProfitPrice']);
    expect(code(bracket(venue, {}, { stopLossPrice: 990 }))).toEqual([2009, 'stopLossPrice']);
    expect(code(bracket(venue, { type: 'stop_limit' }))).toEqual([2009, 'type']);
    expect(code(bracket(venue, { side: 'sell' }))).toEqual([2001, 'stopLossLimitPrice']);
    expect(code(bracket(venue, {}, { stopLossPrice: 1 }))).toEqual([4009, 'stopLossPrice']);
    expect(code(bracket(venue, {}, { takeProfitPrice: 10_405, priceDecimals: 2 }))).toEqual([
      4005,
      'takeProfitPrice',
    ]);
    expect(kindOf(bracket(venue, { timeInForce: 'FOK' }))).toBe(4017);
    expect(kindOf(bracket(venue))).toBe('listed');
    expect(kindOf(bracket(venue))).toBe(4015);
    expect(venue.balance(3, 'usdt').hold).toBe(9_900n * TICK_LOT);
    expectSound(venue);
  });
});
