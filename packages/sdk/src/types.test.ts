// What the compiler knows: these tests fail in the stage of types, not while they run.
import { expectTypeOf, it } from 'vitest';
import type {
  AnyEvent,
  Balance,
  Message,
  Order,
  OrderAck,
  OrderWithTrades,
  Statement,
  Ticker,
} from './index.ts';
import { Chat, Trading } from './index.ts';

const trading = new Trading({ url: 'https://venue.example', key: 'k', secret: 's' });
const chat = new Chat({ url: 'https://venue.example', email: 'a@b.example', apiKey: 'k' });
const LIMIT = { symbol: 'btcusdt', side: 'buy', type: 'limit', price: '1', volume: '1' } as const;

/** Only looked at by the compiler. */
export async function calls(): Promise<void> {
  expectTypeOf(await trading.public.tickers()).toEqualTypeOf<readonly Ticker[]>();
  expectTypeOf(await trading.account.balances()).toEqualTypeOf<readonly Balance[]>();
  expectTypeOf(await trading.order.create(LIMIT)).toExtend<Order>();
  expectTypeOf(await trading.order.create({ ...LIMIT, responseType: 'ack' })).toExtend<OrderAck>();
  expectTypeOf(
    await trading.order.create({ ...LIMIT, responseType: 'full' }),
  ).toExtend<OrderWithTrades>();
  expectTypeOf(await trading.account.statement({ from: 1, to: 2 })).toEqualTypeOf<Statement>();
  expectTypeOf(
    await trading.account.statement({ from: 1, to: 2, format: 'csv' }),
  ).toEqualTypeOf<string>();
  expectTypeOf(await trading.call('order.open')).toEqualTypeOf<readonly Order[]>();
  for await (const order of trading.each('order.history'))
    expectTypeOf(order).toEqualTypeOf<Order>();
  expectTypeOf((await chat.getMessages({})).messages[0]).toEqualTypeOf<Message | undefined>();

  // @ts-expect-error: an amount is text.
  await trading.order.create({ ...LIMIT, price: 1 });
  // @ts-expect-error: a symbol is needed.
  await trading.public.depth({});
  // @ts-expect-error: there is no such side.
  await trading.order.create({ ...LIMIT, side: 'long' });
  // @ts-expect-error: it has no pages.
  trading.each('order.open');
  // @ts-expect-error: there is no such operation.
  await chat.sendMessages({});
}

it('events are told apart by their type', () => {
  const read = (event: AnyEvent): string | number => {
    if (event.type === 'started' || event.type === 'restarted') return event.state.queue_id;
    if (event.type === 'message') return event.message.content;
    return event.id;
  };
  expectTypeOf(read).returns.toEqualTypeOf<string | number>();
});
