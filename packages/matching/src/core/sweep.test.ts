import { describe, expect, test } from 'vitest';
import { Venue, describe as kindOf } from '../../sim/example.ts';
import {
  LIMITS,
  apply,
  audit,
  findOrder,
  pendingSweeps,
  restore,
  snapshot,
  stateHash,
} from '../index.ts';
import type { Order, Result } from '../index.ts';
import { CORE_VERSION } from '../version.ts';

const MANY = { maxOpenOrders: 100_000, maxConditionalOrders: 1_000 };

/** A venue whose sweeps end this many orders per step. */
const venueOf = (sweepStep: number, more = {}): Venue =>
  new Venue({ core: { sweepStep, ...more }, market: MANY });

function buys(venue: Venue, account: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => venue.buy(account, 900 - i, 1).orderId);
}
function sells(venue: Venue, account: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => venue.sell(account, 1100 + i, 1).orderId);
}

const statusOf = (venue: Venue, account: number, orderId: number): string | undefined =>
  findOrder(venue.state, account, { orderId })?.status;

/** Sweeps to the end; gives the number of steps. */
function sweepAll(venue: Venue): number {
  let steps = 0;
  while (pendingSweeps(venue.state) > 0) {
    venue.do({ type: 'sweep' });
    steps += 1;
  }
  expect(audit(venue.state)).toEqual([]);
  return steps;
}

