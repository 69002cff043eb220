import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, openDesk, resultOf, type Desk } from '../../testing/trading/desk.ts';
import { send, type Trader } from '../../testing/trader.ts';
import { setPhase } from '../operators/acts.ts';
import type { Auction } from './auction.ts';

let desk: Desk;
let maker: Trader;
let taker: Trader;
beforeAll(async () => {
  desk = await openDesk({}, { terms: { btcusdt: { auctionSeconds: 30 } } });
  maker = await desk.trader();
  taker = await desk.trader();
}, 120_000);
afterAll(() => desk.close());

const ask = (path: string) => send(`${desk.server.baseUrl}/public/${path}`);
const auction = async (symbol = 'btcusdt') =>
  resultOf<Auction>(await ask(`auction?symbol=${symbol}`));
const WAIT = { timeout: 10_000 };
const hours = (n: number) => Date.now() + n * 3_600_000;

/** Definitions are remembered for a second. */
async function inPhase(phase: string): Promise<void> {
  await expect.poll(async () => (await auction()).phase, WAIT).toBe(phase);
}
async function move(phase: string, until?: number): Promise<void> {
  await desk.venue.perform(setPhase('btcusdt', phase, '', until));
  await inPhase(phase);
}

const EMPTY = {
  until: '',
  indicativePrice: '',
  indicativeVolume: '',
  imbalance: '',
  imbalanceSide: '',
};

it('outside of an auction the figures are empty', async () => {
  expect(await auction()).toMatchObject({
    symbol: 'btcusdt',
    phase: 'continuous',
    ...EMPTY,
    referencePrice: '64000.00',
  });
  expect(codeOf(await ask('auction?symbol=nothere'))).toBe('4001');
  expect(codeOf(await ask('auction'))).toBe('2001');
});

describe('an auction', () => {
  it('says what it would trade, and takes only orders that wait', async () => {
    const until = Math.floor(hours(1));
    await move('auction', until);
    expect(await auction()).toMatchObject({
      until: String(until),
      indicativePrice: '',
      indicativeVolume: '0.000000',
      imbalance: '0.000000',
      imbalanceSide: '',
    });
    const [market] = resultOf<{ phase: string; isActive: boolean; referencePrice: string }[]>(
      await ask('markets?symbol=btcusdt'),
    );
    expect(market).toMatchObject({
      phase: 'auction',
      isActive: true,
      referencePrice: '64000.00',
    });
    await desk.place(maker, { side: 'sell', price: '63000.00', volume: '0.030000' });
    await desk.place(taker, { side: 'buy', price: '65000.00', volume: '0.020000' });
    await expect
      .poll(() => auction(), WAIT)
      .toMatchObject({
        indicativePrice: '64000.00',
        indicativeVolume: '0.020000',
        imbalance: '0.010000',
        imbalanceSide: 'sell',
      });
    const depth = resultOf<{ bids: unknown[]; asks: unknown[] }>(await ask('depth?symbol=btcusdt'));
    expect([depth.bids, depth.asks]).toEqual([
      [{ price: '65000.00', volume: '0.020000' }],
      [{ price: '63000.00', volume: '0.030000' }],
    ]);
    for (const params of [
      { timeInForce: 'IOC' },
      { postOnly: 'true' },
      { type: 'stop_limit', stopPrice: '66000.00' },
    ]) {
      const answer = await desk.post(taker, 'order/create', {
        symbol: 'btcusdt',
        side: 'buy',
        type: 'limit',
        price: '64000.00',
        volume: '0.010000',
        ...params,
      });
      expect(codeOf(answer)).toBe('4004');
      expect(answer.text).toContain('GTC or GTD');
    }
  });

  it('trades at one price, at the maker’s rate', async () => {
    await move('continuous');
    expect(await auction()).toMatchObject({ phase: 'continuous', ...EMPTY });
    interface Fill {
      price: string;
      volume: string;
      isMaker: boolean;
      feeRate: string;
    }
    const fees = resultOf<{ makerFee: string }[]>(await desk.get(taker, 'account/fees'));
    const rate = fees[0]?.makerFee;
    for (const one of [maker, taker]) {
      const { items } = resultOf<{ items: Fill[] }>(await desk.get(one, 'order/trades'));
      expect(items).toMatchObject([{ price: '64000.00', volume: '0.020000', feeRate: rate }]);
    }
    expect((await auction()).referencePrice).toBe('64000.00');
    await desk.delete(maker, 'order/cancel_all');
  });

  it('a self-match ends the younger order, and reaches the projections', async () => {
    await move('auction');
    await desk.delete(maker, 'order/cancel_all');
    const older = await desk.place(maker, { side: 'sell', price: '64000.00' });
    const younger = await desk.place(maker, { side: 'buy', price: '64000.00' });
    await move('continuous');
    const find = async (orderId: string) =>
      resultOf<{ status: string; statusReason: string }>(
        await desk.get(maker, 'order/get', { orderId }),
      );
    expect(await find(younger.orderId)).toMatchObject({ status: 'expired', statusReason: 'stp' });
    expect(await find(older.orderId)).toMatchObject({ status: 'open' });
    const rows = await desk.server.ctx.db
      .selectFrom('preventedMatches')
      .select(['takerOrderId', 'makerOrderId', 'mode'])
      .execute();
    expect(rows).toEqual([
      {
        takerOrderId: BigInt(older.orderId),
        makerOrderId: BigInt(younger.orderId),
        mode: 'expire_maker',
      },
    ]);
    await desk.delete(maker, 'order/cancel_all');
  });

  it('ends by itself', async () => {
    await move('auction', Date.now() + 3000);
    await inPhase('continuous');
  });

  it('an operator may not call one that ends too late or has ended', async () => {
    for (const until of [Date.now() - 1, hours(25)]) {
      await expect(
        desk.venue.perform(setPhase('btcusdt', 'auction', '', Math.floor(until))),
      ).rejects.toThrow('until');
    }
    await inPhase('continuous');
  });
});

it('the length of the auction after a halt is in the table', async () => {
  const row = await desk.server.ctx.db
    .selectFrom('markets')
    .select('auctionSeconds')
    .where('symbol', '=', 'btcusdt')
    .executeTakeFirstOrThrow();
  expect(row.auctionSeconds).toBe(30);
});
