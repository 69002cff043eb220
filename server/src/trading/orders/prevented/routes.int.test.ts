import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { RICH } from '../../../testing/live-venue.ts';
import { exampleTrader, type Trader } from '../../../testing/trader.ts';
import { codeOf, openDesk, resultOf, type Desk } from '../../../testing/trading/desk.ts';
import type { PageOf } from '../../pages.ts';
import type { SubAccount } from '../../sub-accounts/shapes.ts';
import type { Order } from '../order.ts';
import type { PreventedMatch } from './match.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk({}, { phase: 'continuous' });
});
afterEach(() => desk.sweep());
afterAll(() => desk.close());

type Matches = PageOf<PreventedMatch>;
const list = async (trader: Trader, params: Record<string, string> = {}): Promise<Matches> =>
  resultOf<Matches>(await desk.get(trader, 'order/prevented_matches', params));

/** A resting sell, and a buy that would trade with it. */
async function meet(trader: Trader, stpMode: string): Promise<[maker: Order, taker: Order]> {
  const maker = await desk.place(trader, { side: 'sell', price: '64100.00' });
  return [maker, await desk.place(trader, { price: '64100.00', volume: '0.004', stpMode })];
}

it('lists what was prevented, with both orders, newest first', async () => {
  const trader = await desk.trader();
  const [maker, taker] = await meet(trader, 'expire_taker');
  const second = await desk.place(trader, {
    price: '64100.00',
    volume: '0.004',
    stpMode: 'decrement',
  });
  const { items, nextCursor } = await list(trader);
  expect(nextCursor).toBe('');
  expect(items).toEqual([
    {
      symbol: 'btcusdt',
      takerOrderId: second.orderId,
      makerOrderId: maker.orderId,
      role: 'both',
      price: '64100.00',
      volume: '0.004000',
      mode: 'decrement',
      time: second.createdAt,
      engineSeq: second.engineSeq,
    },
    expect.objectContaining({
      takerOrderId: taker.orderId,
      mode: 'expire_taker',
      volume: '0.000000',
    }),
  ]);
});

it('filters by order and market, and pages with a cursor of its own', async () => {
  const trader = await desk.trader();
  const [maker, taker] = await meet(trader, 'expire_taker');
  for (let n = 0; n < 4; n++) await meet(trader, 'expire_maker');
  const all = (await list(trader, { sort: 'asc' })).items;
  // The second pair meets the first maker as well.
  expect(all).toHaveLength(6);
  expect((await list(trader, { orderId: taker.orderId })).items).toHaveLength(1);
  expect((await list(trader, { orderId: maker.orderId })).items).toHaveLength(2);
  expect((await list(trader, { symbol: 'ethusdt' })).items).toEqual([]);
  const read: PreventedMatch[] = [];
  let cursor = '';
  do {
    const page = await list(trader, { sort: 'asc', limit: '2', cursor });
    read.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== '');
  expect(read).toEqual(all);
  const from = all[3]?.time ?? '';
  const late = (await list(trader, { from })).items;
  expect(late.every(({ time }) => Number(time) >= Number(from))).toBe(true);
  expect(late.length).toBeGreaterThanOrEqual(3);
  const foreign = (await list(trader, { limit: '1' })).nextCursor;
  const stranger = await desk.trader();
  const stolen = await desk.get(stranger, 'order/prevented_matches', {
    limit: '1',
    cursor: foreign,
  });
  expect(codeOf(stolen)).toBe('2011');
  expect(codeOf(await desk.get(trader, 'order/prevented_matches', { symbol: 'btcxyz' }))).toBe(
    '4001',
  );
  expect(codeOf(await desk.get(trader, 'order/prevented_matches', { limit: '501' }))).toBe('2003');
});

it('shows an account nothing of another', async () => {
  const [trader, stranger] = [await desk.trader(), await desk.trader()];
  const [maker, taker] = await meet(trader, 'decrement');
  for (const orderId of [maker.orderId, taker.orderId]) {
    expect((await list(stranger, { orderId })).items).toEqual([]);
  }
  expect((await list(stranger)).items).toEqual([]);
});

it('names to an account of a family its own order only', async () => {
  const head = await desk.trader(RICH, { permissions: ['read', 'trade', 'transfer'] });
  const { accountId } = resultOf<SubAccount>(
    await desk.post(head, 'sub_account/create', { label: 'maker' }),
  );
  const key = { userId: head.userId, accountId: BigInt(accountId) };
  const sub = await exampleTrader(desk.server.ctx, key);
  await desk.venue.fund(sub.accountId, RICH);
  const maker = await desk.place(sub, { side: 'sell', price: '64100.00' });
  const taker = await desk.place(head, { price: '64100.00', stpMode: 'expire_taker' });
  const [mine, theirs] = [await list(head), await list(sub)];
  expect(mine.items).toMatchObject([
    { takerOrderId: taker.orderId, makerOrderId: '', role: 'taker' },
  ]);
  expect(theirs.items).toMatchObject([
    { takerOrderId: '', makerOrderId: maker.orderId, role: 'maker' },
  ]);
  // Asking for the order of the other account finds nothing, not even that it was met.
  expect((await list(head, { orderId: maker.orderId })).items).toEqual([]);
  expect((await list(sub, { orderId: taker.orderId })).items).toEqual([]);
  await desk.delete(sub, 'order/cancel_all');
});