describe('sweeps of an account', () => {
  test('cancel_all ends a bounded number at once, oldest first, and a sweep ends the rest', () => {
    const venue = venueOf(3);
    const ids = buys(venue, 1, 8);
    const first = venue.do({ type: 'cancel_all', account: 1 });
    expect(first.result).toEqual({ kind: 'canceled_all', orderIds: ids.slice(0, 3), sweepId: 1 });
    expect(pendingSweeps(venue.state)).toBe(1);
    const second = venue.do({ type: 'sweep' });
    expect(second.steps.map(({ cause }) => cause)).toEqual(['sweep']);
    const orderIds = ids.slice(3, 6);
    expect(second.result).toEqual({ kind: 'swept', sweepId: 1, orderIds, done: false });
    const last = venue.do({ type: 'sweep' }).result;
    expect(last).toEqual({ kind: 'swept', sweepId: 1, orderIds: ids.slice(6), done: true });
    expect(venue.balance(1, 'usdt').hold).toBe(0n);
    expect(findOrder(venue.state, 1, { orderId: ids[7]! })?.statusReason).toBe('cancel_all');
  });

  test('with nothing to sweep there is no step and nothing to journal', () => {
    const venue = venueOf(3);
    const seq = venue.state.engineSeq;
    expect(venue.do({ type: 'sweep' })).toEqual({ steps: [], result: { kind: 'done' } });
    expect(venue.state.engineSeq).toBe(seq);
  });

  test('a cancel_all that fits into one step leaves no sweep', () => {
    const venue = venueOf(3);
    buys(venue, 1, 3);
    expect(venue.do({ type: 'cancel_all', account: 1 }).result).toMatchObject({ sweepId: 0 });
    expect(pendingSweeps(venue.state)).toBe(0);
  });

  test('later orders are not affected, and orders not reached yet still trade', () => {
    const venue = venueOf(2);
    const ids = buys(venue, 1, 6);
    venue.do({ type: 'cancel_all', account: 1 });
    const later = venue.buy(1, 890, 1);
    venue.sell(2, 898, 1);
    expect(statusOf(venue, 1, ids[2]!)).toBe('filled');
    venue.do({ type: 'cancel', account: 1, orderId: ids[3]! });
    sweepAll(venue);
    const ends = ['canceled', 'canceled', 'filled', 'canceled', 'canceled', 'canceled'];
    expect(ids.map((id) => statusOf(venue, 1, id))).toEqual(ends);
    expect(statusOf(venue, 1, later.orderId)).toBe('open');
  });

  test('the oldest sweep goes first', () => {
    const venue = venueOf(1);
    buys(venue, 1, 3);
    buys(venue, 2, 3);
    venue.do({ type: 'cancel_all', account: 2 });
    venue.do({ type: 'cancel_all', account: 1 });
    venue.do({ type: 'cancel_all', account: 1, side: 'buy' });
    const results: Result[] = [];
    while (pendingSweeps(venue.state) > 0) results.push(venue.do({ type: 'sweep' }).result);
    const ids = results.map((r) => (r.kind === 'swept' ? r.sweepId : 0));
    expect(ids).toEqual([1, 1, 2, 3]);
  });

  test('a sweep of one side looks at a bounded number of orders per step, and resumes at its position', () => {
    const venue = venueOf(1);
    const asks = sells(venue, 1, 25);
    const bids = buys(venue, 1, 2);
    const { result } = venue.do({ type: 'cancel_all', account: 1, side: 'buy' });
    expect(result).toEqual({ kind: 'canceled_all', orderIds: [], sweepId: 1 });
    // The order it would look at next ends, and so does one that it has passed.
    venue.do({ type: 'cancel', account: 1, orderId: asks[10]! });
    venue.do({ type: 'cancel', account: 1, orderId: asks[3]! });
    const copy = restore(snapshot(venue.state));
    expect(stateHash(copy)).toBe(stateHash(venue.state));
    expect(venue.do({ type: 'sweep' }).result).toMatchObject({ orderIds: [], done: false });
    expect(venue.do({ type: 'sweep' }).result).toMatchObject({ orderIds: [bids[0]], done: false });
    expect(venue.do({ type: 'sweep' }).result).toMatchObject({ orderIds: [bids[1]], done: true });
    for (let i = 0; i < 3; i++) apply(copy, { type: 'sweep', time: venue.time });
    expect(stateHash(copy)).toBe(stateHash(venue.state));
    expect(audit(copy)).toEqual([]);
    expect(statusOf(venue, 1, asks[24]!)).toBe('open');
  });

  test('a sweep in a market where the account has no orders ends at once', () => {
    const venue = venueOf(1);
    const config = { ...venue.state.markets[0]!.config, symbol: 'usdtbtc' };
    [config.base, config.quote] = ['usdt', 'btc'];
    venue.do({ type: 'create_market', config });
    sells(venue, 1, 30);
    const { result } = venue.do({ type: 'cancel_all', account: 1, symbol: 'usdtbtc' });
    expect(result).toEqual({ kind: 'canceled_all', orderIds: [], sweepId: 0 });
  });

  test('an account has a bounded number of sweeps, and can always cancel everything', () => {
    const venue = venueOf(1);
    sells(venue, 1, 20);
    const partly = (): Result => venue.do({ type: 'cancel_all', account: 1, side: 'buy' }).result;
    for (let i = 0; i < LIMITS.accountSweepsMax; i++) expect(kindOf(partly())).toBe('canceled_all');
    const maximum = LIMITS.accountSweepsMax;
    const details = { limit: 'sweeps', maximum };
    expect(partly()).toMatchObject({ rejection: { code: 4015, details } });
    expect(kindOf(venue.do({ type: 'cancel_all', account: 1 }).result)).toBe('canceled_all');
    sweepAll(venue);
    expect(venue.balance(1, 'btc').hold).toBe(0n);
    expect(kindOf(partly())).toBe('canceled_all');
  });

  test('an unknown side is refused', () => {
    const venue = venueOf(1);
    const side = 'both' as 'buy';
    const ids = buys(venue, 1, 1);
    expect(kindOf(venue.do({ type: 'cancel_all', account: 1, side }).result)).toBe(2002);
    const symbol = 'btcusdt';
    expect(kindOf(venue.do({ type: 'cancel_market', symbol, side }).result)).toBe(2002);
    expect(statusOf(venue, 1, ids[0]!)).toBe('open');
  });

  test('a dead-man timer that fires ends a bounded number at once, and the rest gradually', () => {
    const venue = venueOf(4);
    buys(venue, 1, 10);
    venue.do({ type: 'cancel_all_after', account: 1, timeoutMs: 5_000 });
    venue.time += 5_000;
    const { steps } = venue.do({ type: 'tick' });
    expect(steps).toHaveLength(1);
    expect(steps[0]).toMatchObject({ cause: 'dead_man', timers: [{ triggerTime: 0 }] });
    expect(steps[0]!.orders.map((o: Order) => o.statusReason)).toEqual(
      Array.from({ length: 4 }, () => 'dead_man'),
    );
    expect(sweepAll(venue)).toBe(2);
    expect(venue.balance(1, 'usdt').hold).toBe(0n);
  });

  test('suspending an account ends its orders gradually, and removes its timer', () => {
    const venue = venueOf(2);
    buys(venue, 1, 5);
    venue.do({ type: 'cancel_all_after', account: 1, timeoutMs: 5_000 });
    const suspend = { type: 'suspend_account', account: 1, suspended: true } as const;
    const { steps } = venue.do({ ...suspend, cancelOrders: true });
    expect(steps[0]?.timers).toEqual([{ account: 1, triggerTime: 0 }]);
    expect(steps[0]?.orders).toHaveLength(2);
    venue.time += 10_000;
    expect(venue.do({ type: 'tick' }).steps).toEqual([]);
    sweepAll(venue);
    expect(venue.balance(1, 'usdt').hold).toBe(0n);
    expect(venue.do({ ...suspend, cancelOrders: false }).steps[0]?.timers).toEqual([]);
  });
});

