import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { carryOut } from '../../testing/operator-rows.ts';
import {
  codeOf,
  LIMIT,
  openDesk,
  placeOco,
  resultOf,
  type Desk,
} from '../../testing/trading/desk.ts';
import { holdProjector, type HeldProjector } from '../../testing/trading/held-projector.ts';
import { openStream } from '../../testing/trading/stream.ts';
import type { Trader, TradingAnswer } from '../../testing/trader.ts';
import type { OrderList } from '../order-lists/list.ts';
import type { Order } from '../orders/order.ts';
import { COMPLETE_HEADER } from './access.ts';

let desk: Desk;
let maker: Trader;
let taker: Trader;
let held: HeldProjector | undefined;
beforeAll(async () => {
  desk = await openDesk();
  maker = await desk.trader();
  taker = await desk.trader();
  await trade();
});
afterEach(release);
afterAll(() => desk.close());

interface Traded extends Order {
  trades: { tradeId: string }[];
}

/** Both sides of one trade at 64000; returns the taker's order. */
async function trade(): Promise<Order> {
  await desk.place(maker, { side: 'sell' });
  return desk.place(taker);
}

/** Stops the projector. Returns how far the tables are. */
async function hold(): Promise<number> {
  held = await holdProjector(desk.server.ctx);
  return held.reached;
}

async function release(): Promise<void> {
  await held?.release();
  held = undefined;
}

const completeTo = ({ headers }: TradingAnswer): number => Number(headers.get(COMPLETE_HEADER));
const itemsOf = (answer: TradingAnswer): unknown[] => {
  const { result } = answer.body;
  return Array.isArray(result) ? result : (result as { items: unknown[] }).items;
};
const readers: Record<string, () => Promise<TradingAnswer>> = {
  'order/history': () => desk.get(taker, 'order/history'),
  'order/trades': () => desk.get(taker, 'order/trades'),
  'order/prevented_matches': () => desk.get(taker, 'order/prevented_matches'),
  'account/ledger': () => desk.get(taker, 'account/ledger'),
};

describe('history while the tables are late', () => {
  it.each(Object.keys(readers))('%s shows what is there, and says how far it is', async (name) => {
    const read = readers[name];
    if (read === undefined) throw new Error(`There is no reader ${name}.`);
    const reached = await hold();
    const before = itemsOf(await read());
    await trade();
    const late = await read();
    expect(late.status).toBe(200);
    expect(itemsOf(late)).toHaveLength(before.length);
    expect(completeTo(late)).toBe(reached);
    await release();
    const { body } = await desk.get(taker, 'order/open');
    expect(body.status).toBe('true');
    const whole = await read();
    expect(completeTo(whole)).toBeGreaterThan(reached);
  });

  it('an order is as the engine knows it, and its trades come later', async () => {
    const reached = await hold();
    const { orderId } = await trade();
    const late = await desk.get(taker, 'order/get', { orderId });
    expect(resultOf<Traded>(late)).toMatchObject({ status: 'filled', trades: [] });
    expect(completeTo(late)).toBe(reached);
    const engineSeq = Number(late.headers.get('X-SVC-ENGINE-SEQ'));
    expect(engineSeq).toBeGreaterThan(reached);
    await release();
    const whole = await desk.get(taker, 'order/get', { orderId });
    expect(resultOf<Traded>(whole).trades).toHaveLength(1);
    expect(completeTo(whole)).toBeGreaterThanOrEqual(engineSeq);
  });

  it('an order without trades, an old one, and one that never was do not wait', async () => {
    const old = await trade();
    await hold();
    const open = await desk.place(taker, { price: '50000.00' });
    const startedMs = performance.now();
    const whole = await desk.get(taker, 'order/get', { orderId: old.orderId });
    expect(resultOf<Traded>(whole).trades).toHaveLength(1);
    expect((await desk.get(taker, 'order/get', { orderId: open.orderId })).status).toBe(200);
    const never = await desk.get(taker, 'order/get', { orderId: '999999999' });
    expect(codeOf(never)).toBe('4011');
    // The engine has forgotten nothing, so the tables are not asked to reach the present.
    expect(performance.now() - startedMs).toBeLessThan(900);
  });

  it('a repeated placement answers all trades, or none at all', async () => {
    await hold();
    const again = { ...LIMIT, clientOrderId: 'late-1', responseType: 'full' };
    await desk.place(maker, { side: 'sell' });
    const first = resultOf<Traded>(await desk.post(taker, 'order/create', again));
    expect(first.trades).toHaveLength(1);
    const asked = desk.post(taker, 'order/create', again);
    setTimeout(() => void release(), 1500);
    expect(resultOf<Traded>(await asked).trades).toEqual(first.trades);
  });

  it('a statement of the past is whole without waiting', async () => {
    const to = Date.now() - 11_000;
    await hold();
    await trade();
    const startedMs = performance.now();
    const answer = await taker.call(`${desk.server.baseUrl}/private/account/statement`, {
      params: { from: String(to - 1000), to: String(to) },
    });
    expect(answer.status).toBe(200);
    expect(performance.now() - startedMs).toBeLessThan(900);
  });

  it('a stream that runs is joined however late the tables are', async () => {
    const first = await openStream(desk.server);
    await first.get('subscribe', { channels: ['trades:btcusdt'] });
    await trade();
    await hold();
    await trade();
    const second = await openStream(desk.server);
    const startedMs = performance.now();
    await second.get('subscribe', { channels: ['candles:btcusdt:1m'] });
    expect(performance.now() - startedMs).toBeLessThan(900);
    for (const client of [first, second]) {
      client.cut();
      await client.closed;
    }
  });

  it('a leg of an open list is shown as it ended', async () => {
    const list = await placeOco(desk, maker, { limitPrice: '64500.00' });
    await hold();
    await desk.place(taker, { price: '64500.00', volume: '0.004000' });
    const asked = desk.get(maker, 'order_list/open');
    setTimeout(() => void release(), 1500);
    const [shown] = resultOf<OrderList[]>(await asked);
    expect(shown?.orderListId).toBe(list.orderListId);
    expect(shown?.orders.map(({ status }) => status).toSorted()).toEqual([
      'canceled',
      'partially_filled',
    ]);
    await desk.delete(maker, 'order/cancel_all');
  });

  it('an order that the engine has forgotten is waited for, and not denied', async () => {
    await carryOut(desk.server.ctx, [{ type: 'set_memory', memory: 1 }]);
    await hold();
    const { orderId } = await trade();
    for (let n = 0; n < 3; n += 1) await trade();
    const asked = desk.get(taker, 'order/get', { orderId });
    setTimeout(() => void release(), 1500);
    expect(resultOf<Traded>(await asked)).toMatchObject({ orderId, status: 'filled' });
  });
});
