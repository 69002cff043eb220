import { describe, expect, test } from 'vitest';
import { COIN, TICK_LOT, Venue, describe as kindOf } from '../../sim/example.ts';
import {
  Tape,
  apply,
  applyTo,
  audit,
  findOrder,
  listMarkets,
  restore,
  snapshot,
  stateHash,
} from '../index.ts';

/** Makes one trade at the price. */
function tradeAt(venue: Venue, price: number): void {
  venue.sell(1, price, 1);
  venue.buy(2, price, 1);
}

describe('conditional orders', () => {
  test('hold from placement and trigger at their price', () => {
    const venue = new Venue();
    tradeAt(venue, 1000);
    const stop = venue.placed(3, { type: 'stop_limit', stopPrice: 1010, price: 1020, volume: 2 });
    expect(stop).toMatchObject({ status: 'pending', held: 2_040n * TICK_LOT });
    tradeAt(venue, 1009);
    expect(findOrder(venue.state, 3, { orderId: stop.orderId })?.status).toBe('pending');
    tradeAt(venue, 1010);
    expect(venue.steps.map((s) => s.cause)).toEqual(['command', 'trigger']);
    expect(findOrder(venue.state, 3, { orderId: stop.orderId })).toMatchObject({
      status: 'open',
      triggeredAt: venue.time,
    });
  });

  test('each kind waits for its own direction', () => {
    const venue = new Venue();
    tradeAt(venue, 1000);
    const at = (
      type: 'stop_market' | 'take_profit_market',
      side: 'buy' | 'sell',
      stopPrice: number,
    ) =>
      venue.place(
        3,
        side === 'buy'
          ? { type, side, stopPrice, total: COIN }
          : { type, side, stopPrice, volume: 1 },
      );
    expect(kindOf(at('stop_market', 'buy', 1000))).toBe(4016);
    expect(kindOf(at('stop_market', 'sell', 1000))).toBe(4016);
    expect(kindOf(at('take_profit_market', 'buy', 1000))).toBe(4016);
    expect(kindOf(at('take_profit_market', 'sell', 1000))).toBe(4016);
    expect(kindOf(at('stop_market', 'buy', 1001))).toBe('placed');
    expect(kindOf(at('stop_market', 'sell', 999))).toBe('placed');
    expect(kindOf(at('take_profit_market', 'buy', 999))).toBe('placed');
    expect(kindOf(at('take_profit_market', 'sell', 1001))).toBe('placed');
  });

  test('fire in order of placement when one trade hits several, and trigger each other', () => {
    const venue = new Venue();
    tradeAt(venue, 1000);
    const sell = (stopPrice: number, price: number) =>
      venue.placed(3, { side: 'sell', type: 'stop_limit', stopPrice, price, volume: 1 });
    const late = sell(970, 960);
    const first = sell(985, 970);
    const second = sell(990, 970);
    venue.buy(2, 980, 1);
    venue.buy(2, 970, 1);
    venue.buy(2, 960, 1);
    tradeAt(venue, 985);
    const triggered = venue.steps.filter((s) => s.cause === 'trigger');
    expect(triggered.flatMap((s) => s.trades.map((t) => [t.seller.orderId, t.priceTicks]))).toEqual(
      [
        [first.orderId, 980],
        [second.orderId, 970],
        [late.orderId, 960],
      ],
    );
  });

  test('a post-only order that would take when it triggers is rejected, and its hold returns', () => {
    const venue = new Venue();
    tradeAt(venue, 1000);
    const stop = venue.placed(3, {
      type: 'stop_limit',
      stopPrice: 1010,
      price: 1020,
      volume: 2,
      postOnly: true,
    });
    venue.sell(1, 1010, 5);
    venue.buy(2, 1010, 1);
    expect(findOrder(venue.state, 3, { orderId: stop.orderId })).toMatchObject({
      status: 'rejected',
      statusReason: 'post_only_cross',
      held: 0n,
    });
  });
});

