import { describe, expect, test } from 'vitest';
import { COIN, LOT, TICK_LOT, Venue, describe as kindOf } from '../../sim/example.ts';
import { findDepth, findOrder } from '../index.ts';
import type { OrderTerms, Result } from '../index.ts';

const statusOf = (venue: Venue, account: number, orderId: number): string => {
  const order = findOrder(venue.state, account, { orderId });
  return `${order?.status} ${order?.statusReason}`.trim();
};
const trades = (venue: Venue): Array<[price: number, lots: number]> =>
  venue.steps.flatMap((s) => s.trades.map((t): [number, number] => [t.priceTicks, t.lots]));

describe('limit orders', () => {
  test('trade at the resting price, best price first, then oldest first', () => {
    const venue = new Venue();
    const second = venue.sell(1, 1010, 5);
    const first = venue.sell(2, 1005, 5);
    const third = venue.sell(2, 1010, 5);
    const taker = venue.buy(3, 1010, 12);
    expect(trades(venue)).toEqual([
      [1005, 5],
      [1010, 5],
      [1010, 2],
    ]);
    expect(taker.status).toBe('filled');
    expect(statusOf(venue, 2, first.orderId)).toBe('filled');
    expect(statusOf(venue, 1, second.orderId)).toBe('filled');
    expect(statusOf(venue, 2, third.orderId)).toBe('partially_filled');
  });

  test('rest what is left, and the book shows it', () => {
    const venue = new Venue();
    venue.sell(1, 1000, 3);
    const order = venue.buy(2, 1001, 10);
    expect(order).toMatchObject({
      status: 'partially_filled',
      filledVolume: 3,
      remainingVolume: 7,
    });
    expect(findDepth(venue.state, 'btcusdt')).toMatchObject({
      bids: [{ priceTicks: 1001, lots: 7 }],
      asks: [],
    });
    expect(order.held).toBe(1001n * 7n * TICK_LOT);
  });

  test('IOC expires the remainder', () => {
    const venue = new Venue();
    venue.sell(1, 1000, 3);
    const order = venue.buy(2, 1000, 10, { timeInForce: 'IOC' });
    expect(order).toMatchObject({
      status: 'expired',
      statusReason: 'ioc_remainder',
      filledVolume: 3,
    });
    expect(venue.balance(2, 'usdt').hold).toBe(0n);
  });

  test('FOK trades all or is recorded as expired with no fill', () => {
    const venue = new Venue();
    venue.sell(1, 1000, 3);
    const refused = venue.place(2, { price: 1000, volume: 4, timeInForce: 'FOK' });
    expect(refused).toMatchObject({
      kind: 'rejected',
      rejection: { code: 4017, order: { status: 'expired', statusReason: 'fok_unfilled' } },
    });
    expect(venue.buy(2, 1000, 3, { timeInForce: 'FOK' }).status).toBe('filled');
  });

  test('FOK counts the hidden parts of icebergs', () => {
    const venue = new Venue();
    venue.sell(1, 1000, 30, { visibleVolume: 3 });
    expect(venue.buy(2, 1000, 30, { timeInForce: 'FOK' }).status).toBe('filled');
  });

  test('post-only is refused if any part would trade', () => {
    const venue = new Venue();
    venue.sell(1, 1000, 3);
    expect(kindOf(venue.place(2, { price: 1000, volume: 1, postOnly: true }))).toBe(4008);
    expect(venue.buy(2, 999, 1, { postOnly: true }).status).toBe('open');
  });

  test('GTD expires at its time, not a millisecond before', () => {
    const venue = new Venue();
    const expireTime = venue.time + 5_000;
    const order = venue.buy(1, 900, 5, { timeInForce: 'GTD', expireTime });
    venue.time = expireTime - 1;
    venue.do({ type: 'tick' });
    expect(statusOf(venue, 1, order.orderId)).toBe('open');
    venue.time = expireTime;
    venue.do({ type: 'tick' });
    expect(statusOf(venue, 1, order.orderId)).toBe('expired gtd');
  });

  test('an iceberg shows a slice, and the next one joins the back', () => {
    const venue = new Venue();
    const iceberg = venue.sell(1, 1000, 10, { visibleVolume: 2 });
    const plain = venue.sell(2, 1000, 5);
    expect(findDepth(venue.state, 'btcusdt')?.asks).toEqual([{ priceTicks: 1000, lots: 7 }]);
    venue.buy(3, 1000, 4);
    expect(venue.steps[0]?.trades.map((t) => [t.seller.orderId, t.lots])).toEqual([
      [iceberg.orderId, 2],
      [plain.orderId, 2],
    ]);
    expect(findDepth(venue.state, 'btcusdt')?.asks).toEqual([{ priceTicks: 1000, lots: 5 }]);
  });
});

