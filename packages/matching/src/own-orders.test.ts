import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exampleMarket, Venue } from '../sim/example.ts';
import {
  applyTo,
  listOpenOrders,
  readOpenOrders,
  restore,
  snapshot,
  writeOpenOrders,
} from './index.ts';
import type { OpenPage, State } from './index.ts';
import { Tape } from './tape.ts';

const ETH = { ...exampleMarket, symbol: 'ethusdt', base: 'eth', maxOpenOrders: 1000 };

function openVenue(): Venue {
  const venue = new Venue({ market: { maxOpenOrders: 1000 } });
  venue.do({ type: 'list_coin', coin: 'eth', networks: ['ETH'] });
  venue.do({ type: 'create_market', config: ETH });
  venue.do({ type: 'set_phase', symbol: 'ethusdt', phase: 'continuous' });
  return venue;
}

function place(venue: Venue, symbol: string): void {
  const order = { symbol, side: 'buy', type: 'limit', price: 900, priceDecimals: 1 } as const;
  const terms = { ...order, volume: 1, volumeDecimals: 2 };
  applyTo(venue.state, { type: 'place', time: venue.time, account: 1, order: terms }, new Tape());
}

const idsOf = (state: State, page: OpenPage): number[] =>
  listOpenOrders(state, 1, page).map(({ orderId }) => orderId);

test('pages of open orders match the whole list, from any id on, in one market or in all', () => {
  const steps = fc.array(fc.record({ kind: fc.nat(3), n: fc.nat() }), {
    minLength: 100,
    maxLength: 900,
    size: 'max',
  });
  fc.assert(
    fc.property(steps, fc.nat(600), fc.integer({ min: 1, max: 300 }), (list, after, limit) => {
      const venue = openVenue();
      let model: { id: number; symbol: string }[] = [];
      let placed = 0;
      for (const { kind, n } of list) {
        if (kind < 3) {
          const symbol = kind === 0 ? 'ethusdt' : 'btcusdt';
          place(venue, symbol);
          placed += 1;
          model.push({ id: placed, symbol });
        } else if (model.length > 0) {
          const { id } = model[n % model.length]!;
          venue.do({ type: 'cancel', account: 1, orderId: id });
          model = model.filter((order) => order.id !== id);
        }
      }
      for (const state of [venue.state, restore(snapshot(venue.state))]) {
        for (const symbol of [undefined, 'btcusdt', 'ethusdt']) {
          const expected = model
            .filter(
              (order) => (symbol === undefined || order.symbol === symbol) && order.id > after,
            )
            .map(({ id }) => id);
          expect(idsOf(state, { symbol, after })).toEqual(expected);
          expect(idsOf(state, { symbol, after, limit })).toEqual(expected.slice(0, limit));
        }
      }
    }),
    { numRuns: 10 },
  );
});

test('orders copied onto a tape equal orders decoded at once', () => {
  const venue = openVenue();
  for (let i = 0; i < 300; i++) place(venue, i % 3 === 0 ? 'ethusdt' : 'btcusdt');
  const tape = new Tape();
  writeOpenOrders(venue.state, 1, { after: 40, limit: 100 }, tape);
  const orders = readOpenOrders(venue.state, tape);
  expect(orders).toHaveLength(100);
  expect(orders).toEqual(listOpenOrders(venue.state, 1, { after: 40, limit: 100 }));
});

test('an account or a market that does not exist has no open orders', () => {
  const { state } = openVenue();
  expect(listOpenOrders(state, 99)).toEqual([]);
  expect(listOpenOrders(state, 1, { symbol: 'nosuch' })).toEqual([]);
  expect(listOpenOrders(state, 1, { symbol: 'ethusdt' })).toEqual([]);
});
