import { describe, expect, test } from 'vitest';
import { Venue, describe as kindOf } from '../../sim/example.ts';
import { findOrder, restore, snapshot, stateHash } from '../index.ts';
import type { OrderTerms, Replace, Result } from '../index.ts';

const terms = (more: Partial<OrderTerms> = {}): OrderTerms => ({
  symbol: 'btcusdt',
  side: 'buy',
  type: 'limit',
  price: 900,
  priceDecimals: 1,
  volume: 5,
  volumeDecimals: 2,
  ...more,
});

interface Asked {
  orderId: number;
  order?: OrderTerms;
  account?: number;
  mode?: Replace['mode'];
  checkpoint?: number;
}

function replace(venue: Venue, asked: Asked): Extract<Result, { kind: 'replaced' }> {
  const result = attempt(venue, asked);
  if (result.kind !== 'replaced') throw new Error(`not replaced: ${kindOf(result)}`);
  return result;
}

function attempt(venue: Venue, asked: Asked): Result {
  const { orderId, order = terms(), account = 1, mode = 'stop_on_failure' } = asked;
  const { checkpoint = Infinity } = asked;
  return venue.do({ type: 'replace', account, orderId, mode, order, checkpoint }).result;
}

const parts = ({ canceled, created }: ReturnType<typeof replace>): unknown[] => [
  kindOf(canceled),
  created && kindOf(created),
];

describe('a replacement', () => {
  test('cancels first, so that the freed hold pays for the new order', () => {
    const venue = new Venue();
    const everything = venue.balance(1, 'usdt').available;
    const old = venue.buy(1, 1000, 500_000);
    venue.buy(1, 1000, 400_000);
    const result = replace(venue, { orderId: old.orderId, order: terms({ volume: 600_000 }) });
    expect(parts(result)).toEqual(['canceled', 'placed']);
    expect(result.canceled).toMatchObject({
      order: { orderId: old.orderId, status: 'canceled', statusReason: 'user' },
    });
    expect(result.created).toMatchObject({ order: { status: 'open', volume: 600_000 } });
    expect(venue.steps.map(({ cause, orders }) => [cause, orders.length])).toEqual([
      ['command', 1],
      ['command', 1],
    ]);
    const { available, hold } = venue.balance(1, 'usdt');
    expect(available + hold).toBe(everything);
  });

  test('may take liquidity and trigger stops, in steps of their own', () => {
    const venue = new Venue();
    venue.sell(2, 1000, 1);
    venue.buy(3, 1000, 1);
    const stop = venue.placed(3, {
      side: 'buy',
      type: 'stop_limit',
      stopPrice: 1010,
      price: 1020,
      volume: 1,
    });
    venue.sell(2, 1010, 1);
    const old = venue.buy(1, 900, 1);
    const result = replace(venue, {
      orderId: old.orderId,
      order: terms({ price: 1010, volume: 1 }),
    });
    expect(result.created).toMatchObject({ order: { status: 'filled' } });
    expect(venue.steps.map(({ cause }) => cause)).toEqual(['command', 'command', 'trigger']);
    expect(findOrder(venue.state, 3, { orderId: stop.orderId })?.status).toBe('open');
  });

  test('stops at a cancel that fails, unless told to go on', () => {
    const venue = new Venue();
    const theirs = venue.buy(2, 900, 5);
    const stopped = replace(venue, { orderId: theirs.orderId });
    expect(parts(stopped)).toEqual([4011, undefined]);
    expect(venue.balance(1, 'usdt').hold).toBe(0n);
    const allowed = replace(venue, { orderId: theirs.orderId, mode: 'allow_failure' });
    expect(parts(allowed)).toEqual([4011, 'placed']);
    expect(findOrder(venue.state, 2, { orderId: theirs.orderId })?.status).toBe('open');
  });

  test('leaves the cancel as it is when the placement is refused', () => {
    const venue = new Venue();
    const old = venue.buy(1, 900, 5);
    const result = replace(venue, { orderId: old.orderId, order: terms({ price: 9000 }) });
    expect(parts(result)).toEqual(['canceled', 4009]);
    expect(findOrder(venue.state, 1, { orderId: old.orderId })?.status).toBe('canceled');
  });

  test('that is repeated answers both orders as they are and cancels nothing', () => {
    const venue = new Venue();
    const old = venue.buy(1, 900, 5);
    const order = terms({ clientOrderId: 'new-1' });
    const first = replace(venue, { orderId: old.orderId, order });
    const again = replace(venue, {
      orderId: old.orderId,
      order: { ...order, price: 9000, priceDecimals: 2 },
    });
    expect(again.canceled).toEqual(first.canceled);
    expect(again.created).toMatchObject({ kind: 'placed', replay: true });
    expect(venue.steps.flatMap(({ orders }) => orders)).toEqual([]);
  });

  test('whose new client id is taken cancels nothing, whatever it asks to cancel', () => {
    const venue = new Venue();
    const old = venue.buy(1, 900, 5);
    const order = terms({ clientOrderId: 'new-1' });
    replace(venue, { orderId: old.orderId, order });
    const other = venue.buy(1, 910, 5);
    const known = findOrder(venue.state, 1, { clientOrderId: 'new-1' });
    // Another order to cancel, other terms, and the new order itself.
    const attacks: Asked[] = [
      { orderId: other.orderId, order },
      { orderId: other.orderId, order: terms({ clientOrderId: 'new-1', volume: 6 }) },
      { orderId: known?.orderId ?? 0, order },
      { orderId: other.orderId, order, mode: 'allow_failure' },
    ];
    for (const attack of attacks) {
      expect(kindOf(attempt(venue, attack))).toBe(4012);
      expect(venue.steps.flatMap(({ orders }) => orders)).toEqual([]);
    }
  });

  test('asks for another look before it cancels, if the new client id may be forgotten', () => {
    const venue = new Venue({ core: { memory: 1 } });
    const made = venue.buy(1, 900, 5, { clientOrderId: 'new-1' });
    venue.do({ type: 'cancel', account: 1, orderId: made.orderId });
    const old = venue.buy(1, 900, 5);
    venue.do({ type: 'cancel', account: 1, orderId: venue.buy(1, 900, 1).orderId });
    const order = terms({ clientOrderId: 'new-1' });
    const result = attempt(venue, { orderId: old.orderId, order, checkpoint: 1 });
    expect(result.kind).toBe('lookup_again');
    expect(venue.steps).toEqual([]);
    expect(findOrder(venue.state, 1, { orderId: old.orderId })?.status).toBe('open');
  });

  test('is refused as a whole with a wrong mode, market or account, and by older rules', () => {
    const venue = new Venue();
    const { orderId } = venue.buy(1, 900, 5);
    const mode = 'perhaps' as Replace['mode'];
    expect(kindOf(attempt(venue, { orderId, mode }))).toBe(2002);
    expect(kindOf(attempt(venue, { orderId, order: terms({ symbol: 'nosuch' }) }))).toBe(4001);
    expect(kindOf(attempt(venue, { orderId, account: 77 }))).toBe(7001);
    expect(findOrder(venue.state, 1, { orderId })?.status).toBe('open');
    const older = new Venue({ core: { rules: 3 } });
    const mine = older.buy(1, 900, 5);
    expect(kindOf(attempt(older, { orderId: mine.orderId }))).toBe(2002);
    expect(older.steps).toEqual([]);
  });
});