describe('market orders', () => {
  test('stop at the protection price', () => {
    const venue = new Venue();
    venue.sell(1, 1050, 1);
    venue.sell(1, 1100, 1);
    venue.sell(1, 1101, 1);
    const order = venue.placed(2, { type: 'market', total: 100n * COIN });
    expect(trades(venue)).toEqual([
      [1050, 1],
      [1100, 1],
    ]);
    expect(order).toMatchObject({ status: 'expired', statusReason: 'slippage_limit' });
    expect(venue.balance(2, 'usdt').hold).toBe(0n);
  });

  test('expire what the book cannot give', () => {
    const venue = new Venue();
    venue.buy(1, 1000, 3);
    const order = venue.placed(2, { side: 'sell', type: 'market', volume: 10 });
    expect(order).toMatchObject({
      status: 'expired',
      statusReason: 'market_remainder',
      filledVolume: 3,
    });
  });

  test('are refused against an empty side', () => {
    const venue = new Venue();
    expect(kindOf(venue.place(1, { type: 'market', total: COIN }))).toBe(4014);
  });

  test('a buy by total spends whole lots and gives the rest back', () => {
    const venue = new Venue();
    venue.sell(1, 1000, 100);
    const before = venue.balance(2, 'usdt').available;
    const order = venue.placed(2, { type: 'market', total: 3_500n * TICK_LOT });
    expect(order).toMatchObject({
      status: 'filled',
      filledVolume: 3,
      filledTotal: 3_000n * TICK_LOT,
    });
    expect(venue.balance(2, 'usdt')).toEqual({ available: before - 3_000n * TICK_LOT, hold: 0n });
  });

  test('a buy by volume is refused if funds do not cover its dry walk', () => {
    const venue = new Venue();
    venue.do({ type: 'open_account', account: 9, parent: 9 });
    venue.sell(1, 1000, 10);
    expect(venue.place(9, { type: 'market', volume: 2 })).toMatchObject({
      rejection: { code: 5001, details: { required: 2_000n * TICK_LOT, available: 0n } },
    });
  });

  test('sizes are checked against the market’s limits', () => {
    const venue = new Venue({
      market: { minimumQuoteSize: COIN, maxMarketOrderAskLots: 50, maxMarketOrderBid: 20n * COIN },
    });
    venue.buy(1, 1000, 40);
    venue.sell(1, 1001, 40);
    const sell = (volume: number): Result =>
      venue.place(2, { side: 'sell', type: 'market', volume });
    expect(kindOf(sell(51))).toBe(4010);
    expect(kindOf(venue.place(2, { type: 'market', total: 21n * COIN }))).toBe(4010);
    expect(kindOf(venue.place(2, { type: 'market', total: COIN - 1n }))).toBe(4007);
    expect(kindOf(venue.place(2, { type: 'market', volume: 21 }))).toBe(4010);
  });

  test('from rules 3 on, a buy by volume is checked by what it asks for, not by what could fill', () => {
    const thin = (rules: number): Venue => {
      const venue = new Venue({ core: { rules }, market: { maxMarketOrderBid: 20n * COIN } });
      venue.sell(1, 1000, 5);
      return venue;
    };
    const buy = (venue: Venue, volume: number): Result =>
      venue.place(2, { type: 'market', volume });
    const details = { limit: 'maxMarketOrderBid', maximum: 20n * COIN };
    // Five lots are available, for a quarter of the limit.
    expect(buy(thin(3), 21)).toMatchObject({ rejection: { code: 4010, details } });
    expect(kindOf(buy(thin(3), 1_000_000))).toBe(4010);
    expect(kindOf(buy(thin(3), 20))).not.toBe(4010);
    expect(kindOf(buy(thin(2), 21))).not.toBe(4010);
  });
});

