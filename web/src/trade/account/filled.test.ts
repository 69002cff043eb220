import { expect, it } from 'vitest';
import { orderOf } from '../testing/order.ts';
import { watchFilled } from './filled.ts';

it('tells once of an order that waited and was filled, and of no other', () => {
  const told: string[] = [];
  const see = watchFilled(({ orderId }) => told.push(orderId));
  see(orderOf({ orderId: '1', status: 'open' }));
  see(orderOf({ orderId: '1', status: 'partially_filled' }));
  see(orderOf({ orderId: '1', status: 'filled' }));
  see(orderOf({ orderId: '1', status: 'filled' }));
  // Filled at once, canceled, and one that this page never saw waiting.
  see(orderOf({ orderId: '2', status: 'filled' }));
  see(orderOf({ orderId: '3', status: 'open' }));
  see(orderOf({ orderId: '3', status: 'canceled' }));
  see(orderOf({ orderId: '3', status: 'filled' }));
  expect(told).toEqual(['1']);
});

it('remembers a bounded number of orders', () => {
  const told: string[] = [];
  const see = watchFilled(({ orderId }) => told.push(orderId));
  for (let id = 1; id <= 1001; id += 1) see(orderOf({ orderId: String(id), status: 'open' }));
  for (const id of ['1', '2', '1001']) see(orderOf({ orderId: id, status: 'filled' }));
  expect(told).toEqual(['2', '1001']);
});
