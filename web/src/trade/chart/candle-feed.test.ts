import type { Candle } from '@rialto/sdk';
import { expect, it, vi } from 'vitest';
import type { Venue } from '../venue/venue.ts';
import { createCandleFeed } from './candle-feed.ts';

const candle = (time: number, tradeCount: number, isClosed = true): Candle => ({
  time: String(time),
  open: '1',
  high: '1',
  low: '1',
  close: '1',
  volume: '1',
  total: '1',
  tradeCount: String(tradeCount),
  isClosed,
});

function openVenue() {
  const questions: { params: unknown; answer: PromiseWithResolvers<readonly Candle[]> }[] = [];
  let push: (event: unknown) => void = () => undefined;
  const venue = {
    trading: {
      public: {
        candlesticks(params: unknown) {
          const answer = Promise.withResolvers<readonly Candle[]>();
          questions.push({ params, answer });
          return answer.promise;
        },
      },
    },
    streams: {
      subscribe(_channel: string, handler: typeof push) {
        push = handler;
        return { close: () => undefined };
      },
    },
  } as unknown as Venue;
  const send = (type: string, data?: Candle) => push({ type, data });
  return { venue, questions, send };
}

const settle = () => new Promise((resolve) => setTimeout(resolve));
const counts = (candles: readonly Candle[]) =>
  candles.map(({ time, tradeCount }) => `${time}:${tradeCount}`);

it('keeps what the stream brought while history was on its way', async () => {
  const { venue, questions, send } = openVenue();
  const feed = createCandleFeed(venue, 'btcusdt', '1m');
  send('snapshot', candle(120, 1, false));
  send('update', candle(120, 3, false));
  expect(feed.current().candles).toEqual([]);
  // History is a little late, as projections are.
  questions[0]?.answer.resolve([candle(0, 9), candle(60, 8), candle(120, 2, false)]);
  await settle();
  expect(counts(feed.current().candles)).toEqual(['0:9', '60:8', '120:3']);
  send('update', candle(180, 1, false));
  expect(counts(feed.current().candles)).toEqual(['0:9', '60:8', '120:3', '180:1']);
  feed.close();
});

it('after a cut, asks from the last closed bar on', async () => {
  const { venue, questions, send } = openVenue();
  const feed = createCandleFeed(venue, 'btcusdt', '1m');
  send('snapshot', candle(60, 1, false));
  questions[0]?.answer.resolve([candle(0, 9), candle(60, 1, false)]);
  await settle();
  send('snapshot', candle(240, 1, false));
  expect(questions[1]?.params).toMatchObject({ from: 0 });
  questions[1]?.answer.resolve([candle(0, 9), candle(60, 4), candle(120, 5), candle(180, 6)]);
  await settle();
  expect(counts(feed.current().candles)).toEqual(['0:9', '60:4', '120:5', '180:6', '240:1']);
  feed.close();
});

it('says what failed, and tries again', async () => {
  const { venue, questions } = openVenue();
  const feed = createCandleFeed(venue, 'btcusdt', '1m');
  const heard = vi.fn();
  feed.subscribe(heard);
  questions[0]?.answer.reject(new Error('away'));
  await settle();
  expect(feed.current().error).toBeInstanceOf(Error);
  expect(heard).toHaveBeenCalledTimes(1);
  feed.retry();
  questions[1]?.answer.resolve([candle(0, 1)]);
  await settle();
  expect(feed.current()).toMatchObject({ isLoading: false, error: undefined });
  feed.close();
});