describe('self-trade prevention, by family', () => {
  const modes = ['expire_taker', 'expire_maker', 'expire_both', 'decrement'] as const;
  const setUp = (): Venue => {
    const venue = new Venue();
    venue.do({ type: 'open_account', account: 11, parent: 1 });
    const amount = 1_000n * COIN;
    venue.do({
      type: 'credit_deposit',
      depositId: 'x',
      network: 'ETH',
      coin: 'usdt',
      to: 11,
      amount,
    });
    venue.sell(1, 1000, 4);
    venue.sell(2, 1000, 4);
    return venue;
  };
  const expected = {
    expire_taker: { taker: 'expired', filled: 0, maker: 'open', prevented: 0 },
    expire_maker: { taker: 'filled', filled: 4, maker: 'expired', prevented: 0 },
    expire_both: { taker: 'expired', filled: 0, maker: 'expired', prevented: 0 },
    decrement: { taker: 'expired', filled: 0, maker: 'expired', prevented: 4 },
  };
  for (const mode of modes) {
    test(mode, () => {
      const venue = setUp();
      const { taker, filled, maker, prevented } = expected[mode];
      const order = venue.buy(11, 1000, 4, { stpMode: mode });
      expect(order).toMatchObject({
        status: taker,
        filledVolume: filled,
        preventedVolume: prevented,
      });
      expect(findOrder(venue.state, 1, { orderId: 1 })?.status).toBe(maker);
      expect(venue.steps[0]?.prevented).toHaveLength(1);
      expect(venue.balance(11, 'usdt').hold).toBe(0n);
    });
  }

  test('decrement takes the smaller off both and the larger goes on', () => {
    const venue = setUp();
    const order = venue.buy(11, 1000, 10, { stpMode: 'decrement' });
    expect(order).toMatchObject({
      status: 'partially_filled',
      preventedVolume: 4,
      filledVolume: 4,
      remainingVolume: 2,
      held: 2_000n * TICK_LOT,
    });
  });
});

describe('refusals', () => {
  const cases: Array<[string, Partial<OrderTerms>, number]> = [
    ['a price with too many decimals', { price: 10001, priceDecimals: 2, volume: 1 }, 4005],
    ['a volume with too many decimals', { price: 1000, volume: 1, volumeDecimals: 3 }, 4006],
    ['no price', { volume: 1 }, 2001],
    ['no volume', { price: 1000 }, 2001],
    ['a total on a limit order', { price: 1000, volume: 1, total: 5n }, 2009],
    ['a stop price on a limit order', { price: 1000, volume: 1, stopPrice: 1 }, 2009],
    ['a time in force on a market order', { type: 'market', total: 5n, timeInForce: 'IOC' }, 2009],
    ['post-only and IOC', { price: 1000, volume: 1, timeInForce: 'IOC', postOnly: true }, 2009],
    ['GTD without a time', { price: 1000, volume: 1, timeInForce: 'GTD' }, 2001],
    ['an expiry without GTD', { price: 1000, volume: 1, expireTime: 5 }, 2009],
    ['a negative price', { price: -1, volume: 1 }, 2003],
    ['a price that is not a number', { price: NaN, volume: 1 }, 2003],
    ['a buy above the band', { price: 1501, volume: 1 }, 4009],
    ['a sell below the band', { side: 'sell', price: 499, volume: 1 }, 4009],
    ['too large a volume', { price: 1000, volume: 1_000_001 }, 4010],
    ['too small a slice', { price: 1000, volume: 100, visibleVolume: 9 }, 2003],
    ['an unknown market', { symbol: 'nosuch', price: 1000, volume: 1 }, 4001],
    ['a client id with a space', { price: 1000, volume: 1, clientOrderId: 'a b' }, 2002],
    [
      'a stop before the first trade',
      { type: 'stop_limit', price: 1000, stopPrice: 1000, volume: 1 },
      4018,
    ],
  ];
  for (const [title, terms, code] of cases) {
    test(title, () => expect(kindOf(new Venue().place(1, terms))).toBe(code));
  }

  test('the edge of the band is inside it', () => {
    const venue = new Venue();
    expect(venue.buy(1, 1500, 1).status).toBe('open');
    expect(kindOf(venue.place(2, { side: 'sell', price: 500, volume: 1 }))).toBe('placed');
  });

  test('a suspended account may cancel but not place', () => {
    const venue = new Venue();
    const order = venue.buy(1, 900, 1);
    venue.do({ type: 'suspend_account', account: 1, suspended: true, cancelOrders: false });
    expect(kindOf(venue.place(1, { price: 900, volume: 1 }))).toBe(3011);
    const { result } = venue.do({ type: 'cancel', account: 1, orderId: order.orderId });
    expect(result.kind).toBe('canceled');
  });

  test('ceilings on open and conditional orders', () => {
    const venue = new Venue({ market: { maxOpenOrders: 1, maxConditionalOrders: 1 } });
    venue.sell(1, 1000, 1);
    venue.buy(2, 1000, 1);
    venue.buy(1, 900, 1);
    expect(kindOf(venue.place(1, { price: 900, volume: 1 }))).toBe(4015);
    const stop = { type: 'stop_limit', price: 1100, stopPrice: 1100, volume: 1 } as const;
    venue.placed(1, stop);
    expect(kindOf(venue.place(1, stop))).toBe(4015);
  });
});