describe('sweeps of a market', () => {
  test('delisting with a thousand orders ends two hundred in a step', () => {
    const venue = new Venue({ market: MANY });
    for (let i = 0; i < 500; i++) {
      venue.buy(1, 900 - (i % 50), 1);
      venue.sell(2, 1100 + (i % 50), 1);
    }
    const phase = 'delisted';
    const { steps } = venue.do({ type: 'set_phase', symbol: 'btcusdt', phase });
    expect(steps).toHaveLength(1);
    expect(steps[0]!.orders).toHaveLength(200);
    expect(sweepAll(venue)).toBe(4);
    expect([venue.balance(1, 'usdt').hold, venue.balance(2, 'btc').hold]).toEqual([0n, 0n]);
  });

  test('cancel_market ends the orders of all accounts and leaves the market in its phase', () => {
    const venue = venueOf(2);
    const own = buys(venue, 1, 2);
    const other = sells(venue, 2, 1);
    const { result } = venue.do({ type: 'cancel_market', symbol: 'btcusdt' });
    expect(result).toEqual({ kind: 'canceled_all', orderIds: own, sweepId: 1 });
    expect(venue.do({ type: 'sweep' }).result).toMatchObject({ orderIds: other, done: true });
    const order = findOrder(venue.state, 2, { orderId: other[0]! });
    expect(order).toMatchObject({ status: 'canceled', statusReason: 'admin' });
    expect(kindOf(venue.place(1, { price: 900, volume: 1 }))).toBe('placed');
    expect(kindOf(venue.do({ type: 'cancel_market', symbol: 'nosuch' }).result)).toBe(4001);
  });

  test('a sweep of one side skips the conditional orders of the other, a bounded number per step', () => {
    const venue = venueOf(1);
    venue.sell(2, 1000, 1);
    venue.buy(3, 1000, 1);
    const stop = (side: 'buy' | 'sell', stopPrice: number): number =>
      venue.placed(1, { side, type: 'stop_limit', stopPrice, price: stopPrice, volume: 1 }).orderId;
    const kept = Array.from({ length: 14 }, (_, i) => stop('buy', 1010 + (i % 3)));
    const ended = [stop('sell', 990), stop('sell', 990), stop('sell', 995)];
    const command = { type: 'cancel_market', symbol: 'btcusdt', side: 'sell' } as const;
    expect(venue.do(command).result).toMatchObject({ orderIds: [], sweepId: 1 });
    const copy = restore(snapshot(venue.state));
    const order: number[] = [];
    while (pendingSweeps(venue.state) > 0) {
      const { result } = venue.do({ type: 'sweep' });
      if (result.kind === 'swept') order.push(...result.orderIds);
      apply(copy, { type: 'sweep', time: venue.time });
    }
    expect(order).toEqual([ended[2], ended[0], ended[1]]);
    expect(stateHash(copy)).toBe(stateHash(venue.state));
    for (const id of kept) expect(statusOf(venue, 1, id)).toBe('pending');
  });

  test('during a sweep nothing is placed, amended or tested, and cancels still work', () => {
    const venue = venueOf(1);
    const own = buys(venue, 1, 2);
    const asks = sells(venue, 2, 3);
    venue.do({ type: 'cancel_market', symbol: 'btcusdt', side: 'sell' });
    const details = { symbol: 'btcusdt', phase: 'continuous', sweeping: true };
    const closed = { kind: 'rejected', rejection: { code: 4004, details } };
    expect(venue.place(1, { price: 900, volume: 1 })).toEqual(closed);
    const order = { symbol: 'btcusdt', side: 'buy', type: 'limit', price: 90, volume: 1 } as const;
    expect(venue.do({ type: 'test', account: 1, order }).result).toEqual(closed);
    const mode = 'all_or_none';
    const batch = venue.do({ type: 'place_batch', account: 1, mode, orders: [order] });
    expect(batch.result.kind).toBe('batch_rejected');
    const amend = { type: 'amend', account: 1, orderId: own[0]!, volume: 2, volumeDecimals: 2 };
    expect(venue.do({ ...amend, type: 'amend' }).result).toEqual(closed);
    const config = { ...venue.state.markets[0]!.config, basePrecision: 3 };
    expect(kindOf(venue.do({ type: 'configure_market', config }).result)).toBe(2009);
    expect(kindOf(venue.do({ type: 'cancel', account: 2, orderId: asks[2]! }).result)).toBe(
      'canceled',
    );
    sweepAll(venue);
    expect(kindOf(venue.place(1, { price: 900, volume: 1 }))).toBe('placed');
    expect(kindOf(venue.do({ ...amend, type: 'amend' }).result)).toBe('amended');
  });

  test('stops that a halt kept waiting fire when both the halt and the sweep are over', () => {
    const market = { ...MANY, haltPpm: 100_000, haltMinutes: 1 };
    const venue = new Venue({ core: { sweepStep: 1 }, market });
    const tradeAt = (price: number): void => {
      venue.sell(1, price, 1);
      venue.buy(2, price, 1);
    };
    tradeAt(1000);
    venue.time += 300_000;
    const terms = { type: 'stop_limit', stopPrice: 1150, price: 1150, volume: 1 } as const;
    const { orderId } = venue.placed(3, terms);
    for (let price = 1300; price < 1303; price++) venue.sell(1, price, 1);
    tradeAt(1200);
    expect(venue.state.markets[0]!.phase).toBe('halted');
    venue.do({ type: 'cancel_market', symbol: 'btcusdt', side: 'sell' });
    venue.do({ type: 'set_phase', symbol: 'btcusdt', phase: 'continuous' });
    expect(venue.steps.map(({ cause }) => cause)).toEqual(['command']);
    expect(statusOf(venue, 3, orderId)).toBe('pending');
    // Two more asks; then the sweep looks at the stop itself and skips it.
    expect(sweepAll(venue)).toBe(3);
    expect(venue.steps.map(({ cause }) => cause)).toEqual(['sweep', 'trigger']);
    expect(statusOf(venue, 3, orderId)).toBe('open');
  });

  test('a market with too many live orders keeps its precision', () => {
    const venue = new Venue({ market: MANY });
    for (let i = 0; i < LIMITS.reprecisionMax; i++) venue.buy(1, 900 - (i % 100), 1);
    const config = { ...venue.state.markets[0]!.config, quotePrecision: 2 };
    config.maximumPriceTicks = 1e9;
    const extra = venue.buy(1, 800, 1);
    const refused = venue.do({ type: 'configure_market', config }).result;
    const details = { parameter: 'quotePrecision' };
    expect(refused).toEqual({ kind: 'rejected', rejection: { code: 2009, details } });
    venue.do({ type: 'cancel', account: 1, orderId: extra.orderId });
    expect(kindOf(venue.do({ type: 'configure_market', config }).result)).toBe('done');
  });
});

