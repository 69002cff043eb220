// A client id stands for one order for the life of its account, also when the engine has forgotten that order. While it
// has forgotten none, no placement asks the tables.
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { carryOut } from '../../testing/operator-rows.ts';
import {
  codeOf,
  LIMIT,
  openDesk,
  resultOf,
  type Desk,
  type Params,
} from '../../testing/trading/desk.ts';
import type { Trader } from '../../testing/trader.ts';
import type { Order } from './order.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk({}, { phase: 'continuous' });
});
afterEach(() => desk.sweep());
afterAll(() => desk.close());

const create = (owner: Trader, params: Params = {}) =>
  desk.post(owner, 'order/create', { ...LIMIT, ...params });
const isReplay = ({ headers }: { headers: Headers }) =>
  headers.get('x-svc-idempotent-replay') === 'true';

/** How often the client ids of orders were looked up in the tables meanwhile. */
async function lookups(work: () => Promise<unknown>): Promise<number> {
  const spy = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    return spy.mock.calls.filter(([query]) => {
      const { name } = query as unknown as { name?: string };
      return name === 'find-client-orders';
    }).length;
  } finally {
    spy.mockRestore();
  }
}

it('the engine knows every id as long as it has forgotten none', async () => {
  const owner = await desk.trader();
  const asked = await lookups(async () => {
    const first = resultOf<Order>(await create(owner, { clientOrderId: 'a' }));
    const again = await create(owner, { clientOrderId: 'a' });
    expect(isReplay(again)).toBe(true);
    expect(again.body.result).toEqual(first);
    expect(codeOf(await create(owner, { clientOrderId: 'a', volume: '0.02' }))).toBe('4012');
    await desk.delete(owner, 'order/cancel', { clientOrderId: 'a' });
    const ended = await create(owner, { clientOrderId: 'a' });
    expect(isReplay(ended)).toBe(true);
    expect(ended.body.result).toMatchObject({ orderId: first.orderId, status: 'canceled' });
  });
  expect(asked).toBe(0);
});

it('an id is known after the engine has forgotten its order', async () => {
  const owner = await desk.trader();
  const one = await desk.place(owner, { clientOrderId: 'one' });
  await desk.delete(owner, 'order/cancel', { clientOrderId: 'one' });
  // The next two that finish push out all before them.
  await carryOut(desk.server.ctx, [{ type: 'set_memory', memory: 1 }]);
  try {
    await desk.trade('64000.00');
    const asked = await lookups(async () => {
      // Ten at once meet an api process that does not know yet that the engine forgets.
      const repeated = await Promise.all(
        Array.from({ length: 10 }, () => create(owner, { clientOrderId: 'one' })),
      );
      for (const again of repeated) {
        expect(isReplay(again)).toBe(true);
        expect(again.body.result).toMatchObject({ orderId: one.orderId, status: 'canceled' });
      }
    });
    expect(asked).toBeGreaterThan(0);
    const other = { clientOrderId: 'one', volume: '0.02' };
    expect(codeOf(await create(owner, other))).toBe('4012');
    expect(codeOf(await create(await desk.trader(), other))).toBe('');

    const orders = ['one', 'new'].map((clientOrderId) => ({ ...LIMIT, clientOrderId }));
    const batch = { orders: JSON.stringify(orders) };
    const items = resultOf<{ order: Order }[]>(await desk.post(owner, 'order/create_batch', batch));
    expect(items.map(({ order }) => [order.clientOrderId, order.status])).toEqual([
      ['one', 'canceled'],
      ['new', 'open'],
    ]);
    const live = resultOf<Order[]>(await desk.get(owner, 'order/open'));
    expect(live.map(({ clientOrderId }) => clientOrderId)).toEqual(['new']);
    const replaced = await desk.post(owner, 'order/replace', {
      ...LIMIT,
      cancelClientOrderId: 'new',
      clientOrderId: 'one',
      volume: '0.03',
    });
    expect(codeOf(replaced)).toBe('4012');
    expect(await lookups(() => create(owner, { clientOrderId: 'two' }))).toBe(1);
  } finally {
    await carryOut(desk.server.ctx, [{ type: 'set_memory', memory: 100_000 }]);
  }
});