describe('cancelling', () => {
  test('another account’s order answers like one that never existed', () => {
    const venue = new Venue();
    const order = venue.buy(1, 900, 1);
    const foreign = venue.do({ type: 'cancel', account: 2, orderId: order.orderId }).result;
    const never = venue.do({ type: 'cancel', account: 2, orderId: 777 }).result;
    expect(foreign).toEqual(never);
    expect(kindOf(foreign)).toBe(4011);
  });

  test('a cancelled order stays cancelled, and says so', () => {
    const venue = new Venue();
    const { orderId } = venue.buy(1, 900, 1);
    venue.do({ type: 'cancel', account: 1, orderId });
    expect(venue.do({ type: 'cancel', account: 1, orderId }).result).toMatchObject({
      rejection: { code: 4013, order: { status: 'canceled', statusReason: 'user' } },
    });
  });

  test('onlyIf guards against a fill in between', () => {
    const venue = new Venue();
    const { orderId } = venue.buy(1, 1000, 5);
    venue.sell(2, 1000, 1);
    const { result } = venue.do({ type: 'cancel', account: 1, orderId, onlyIf: 'open' });
    expect(kindOf(result)).toBe(2009);
  });

  test('the dead-man timer cancels everything of the account, once', () => {
    const venue = new Venue();
    const mine = venue.buy(1, 900, 5);
    const other = venue.buy(2, 900, 5);
    venue.do({ type: 'cancel_all_after', account: 1, timeoutMs: 5_000 });
    venue.time += 5_000;
    const { steps } = venue.do({ type: 'tick' });
    expect(steps.map((s) => s.cause)).toEqual(['dead_man']);
    expect(statusOf(venue, 1, mine.orderId)).toBe('canceled dead_man');
    expect(statusOf(venue, 2, other.orderId)).toBe('open');
    expect(venue.balance(1, 'usdt').hold).toBe(0n);
    venue.time += 10_000;
    expect(venue.do({ type: 'tick' }).steps).toEqual([]);
  });

  test('cancel_all respects the symbol and the side', () => {
    const venue = new Venue();
    const bid = venue.buy(1, 900, 5);
    venue.sell(1, 1100, 5);
    const { result } = venue.do({ type: 'cancel_all', account: 1, side: 'buy' });
    expect(result).toEqual({ kind: 'canceled_all', orderIds: [bid.orderId], sweepId: 0 });
  });
});

describe('amending', () => {
  test('a lower volume keeps the place, a higher one goes to the back', () => {
    const venue = new Venue();
    const first = venue.sell(1, 1000, 5);
    const second = venue.sell(2, 1000, 5);
    const lower = venue.do({
      type: 'amend',
      account: 1,
      orderId: first.orderId,
      volume: 4,
      volumeDecimals: 2,
    }).result;
    expect(lower).toMatchObject({ kind: 'amended', keptPriority: true, order: { held: 4n * LOT } });
    venue.buy(3, 1000, 1);
    expect(venue.steps[0]?.trades[0]?.seller.orderId).toBe(first.orderId);
    venue.do({ type: 'amend', account: 1, orderId: first.orderId, volume: 9, volumeDecimals: 2 });
    venue.buy(3, 1000, 1);
    expect(venue.steps[0]?.trades[0]?.seller.orderId).toBe(second.orderId);
  });

  test('a price that crosses takes liquidity, unless the order is post-only', () => {
    const venue = new Venue();
    venue.sell(1, 1000, 5);
    const bid = venue.buy(2, 900, 2);
    const { result } = venue.do({
      type: 'amend',
      account: 2,
      orderId: bid.orderId,
      price: 1000,
      priceDecimals: 1,
    });
    expect(result).toMatchObject({ kind: 'amended', order: { status: 'filled' } });
    const careful = venue.buy(2, 900, 2, { postOnly: true });
    const refused = venue.do({
      type: 'amend',
      account: 2,
      orderId: careful.orderId,
      price: 1000,
      priceDecimals: 1,
    }).result;
    expect(kindOf(refused)).toBe(4008);
    expect(findOrder(venue.state, 2, { orderId: careful.orderId })?.price).toBe(900);
  });

  test('a volume at or below what is filled cancels the rest', () => {
    const venue = new Venue();
    const bid = venue.buy(1, 1000, 5);
    venue.sell(2, 1000, 2);
    venue.do({ type: 'amend', account: 1, orderId: bid.orderId, volume: 2, volumeDecimals: 2 });
    expect(statusOf(venue, 1, bid.orderId)).toBe('canceled amended_to_filled');
    expect(venue.balance(1, 'usdt').hold).toBe(0n);
  });

  test('a raise that funds do not cover changes nothing', () => {
    const venue = new Venue();
    venue.do({ type: 'open_account', account: 9, parent: 9 });
    const amount = 5_000n * TICK_LOT;
    venue.do({
      type: 'credit_deposit',
      depositId: 'x',
      network: 'ETH',
      coin: 'usdt',
      to: 9,
      amount,
    });
    const bid = venue.buy(9, 1000, 5);
    const { result } = venue.do({
      type: 'amend',
      account: 9,
      orderId: bid.orderId,
      volume: 6,
      volumeDecimals: 2,
    });
    expect(kindOf(result)).toBe(5001);
    expect(findOrder(venue.state, 9, { orderId: bid.orderId })).toMatchObject({ volume: 5 });
    const same = venue.do({
      type: 'amend',
      account: 9,
      orderId: bid.orderId,
      volume: 5,
      volumeDecimals: 2,
    });
    expect(kindOf(same.result)).toBe(4019);
  });
});

