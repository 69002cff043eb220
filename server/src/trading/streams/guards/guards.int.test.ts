import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pause } from '../../../platform/std/wait.ts';
import { LIMIT, openDesk, resultOf, type Desk } from '../../../testing/trading/desk.ts';
import { openStream, type StreamClient } from '../../../testing/trading/stream.ts';
import type { Trader } from '../../../testing/trader.ts';
import type { Order } from '../../orders/order.ts';

let desk: Desk;
let trader: Trader;
beforeAll(async () => {
  desk = await openDesk({ settings: { STREAM_FRAMES_PER_SECOND_MAX: '10000' } });
});
beforeEach(async () => {
  trader = await desk.trader();
});
afterAll(() => desk.close());

const FAR = { ...LIMIT, price: '50000.00' };

async function connect(who: Trader = trader): Promise<StreamClient> {
  const client = await openStream(desk.server);
  await client.login(who);
  return client;
}

const place = (client: StreamClient, more: object = {}) =>
  client.get<Order>('order.create', { params: { ...FAR, ...more } });
const guard = (client: StreamClient, graceMs: number) =>
  client.get('cancel_on_disconnect', { enabled: true, graceMs: String(graceMs) });
const stateOf = async ({ orderId }: Order, who = trader): Promise<string> => {
  const { status, statusReason } = resultOf<Order>(await desk.get(who, 'order/get', { orderId }));
  return `${status} ${statusReason}`.trim();
};

async function until(order: Order, state: string): Promise<void> {
  for (let n = 0; n < 200 && (await stateOf(order)) !== state; n += 1) await pause(50);
  expect(await stateOf(order)).toBe(state);
}

describe('cancel on disconnect', () => {
  it('cancels the orders of the connection that dropped, and no others', async () => {
    const [client, other] = [await connect(), await connect()];
    const before = await place(client);
    await guard(client, 0);
    const covered = await place(client);
    const named = await place(client, { clientOrderId: 'mine' });
    const [batched] = await client.get<{ order: Order }[]>('order.create_batch', {
      params: { orders: [FAR] },
    });
    const replaced = await client.get<{ created: Order }>('order.replace', {
      params: { ...FAR, orderId: covered.orderId, price: '50002.00' },
    });
    const foreign = await place(other);
    expect(covered.clientOrderId).toMatch(/^disconnect-/);
    expect(named.clientOrderId).toBe('mine');
    client.cut();
    for (const order of [named, batched?.order as Order, replaced.created]) {
      await until(order, 'canceled disconnect');
    }
    for (const order of [before, foreign]) expect(await stateOf(order)).toBe('open');
    await other.close();
  });

  it('waits for its grace, and cancels nothing if the same key resumes before', async () => {
    const client = await connect();
    await guard(client, 3000);
    const order = await place(client);
    client.cut();
    const stranger = await connect(await desk.trader());
    await stranger.get('resume', { fromSeq: '0' });
    const back = await connect();
    await back.get('resume', { fromSeq: '0' });
    await pause(5000);
    expect(await stateOf(order)).toBe('open');
    // The guard is the new connection’s.
    back.cut();
    await until(order, 'canceled disconnect');
    await stranger.close();
  });

  it('does nothing after an orderly logout, or when it was switched off', async () => {
    const [leaving, off] = [await connect(), await connect()];
    await guard(leaving, 0);
    await guard(off, 0);
    const orders = [await place(leaving), await place(off)];
    await leaving.get('logout');
    await leaving.close();
    await off.get('cancel_on_disconnect', { enabled: false });
    off.cut();
    await pause(1500);
    for (const order of orders) expect(await stateOf(order)).toBe('open');
  });

  it('holds when the process that served the connection is gone', async () => {
    const client = await connect();
    const order = await place(client, { clientOrderId: 'orphan' });
    // What such a process leaves behind: a guard whose lease nobody renews.
    await desk.server.owner.query(
      `WITH guard AS (
         INSERT INTO stream_guards (account_id, key_id, grace_ms, leased_until, due_at)
         VALUES ($1, $2, 500, now() - interval '1 second', now() + interval '1 second') RETURNING id)
       INSERT INTO stream_guard_orders SELECT id, 'orphan' FROM guard`,
      [trader.accountId, trader.keyId],
    );
    await until(order, 'canceled disconnect');
    await client.close();
  });

  it('forgets orders that have ended, and refuses a grace that is too long', async () => {
    const client = await connect();
    const refused = await client.ask('cancel_on_disconnect', { enabled: true, graceMs: '60001' });
    expect(refused.error?.code).toBe('2003');
    await guard(client, 0);
    const { orderId } = await place(client, { clientOrderId: 'short' });
    await client.get('order.cancel', { params: { orderId } });
    const rows = async () =>
      (
        await desk.server.owner.query(
          "SELECT FROM stream_guard_orders WHERE client_order_id = 'short'",
        )
      ).rowCount;
    for (let n = 0; n < 100 && (await rows()) !== 0; n += 1) await pause(50);
    expect(await rows()).toBe(0);
    await client.close();
  });
});