test('under rules 1 everything ends at once, and the newer commands are ignored', () => {
  const venue = venueOf(2, { rules: 1 });
  const ids = buys(venue, 1, 5);
  for (const command of [
    { type: 'cancel_market', symbol: 'btcusdt' },
    { type: 'sweep' },
    { type: 'place_oco' } as never,
  ] as const) {
    const { steps, result } = venue.do(command);
    expect(result).toEqual({ kind: 'done' });
    expect(steps).toMatchObject([{ cause: 'command', orders: [] }]);
  }
  const { result } = venue.do({ type: 'cancel_all', account: 1 });
  expect(result).toEqual({ kind: 'canceled_all', orderIds: ids, sweepId: 0 });
});

test('a command of an unknown type is refused without a step', () => {
  const venue = venueOf(2);
  const { steps, result } = venue.do({ type: 'place_oco' } as never);
  expect(steps).toEqual([]);
  expect(result).toMatchObject({ rejection: { code: 2002, details: { parameter: 'type' } } });
});

test('an upgrade to an older or unknown version, or with half a key, changes nothing', () => {
  const venue = venueOf(2, { rules: 1 });
  const hashKey = '00112233445566778899aabbccddeeff';
  const upgrade = (version: number, key: string): ReturnType<typeof kindOf> =>
    kindOf(venue.do({ type: 'upgrade', version, hashKey: key }).result);
  for (const version of [0, 1, 1.5, CORE_VERSION + 1]) {
    expect(upgrade(version, hashKey)).toBe(2003);
  }
  for (const key of ['', hashKey.slice(1), `${hashKey}0`, hashKey.toUpperCase()]) {
    expect(upgrade(2, key)).toBe(2002);
  }
  expect(venue.state.rules).toBe(1);
  expect(upgrade(2, hashKey)).toBe('done');
  expect(venue.state.rules).toBe(2);
  expect(upgrade(1, hashKey)).toBe(2003);
  expect(upgrade(2, hashKey.replace('0', 'f'))).toBe('done');
  expect(venue.state.hashKey[0]).toBe(0xf0112233);
  expect(upgrade(3, hashKey)).toBe('done');
  expect(upgrade(2, hashKey)).toBe(2003);
  expect(venue.state.rules).toBe(3);
});