describe('phases', () => {
  test('admit what the table says', () => {
    const venue = new Venue();
    const resting = venue.buy(1, 900, 1);
    for (const phase of ['pre_open', 'cancel_only', 'halted'] as const) {
      venue.do({ type: 'set_phase', symbol: 'btcusdt', phase });
      expect(kindOf(venue.place(1, { price: 900, volume: 1 }))).toBe(4004);
    }
    venue.do({ type: 'set_phase', symbol: 'btcusdt', phase: 'post_only' });
    expect(kindOf(venue.place(1, { price: 900, volume: 1 }))).toBe(4004);
    expect(kindOf(venue.place(1, { price: 900, volume: 1, postOnly: true }))).toBe('placed');
    expect(venue.do({ type: 'cancel', account: 1, orderId: resting.orderId }).result.kind).toBe(
      'canceled',
    );
  });

  test('delisting cancels every order and gives every hold back', () => {
    const venue = new Venue();
    const order = venue.buy(1, 900, 1);
    venue.do({ type: 'set_phase', symbol: 'btcusdt', phase: 'delisted' });
    expect(findOrder(venue.state, 1, { orderId: order.orderId })?.statusReason).toBe(
      'market_closed',
    );
    expect(venue.balance(1, 'usdt').hold).toBe(0n);
    const again = venue.do({ type: 'set_phase', symbol: 'btcusdt', phase: 'continuous' });
    expect(kindOf(again.result)).toBe(4004);
  });

  test('a price too far from the one five minutes ago halts, then opens in stages', () => {
    const venue = new Venue({ market: { haltPpm: 100_000, haltMinutes: 2 } });
    const phase = (): string => listMarkets(venue.state)[0]!.phase;
    tradeAt(venue, 1000);
    venue.time += 299_000;
    tradeAt(venue, 1200);
    expect(phase()).toBe('continuous');
    venue.time += 1_000;
    tradeAt(venue, 1100);
    expect(phase()).toBe('continuous');
    tradeAt(venue, 1101);
    expect(phase()).toBe('halted');
    venue.time += 120_000;
    venue.do({ type: 'tick' });
    expect(phase()).toBe('post_only');
    venue.time += 59_999;
    venue.do({ type: 'tick' });
    expect(phase()).toBe('post_only');
    venue.time += 1;
    venue.do({ type: 'tick' });
    expect(phase()).toBe('continuous');
  });

  test('after a halt, prices are compared with the price at which trading stopped', () => {
    const venue = new Venue({ market: { haltPpm: 100_000, haltMinutes: 1 } });
    const phase = (): string => listMarkets(venue.state)[0]!.phase;
    const resume = (): void => {
      for (let i = 0; i < 2; i++) {
        venue.time += 60_000;
        venue.do({ type: 'tick' });
      }
      expect(phase()).toBe('continuous');
    };
    tradeAt(venue, 1000);
    venue.time += 300_000;
    tradeAt(venue, 1101);
    expect(phase()).toBe('halted');
    resume();
    // The price of five minutes ago would halt the market again and again.
    tradeAt(venue, 1101);
    expect(phase()).toBe('continuous');
    tradeAt(venue, 1211);
    expect(phase()).toBe('continuous');
    tradeAt(venue, 1212);
    expect(phase()).toBe('halted');
    venue.do({ type: 'set_phase', symbol: 'btcusdt', phase: 'continuous' });
    tradeAt(venue, 1212);
    expect(phase()).toBe('continuous');
    expect(audit(restore(snapshot(venue.state)))).toEqual([]);
    tradeAt(venue, 1090);
    expect(phase()).toBe('halted');
  });

  test('stops that a halt kept waiting fire when trading resumes', () => {
    const venue = new Venue({ market: { haltPpm: 100_000, haltMinutes: 1 } });
    tradeAt(venue, 1000);
    venue.time += 300_000;
    const stop = venue.placed(3, { type: 'stop_limit', stopPrice: 1150, price: 1150, volume: 1 });
    tradeAt(venue, 1200);
    expect(findOrder(venue.state, 3, { orderId: stop.orderId })?.status).toBe('pending');
    venue.time += 60_000;
    venue.do({ type: 'tick' });
    venue.time += 60_000;
    const { steps } = venue.do({ type: 'tick' });
    expect(steps.map((s) => s.cause)).toEqual(['phase_end', 'trigger']);
    expect(findOrder(venue.state, 3, { orderId: stop.orderId })?.status).toBe('open');
  });
});

describe('snapshots', () => {
  function busy(): Venue {
    const venue = new Venue({ core: { memory: 5, shard: 2 }, takerPpm: 1_500, makerPpm: -100 });
    tradeAt(venue, 1000);
    venue.sell(1, 1010, 20, { visibleVolume: 4, clientOrderId: 'ice' });
    venue.sell(2, 1010, 3);
    venue.buy(3, 1010, 5);
    venue.placed(3, { type: 'stop_market', stopPrice: 1100, total: COIN });
    venue.buy(1, 950, 3, { timeInForce: 'GTD', expireTime: venue.time + 9_000 });
    venue.do({ type: 'cancel_all_after', account: 2, timeoutMs: 7_000 });
    venue.do({
      type: 'request_withdrawal',
      withdrawalId: 'w',
      account: 1,
      coin: 'usdt',
      network: 'ETH',
      amount: COIN,
      fee: 0n,
    });
    return venue;
  }

  test('restore to a state of the same bytes and hash', () => {
    const { state } = busy();
    const bytes = snapshot(state);
    const again = restore(bytes, { capacity: 1_000 });
    expect(snapshot(again)).toEqual(bytes);
    expect(stateHash(again)).toBe(stateHash(state));
  });

  test('a restored state goes on as the first would have', () => {
    const venue = busy();
    const copy = restore(snapshot(venue.state));
    venue.time += 10_000;
    const command = { type: 'tick', time: venue.time } as const;
    expect(apply(copy, command)).toEqual(apply(venue.state, command));
    expect(stateHash(copy)).toBe(stateHash(venue.state));
  });

  test('the same commands write the same bytes on a used tape', () => {
    const { state } = busy();
    const copy = restore(snapshot(state));
    const time = state.time + 10_000;
    const [clean, used] = [new Tape(), new Tape()];
    used.u32.fill(0xdeadbeef);
    applyTo(state, { type: 'tick', time }, clean);
    applyTo(copy, { type: 'tick', time }, used);
    expect(used.bytes()).toEqual(clean.bytes());
    expect(clean.length).toBeGreaterThan(50);
  });

  test('bytes of another version, or cut short, are refused', () => {
    const bytes = snapshot(busy().state);
    expect(() => restore(bytes.slice(0, -1))).toThrow();
    const other = bytes.slice();
    other[4] = (other[4] ?? 0) + 1;
    expect(() => restore(other)).toThrow('format');
    expect(() => restore(new Uint8Array([1, 2, 3]))).toThrow('no snapshot');
  });

  test('ids of a shard count from its own thousand million millions', () => {
    const venue = new Venue({ core: { shard: 3 } });
    expect(venue.buy(1, 900, 1).orderId).toBe(3e15 + 1);
  });

  test('time that runs backwards is a broken assumption', () => {
    const venue = new Venue();
    venue.time -= 1;
    expect(() => venue.do({ type: 'open_account', account: 50, parent: 50 })).toThrow('time');
  });
});
