import type { Balance, MyTrade, StreamEvent } from '@rialto/sdk';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Venue } from '../venue/venue.ts';
import { createAccountFeed } from './feed.ts';
import { orderOf } from '../testing/order.ts';

type Event = StreamEvent<'orders' | 'my_trades' | 'balances'>;

const trade = (tradeId: string, time: string): MyTrade =>
  ({ tradeId, time, symbol: 'btcusdt' }) as MyTrade;
const balance = (coin: string, available: string): Balance => ({ coin, available }) as Balance;

/** A venue whose events the test sends. */
function makeVenue() {
  let handler: (event: Event) => void = () => undefined;
  const trades = vi.fn(() => Promise.resolve({ items: [trade('1', '10')], nextCursor: '' }));
  const subscribe = vi.fn((_channels: unknown, given: (event: Event) => void) => {
    handler = given;
    return { ready: Promise.resolve() };
  });
  const venue = { streams: { subscribe }, trading: { order: { trades } } };
  const send = (event: object) => handler({ time: '0', ...event } as Event);
  return { venue: venue as unknown as Venue, subscribe, trades, send };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('follows the account once, however many listen', async () => {
  const { venue, subscribe, trades } = makeVenue();
  const feed = createAccountFeed(venue);
  expect(feed.state().open).toBeUndefined();
  feed.subscribe(() => undefined);
  feed.subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(200);
  expect(subscribe).toHaveBeenCalledOnce();
  expect(trades).toHaveBeenCalledOnce();
  expect(feed.state().fills).toHaveLength(1);
});

it('takes snapshots, events and answers, and tells of each order at once', () => {
  const { venue, send } = makeVenue();
  const feed = createAccountFeed(venue);
  const seen: string[] = [];
  feed.subscribe(() => undefined);
  feed.onOrder(({ status }) => seen.push(status));
  send({ channel: 'orders', type: 'snapshot', engineSeq: '100', data: [orderOf()] });
  feed.take([orderOf({ engineSeq: '102', status: 'filled' })]);
  send({
    channel: 'orders',
    type: 'update',
    data: orderOf({ engineSeq: '101', status: 'partially_filled' }),
  });
  expect(seen).toEqual(['open', 'filled']);
  expect(feed.state().open).toEqual([]);
  expect(feed.state().ended).toHaveLength(1);
});

it('adds changed balances to those that are known', () => {
  const { venue, send } = makeVenue();
  const feed = createAccountFeed(venue);
  feed.subscribe(() => undefined);
  send({ channel: 'balances', type: 'snapshot', data: [balance('btc', '1'), balance('eth', '2')] });
  send({ channel: 'balances', type: 'update', data: [balance('btc', '3')] });
  expect(feed.state().balances?.get('btc')?.available).toBe('3');
  expect(feed.state().balances?.get('eth')?.available).toBe('2');
  expect(feed.state()).toBe(feed.state());
});

it('asks for trades again when some were lost', async () => {
  const { venue, send, trades } = makeVenue();
  const feed = createAccountFeed(venue);
  feed.subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(0);
  send({ channel: 'my_trades', type: 'update', data: trade('2', '20') });
  send({ channel: 'my_trades', type: 'reset', reason: 'window' });
  await vi.advanceTimersByTimeAsync(0);
  expect(trades).toHaveBeenCalledTimes(2);
  expect(feed.state().fills?.map(({ tradeId }) => tradeId)).toEqual(['2', '1']);
});
