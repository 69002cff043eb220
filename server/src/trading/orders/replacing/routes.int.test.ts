import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Trader } from '../../../testing/trader.ts';
import { codeOf, LIMIT, openDesk, resultOf, type Desk } from '../../../testing/trading/desk.ts';
import type { Order } from '../order.ts';
import type { MyTrade } from '../trade.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk({}, { phase: 'continuous' });
});
afterEach(() => desk.sweep());
afterAll(() => desk.close());

const NEW = { ...LIMIT, price: '61000.00' };
interface Both {
  canceled: Order;
  created: Order & { trades?: MyTrade[] };
}
const replace = (trader: Trader, params: Record<string, string>) =>
  desk.post(trader, 'order/replace', { ...NEW, ...params });
const statusOf = async (trader: Trader, orderId: string) =>
  resultOf<Order>(await desk.get(trader, 'order/get', { orderId })).status;

describe('a replacement', () => {
  it('cancels one order and places another, which what it held pays for', async () => {
    const trader = await desk.trader({ usdt: '640' });
    const old = await desk.place(trader, { clientOrderId: 'old-1' });
    const both = resultOf<Both>(
      await replace(trader, { cancelClientOrderId: 'old-1', clientOrderId: 'new-1' }),
    );
    expect(both.canceled).toMatchObject({
      orderId: old.orderId,
      status: 'canceled',
      statusReason: 'user',
    });
    expect(both.created).toMatchObject({
      clientOrderId: 'new-1',
      price: '61000.00',
      status: 'open',
    });
    const next = await replace(trader, { orderId: both.created.orderId, responseType: 'ack' });
    expect(Object.keys(resultOf<Both>(next).created)).toHaveLength(5);
  });

  it('may trade at once', async () => {
    const [maker, taker] = [await desk.trader(), await desk.trader()];
    await desk.place(maker, { side: 'sell', price: '64100.00' });
    const { orderId } = await desk.place(taker, { price: '60000.00' });
    const both = resultOf<Both>(
      await replace(taker, { orderId, price: '64100.00', responseType: 'full' }),
    );
    expect(both.created).toMatchObject({ status: 'filled', trades: [{ price: '64100.00' }] });
  });

  it('that is repeated answers both as they are now, and cancels nothing more', async () => {
    const trader = await desk.trader();
    const { orderId } = await desk.place(trader, { price: '60000.00' });
    const other = await desk.place(trader, { price: '60000.00' });
    const asked = { orderId, clientOrderId: 'again-1' };
    const first = resultOf<Both>(await replace(trader, asked));
    const again = await replace(trader, asked);
    expect(again.headers.get('x-svc-idempotent-replay')).toBe('true');
    expect(resultOf<Both>(again)).toEqual(first);
    // The id belongs to another replacement, or to other terms: nothing is canceled.
    for (const attack of [
      { ...asked, orderId: other.orderId },
      { ...asked, orderId: other.orderId, volume: '0.02' },
      { ...asked, orderId: other.orderId, mode: 'allow_failure' },
      { ...asked, orderId: first.created.orderId },
    ]) {
      expect(codeOf(await replace(trader, attack))).toBe('4012');
    }
    expect(await statusOf(trader, other.orderId)).toBe('open');
    expect(await statusOf(trader, first.created.orderId)).toBe('open');
  });

  it('whose cancel fails places nothing, unless told to', async () => {
    const [owner, stranger] = [await desk.trader(), await desk.trader()];
    const { orderId } = await desk.place(owner, { price: '60000.00' });
    for (const asked of [{ orderId }, { cancelClientOrderId: 'never' }]) {
      const { status, body } = await replace(stranger, asked);
      expect([status, body.error?.code]).toEqual([404, '4011']);
      expect(body.error?.message).toContain('Nothing was placed');
    }
    expect(resultOf(await desk.get(stranger, 'order/open'))).toEqual([]);
    await desk.delete(owner, 'order/cancel', { orderId });
    const final = await replace(owner, { orderId });
    expect(final.body.error).toMatchObject({ code: '4013', details: { order: { orderId } } });
    const partly = await replace(owner, { orderId, mode: 'allow_failure' });
    expect(partly.status).toBe(409);
    expect(partly.body.error).toMatchObject({
      code: '4013',
      details: {
        canceled: { status: 'false', error: { code: '4013', name: 'ORDER_FINAL' } },
        created: { status: 'true', order: { price: '61000.00', status: 'open' } },
      },
    });
  });

  it('whose placement fails leaves the cancel, and says both', async () => {
    const trader = await desk.trader();
    const { orderId } = await desk.place(trader, { price: '60000.00' });
    const partly = await replace(trader, { orderId, volume: '0.000001' });
    // The code is that of the half that failed; the status says that one half was done.
    expect(partly.status).toBe(409);
    expect(partly.body.error).toMatchObject({
      code: '4007',
      details: {
        canceled: { status: 'true', order: { orderId, status: 'canceled' } },
        created: { status: 'false', error: { code: '4007', name: 'ORDER_TOO_SMALL' } },
      },
    });
    const neither = await replace(trader, { orderId, volume: '0.000001', mode: 'allow_failure' });
    expect(neither.status).toBe(400);
    expect(neither.body.error).toMatchObject({
      code: '4007',
      details: { canceled: { status: 'false' }, created: { status: 'false' } },
    });
  });

  it('is refused before anything is canceled where its parameters are wrong', async () => {
    const trader = await desk.trader();
    const { orderId } = await desk.place(trader, { price: '60000.00' });
    const attacks: Array<[Record<string, string>, string]> = [
      [{}, '2001'],
      [{ orderId, cancelClientOrderId: 'x' }, '2009'],
      [{ orderId, mode: 'sometimes' }, '2002'],
      [{ orderId, symbol: 'btcxyz' }, '4001'],
      [{ orderId, price: '61000.0000000000000000001' }, '4005'],
      [{ orderId: '9'.repeat(16) }, '4011'],
    ];
    for (const [params, code] of attacks) expect(codeOf(await replace(trader, params))).toBe(code);
    expect(await statusOf(trader, orderId)).toBe('open');
  });

  it('by a key that is bound to a market touches no order of another', async () => {
    const trader = await desk.trader({}, { markets: ['ethusdt'] });
    const rich = await desk.trader({}, { markets: ['btcusdt'] });
    await desk.venue.fund(rich.accountId, { usdt: '1000' });
    const { orderId } = await desk.place(rich, { price: '60000.00' });
    expect(codeOf(await replace(trader, { orderId }))).toBe('3008');
    const foreign = await replace(rich, { orderId, symbol: 'ethusdt', price: '3000' });
    expect(codeOf(foreign)).toBe('3008');
    expect(await statusOf(rich, orderId)).toBe('open');
  });
});

it('many replacements of one order at once replace it once', async () => {
  const trader = await desk.trader();
  const { orderId } = await desk.place(trader, { price: '60000.00' });
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, n) => replace(trader, { orderId, clientOrderId: `race-${n}` })),
  );
  const codes = answers.map((answer) => codeOf(answer)).sort();
  expect(codes).toEqual(['', ...Array.from({ length: 7 }, () => '4013')]);
  expect(resultOf(await desk.get(trader, 'order/open'))).toHaveLength(1);
});
