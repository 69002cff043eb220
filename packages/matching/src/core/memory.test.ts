import { describe, expect, test } from 'vitest';
import { Venue, describe as kindOf } from '../../sim/example.ts';
import { findOrder, rememberedFrom, restore, snapshot, stateHash } from '../index.ts';
import type { OrderTerms } from '../index.ts';

const terms: Partial<OrderTerms> = { price: 900, volume: 5, clientOrderId: 'desk-a-1' };

describe('one client id, one order', () => {
  test('the same request again gives the order as it is now', () => {
    const venue = new Venue();
    const first = venue.placed(1, terms);
    venue.sell(2, 900, 2);
    expect(venue.place(1, terms)).toMatchObject({
      kind: 'placed',
      replay: true,
      order: { orderId: first.orderId, status: 'partially_filled', filledVolume: 2 },
    });
  });

  test('the same numbers written with other decimals are the same request', () => {
    const venue = new Venue();
    venue.placed(1, terms);
    const again = { ...terms, price: 90, priceDecimals: 0, volume: 500, volumeDecimals: 4 };
    expect(venue.place(1, again)).toMatchObject({ kind: 'placed', replay: true });
  });

  test('other terms are a conflict, even after an amendment made them true', () => {
    const venue = new Venue();
    const { orderId } = venue.placed(1, terms);
    venue.do({ type: 'amend', account: 1, orderId, volume: 4, volumeDecimals: 2 });
    expect(kindOf(venue.place(1, { ...terms, volume: 4 }))).toBe(4012);
    expect(venue.place(1, terms)).toMatchObject({ kind: 'placed', replay: true });
  });

  test('another account may use the same id', () => {
    const venue = new Venue();
    venue.placed(1, terms);
    expect(venue.place(2, terms)).toMatchObject({ kind: 'placed', replay: false });
  });

  test('the original request is recognised after the precision was raised', () => {
    const venue = new Venue();
    venue.placed(1, terms);
    const config = { ...venue.state.markets[0]!.config, quotePrecision: 3, basePrecision: 5 };
    config.maximumPriceTicks = 1e9;
    venue.do({ type: 'configure_market', config });
    expect(venue.place(1, terms)).toMatchObject({
      kind: 'placed',
      replay: true,
      order: { price: 90_000, volume: 5_000, priceDecimals: 3, volumeDecimals: 5 },
    });
  });
});

describe('bounded memory', () => {
  test('whatever is forgotten had finished by the event that the memory begins with', () => {
    const venue = new Venue({ core: { memory: 2 } });
    expect(rememberedFrom(venue.state)).toBe(0);
    const ended: { orderId: number; engineSeq: number }[] = [];
    for (let n = 0; n < 5; n += 1) {
      // Without a client id: the core forgets such orders too.
      const { orderId } = venue.placed(1, { price: 900, volume: 5 });
      venue.do({ type: 'cancel', account: 1, orderId });
      ended.push({ orderId, engineSeq: venue.state.engineSeq });
      const from = rememberedFrom(venue.state);
      const known = ended.filter((one) => findOrder(venue.state, 1, one) !== undefined);
      expect(from).toBe(known[0]?.engineSeq);
      for (const one of ended) if (!known.includes(one)) expect(one.engineSeq).toBeLessThan(from);
    }
  });

  test('a caller that looked before a forgotten order finished must look again', () => {
    const venue = new Venue({ core: { memory: 2 } });
    const { orderId } = venue.placed(1, terms);
    const lookedAt = venue.state.engineSeq - 1;
    venue.do({ type: 'cancel', account: 1, orderId });
    const finishedAt = venue.state.engineSeq;
    for (const id of ['b', 'c']) {
      const order = venue.placed(1, { ...terms, clientOrderId: id });
      venue.do({ type: 'cancel', account: 1, orderId: order.orderId });
    }
    const seq = venue.state.engineSeq;
    expect(venue.place(1, terms, lookedAt)).toEqual({
      kind: 'lookup_again',
      forgottenThrough: finishedAt,
    });
    expect(venue.state.engineSeq).toBe(seq);
    // A caller that looked after that moment has seen the order, so a new id really is new.
    expect(venue.place(1, { ...terms, clientOrderId: 'd' }, finishedAt).kind).toBe('placed');
  });

  test('callers without a client id never have to look again', () => {
    const venue = new Venue({ core: { memory: 1 } });
    for (let i = 0; i < 4; i++) {
      const order = venue.placed(1, { ...terms, clientOrderId: `x${i}` });
      venue.do({ type: 'cancel', account: 1, orderId: order.orderId });
    }
    expect(venue.place(1, { price: 900, volume: 5 }, 0).kind).toBe('placed');
  });

  test('a memory made smaller shrinks gradually, and a snapshot in between keeps what is there', () => {
    const venue = new Venue({ core: { memory: 100 } });
    const finish = (): void => {
      const { orderId } = venue.buy(1, 900, 1);
      venue.do({ type: 'cancel', account: 1, orderId });
    };
    for (let i = 0; i < 20; i++) finish();
    venue.do({ type: 'set_memory', memory: 5 });
    expect(venue.state.finishedCount).toBe(20);
    expect(venue.state.causes.size).toBe(6);
    finish();
    expect(venue.state.finishedCount).toBe(17);
    const copy = restore(snapshot(venue.state));
    expect(copy.finishedCount).toBe(17);
    expect(stateHash(copy)).toBe(stateHash(venue.state));
    for (let i = 0; i < 10; i++) finish();
    expect(venue.state.finishedCount).toBe(5);
    const old = new Venue({ core: { memory: 100, rules: 1 } });
    old.do({ type: 'set_memory', memory: 1 });
    expect(old.state.causes.size).toBe(1);
  });
});
