import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDesk, resultOf, type Desk } from '../../../testing/trading/desk.ts';
import { openStream, type Pushed, type StreamClient } from '../../../testing/trading/stream.ts';
import type { Trader } from '../../../testing/trader.ts';
import type { Balance } from '../../account/shapes.ts';
import type { Order } from '../../orders/order.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk({ settings: { STREAM_FRAMES_PER_SECOND_MAX: '10000' } });
});
afterAll(() => desk.close());

const ALL = ['orders', 'my_trades', 'balances'];

async function follow(trader: Trader, channels: readonly string[] = ALL): Promise<StreamClient> {
  const client = await openStream(desk.server);
  await client.login(trader);
  await client.get('subscribe', { channels });
  return client;
}

const seqOf = ({ streamSeq = '' }: Pushed): number => Number(streamSeq);
const isUpdate = ({ type }: Pushed): boolean => type === 'update';

describe('the private channels', () => {
  it('begin with the open orders and all balances, and go on from exactly there', async () => {
    const trader = await desk.trader();
    const before = await desk.place(trader, { price: '50000.00' });
    const client = await follow(trader);
    const snapshot = await client.until((p) => p.channel === 'orders' && p.type === 'snapshot');
    expect(snapshot.data).toEqual([before]);
    const balances = await client.until((p) => p.channel === 'balances');
    expect(balances.type).toBe('snapshot');
    expect(balances.data).toEqual(resultOf(await desk.get(trader, 'account/balances')));
    const after = await desk.place(trader, { price: '50001.00' });
    const pushed = await client.until((p) => p.channel === 'orders' && isUpdate(p));
    expect(pushed.data).toEqual(after);
    expect(pushed.engineSeq).toBe(after.engineSeq);
    expect(seqOf(pushed)).toBe(seqOf(snapshot) + 1);
    const moved = await client.until((p) => p.channel === 'balances' && isUpdate(p));
    expect(seqOf(moved)).toBe(seqOf(pushed) + 1);
    const [usdt] = resultOf<Balance[]>(
      await desk.get(trader, 'account/balances', { coin: 'usdt' }),
    );
    expect(moved.data).toMatchObject([{ coin: 'usdt', hold: usdt?.hold, total: usdt?.total }]);
    await client.close();
  });

  it('tell of a fill with its trade, to both sides and nobody else', async () => {
    const [maker, taker, other] = [await desk.trader(), await desk.trader(), await desk.trader()];
    const clients = [await follow(maker), await follow(taker), await follow(other)] as const;
    const price = '64100.00';
    const resting = await desk.place(maker, { side: 'sell', price });
    const taking = await desk.place(taker, { price });
    for (const [client, order, isMaker] of [
      [clients[0], resting, true],
      [clients[1], taking, false],
    ] as const) {
      const trade = await client.until((p) => p.channel === 'my_trades');
      expect(trade.data).toMatchObject({ orderId: order.orderId, isMaker, price });
      const filled = await client.until(
        (p) => p.channel === 'orders' && isUpdate(p) && (p.data as Order).status === 'filled',
      );
      expect(filled.data).toMatchObject({ orderId: order.orderId, lastFill: trade.data });
      const trades = resultOf<{ items: unknown[] }>(
        await desk.get(client === clients[0] ? maker : taker, 'order/trades'),
      );
      expect(trades.items).toEqual([trade.data]);
    }
    expect(clients[2].pushes.filter(isUpdate)).toEqual([]);
    for (const client of clients) await client.close();
  });
});
