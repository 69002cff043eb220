import type { AskedTerms, Order, Step } from '@rialto/matching';
import { expect, it } from 'vitest';
import { Fold } from './fold.ts';

const order = (orderId: number, clientOrderId: string): Order =>
  ({ orderId, clientOrderId }) as Order;
const asked = (orderId: number): [number, AskedTerms] => [orderId, { orderId } as AskedTerms];

const step = (orders: Order[]): Step => ({
  engineSeq: 1,
  time: 1_760_000_000_000,
  cause: 'command',
  orders,
  trades: [],
  prevented: [],
  journals: [],
  books: [],
  phases: [],
  uncrosses: [],
  timers: [],
  withdrawals: [],
  reversals: [],
  accounts: [],
  markets: [],
});

it('the legs of a list keep their client ids, whichever of them a step names first', () => {
  const fold = new Fold({ lastOrderId: 6, lastEntryId: 0 }, []);
  const steps = [
    step([order(9, 'loss'), order(7, 'entry'), order(8, 'profit')]),
    // The exits begin: they are known by now.
    step([order(8, 'profit'), order(9, 'loss')]),
  ];
  const outcomes = [{ steps, result: { kind: 'done' } as const }];
  fold.add({ outcomes, asked: new Map([asked(7), asked(8), asked(9)]) });
  const ids = fold.clientOrders.map((row) => row.order.clientOrderId);
  expect(ids.sort()).toEqual(['entry', 'loss', 'profit']);
  expect(fold.counters.lastOrderId).toBe(9);
  expect(new Set(fold.orders.keys())).toEqual(new Set([7, 8, 9]));
});