describe('an amendment with an id', () => {
  const amend = (
    venue: Venue,
    orderId: number,
    amendId: string,
    volume: number,
    volumeDecimals = 2,
  ): Result =>
    venue.do({ type: 'amend', account: 1, orderId, amendId, volume, volumeDecimals }).result;

  test('is made once; its repetition answers the order as it is now', () => {
    const venue = new Venue();
    const { orderId } = venue.buy(1, 900, 9);
    expect(amend(venue, orderId, 'a', 8)).toMatchObject({ replay: false, keptPriority: true });
    expect(amend(venue, orderId, 'b', 20)).toMatchObject({ replay: false, keptPriority: false });
    // 0.080 is the same number as 0.08.
    const again = amend(venue, orderId, 'a', 80, 3);
    expect(again).toMatchObject({ replay: true, keptPriority: true, order: { volume: 20 } });
    expect(venue.steps.flatMap(({ orders }) => orders)).toEqual([]);
    venue.do({ type: 'cancel', account: 1, orderId });
    expect(amend(venue, orderId, 'b', 20)).toMatchObject({
      kind: 'amended',
      replay: true,
      order: { status: 'canceled' },
    });
    expect(kindOf(amend(venue, orderId, 'c', 19))).toBe(4013);
  });

  test('conflicts with other terms under its id, and belongs to one order', () => {
    const venue = new Venue();
    const { orderId } = venue.buy(1, 900, 9);
    const other = venue.buy(1, 900, 9);
    amend(venue, orderId, 'a', 8);
    expect(kindOf(amend(venue, orderId, 'a', 7))).toBe(5011);
    expect(amend(venue, other.orderId, 'a', 7)).toMatchObject({ replay: false });
    for (const id of ['', 'x'.repeat(37), 'not permitted', 'a|m']) {
      expect(kindOf(amend(venue, orderId, id, 7)), id).toBe(2002);
    }
    expect(amend(venue, orderId, 'x'.repeat(36), 7)).toMatchObject({ replay: false });
  });

  test('is not remembered when it was refused', () => {
    const venue = new Venue();
    const { orderId } = venue.buy(1, 900, 9);
    expect(kindOf(amend(venue, orderId, 'a', 9))).toBe(4019);
    expect(amend(venue, orderId, 'a', 8)).toMatchObject({ replay: false });
  });

  test('is remembered with the newest of its order, in the snapshot too, and forgotten with it', () => {
    const venue = new Venue({ core: { memory: 1 } });
    const { orderId } = venue.buy(1, 900, 100);
    for (let i = 0; i < 17; i++) amend(venue, orderId, `a${i}`, 99 - i);
    const copy = restore(snapshot(venue.state));
    expect(stateHash(copy)).toBe(stateHash(venue.state));
    expect([...copy.amendments.values()].map((made) => made.length)).toEqual([16]);
    expect(amend(venue, orderId, 'a1', 98)).toMatchObject({ replay: true });
    // The oldest is forgotten, so this one is made again.
    expect(amend(venue, orderId, 'a0', 99)).toMatchObject({ replay: false });
    venue.do({ type: 'cancel', account: 1, orderId });
    expect(venue.state.amendments.size).toBe(1);
    venue.do({ type: 'cancel', account: 1, orderId: venue.buy(1, 900, 1).orderId });
    expect(venue.state.amendments.size).toBe(0);
  });

  test('is made again under older rules, which do not know the id', () => {
    const venue = new Venue({ core: { rules: 3 } });
    const { orderId } = venue.buy(1, 900, 9);
    expect(amend(venue, orderId, 'a', 8)).toMatchObject({ replay: false });
    expect(kindOf(amend(venue, orderId, 'a', 8))).toBe(4019);
    expect(venue.state.amendments.size).toBe(0);
  });
});
