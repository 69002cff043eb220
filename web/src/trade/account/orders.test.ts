import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { orderOf } from '../testing/order.ts';
import { OrderTable, ownVolumesOf } from './orders.ts';

describe('the orders of the account', () => {
  it('keeps what is newest, however the news come', () => {
    const history = [
      orderOf({ engineSeq: '9', status: 'open' }),
      orderOf({ engineSeq: '10', status: 'partially_filled' }),
      orderOf({ engineSeq: '101', status: 'filled' }),
    ];
    const orders = fc.shuffledSubarray([...history, ...history], { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(orders, (came) => {
        const table = new OrderTable();
        for (const order of came) table.take(order);
        const newest = came.reduce((a, b) => (BigInt(a.engineSeq) > BigInt(b.engineSeq) ? a : b));
        expect([...table.open, ...table.ended]).toEqual([newest]);
      }),
    );
  });

  it('does not bring an order back that has ended', () => {
    const table = new OrderTable();
    table.take(orderOf({ engineSeq: '12', status: 'canceled' }));
    table.replace([orderOf({ engineSeq: '11' })], '11');
    expect(table.open).toEqual([]);
  });

  it('forgets what a snapshot no longer has, and keeps what is younger than it', () => {
    const table = new OrderTable();
    table.take(orderOf({ orderId: '1', engineSeq: '5' }));
    table.take(orderOf({ orderId: '2', engineSeq: '20' }));
    table.replace([orderOf({ orderId: '3', engineSeq: '8' })], '10');
    expect(table.open.map(({ orderId }) => orderId)).toEqual(['3', '2']);
  });

  it('is bounded', () => {
    const table = new OrderTable();
    for (let id = 1; id <= 1000; id += 1)
      table.take(orderOf({ orderId: String(id), status: 'filled' }));
    expect(table.ended.length).toBe(300);
    expect(table.ended[0]?.orderId).toBe('1000');
  });
});

it('sums what stands in the book at one price, and leaves out what waits', () => {
  const orders = [
    orderOf({ orderId: '1', remainingVolume: '0.1' }),
    orderOf({ orderId: '2', remainingVolume: '0.2' }),
    orderOf({ orderId: '3', side: 'sell', price: '65000.00' }),
    orderOf({ orderId: '4', isWorking: false }),
    orderOf({ orderId: '5', symbol: 'ethusdt' }),
  ];
  expect([...ownVolumesOf(orders, 'btcusdt')]).toEqual([
    ['buy:64210.50', '0.3'],
    ['sell:65000.00', '0.5'],
  ]);
});