describe('batches', () => {
  const order = (price: number, volume: number, more: Partial<OrderTerms> = {}): OrderTerms => ({
    symbol: 'btcusdt',
    side: 'buy',
    type: 'limit',
    price,
    priceDecimals: 1,
    volume,
    volumeDecimals: 2,
    ...more,
  });

  test('independent orders stand on their own', () => {
    const venue = new Venue();
    const orders = [order(900, 1), order(9_000, 1), order(901, 1)];
    const { result } = venue.do({ type: 'place_batch', account: 1, mode: 'independent', orders });
    expect(result.kind === 'batch' ? result.items.map(kindOf) : []).toEqual([
      'placed',
      4009,
      'placed',
    ]);
  });

  test('all_or_none leaves no trace if one is refused', () => {
    const venue = new Venue();
    const before = venue.balance(1, 'usdt');
    const orders = [order(900, 1), order(9_000, 1)];
    const { result, steps } = venue.do({
      type: 'place_batch',
      account: 1,
      mode: 'all_or_none',
      orders,
    });
    expect(result).toMatchObject({ kind: 'batch_rejected', index: 1, rejection: { code: 4009 } });
    expect(steps.flatMap((s) => [...s.orders, ...s.journals])).toEqual([]);
    expect(venue.balance(1, 'usdt')).toEqual(before);
    expect(venue.buy(1, 900, 1).orderId).toBe(1);
  });
});

test('a test order says what would happen and changes nothing', () => {
  const venue = new Venue({ takerPpm: 1_000 });
  venue.sell(1, 1000, 3);
  const seq = venue.state.engineSeq;
  const terms: OrderTerms = {
    symbol: 'btcusdt',
    side: 'buy',
    type: 'limit',
    price: 1001,
    priceDecimals: 1,
    volume: 5,
    volumeDecimals: 2,
  };
  const { result, steps } = venue.do({ type: 'test', account: 2, order: terms });
  expect(result).toEqual({
    kind: 'tested',
    fills: [{ priceTicks: 1000, lots: 3 }],
    fee: (3n * LOT) / 1000n,
    feeCoin: 'btc',
    hold: 5_005n * TICK_LOT,
    holdCoin: 'usdt',
  });
  expect(steps).toEqual([]);
  expect(venue.state.engineSeq).toBe(seq);
});

test('a test order sees what the book shows, and no more', () => {
  const venue = new Venue();
  venue.sell(1, 1000, 20, { visibleVolume: 2 });
  venue.sell(1, 1001, 1);
  const order: OrderTerms = {
    symbol: 'btcusdt',
    side: 'buy',
    type: 'limit',
    price: 1001,
    priceDecimals: 1,
    volume: 10,
    volumeDecimals: 2,
  };
  const fills = [
    { priceTicks: 1000, lots: 2 },
    { priceTicks: 1001, lots: 1 },
  ];
  expect(venue.do({ type: 'test', account: 2, order }).result).toMatchObject({ fills });
  const inOne: OrderTerms = { ...order, timeInForce: 'FOK' };
  expect(kindOf(venue.do({ type: 'test', account: 2, order: inOne }).result)).toBe(4017);
  // A real order meets the hidden volume too.
  expect(venue.placed(2, inOne)).toMatchObject({ status: 'filled', filledVolume: 10 });
});
