// Streams against a model of the venue that cuts connections at random frames.
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { createRandom } from '../../../../server/src/testing/random.ts';
import { ModelVenue } from './test-venue.ts';
import { Streams } from './streams.ts';
import type { StreamsOptions } from './options.ts';

const KEY = { key: 'svc_key_1', secret: 'svc_secret_1' };

const opened: Streams[] = [];
afterEach(() => Promise.all(opened.splice(0).map((streams) => streams.close())));

function open(venue: ModelVenue, options: Partial<StreamsOptions> = {}): Streams {
  const streams = new Streams({
    url: 'http://venue.example',
    ...KEY,
    firstWaitMs: 0.1,
    maxWaitMs: 1,
    framesPerSecond: 1_000_000,
    WebSocket: venue.WebSocket,
    ...options,
  });
  opened.push(streams);
  return streams;
}

const steady = () => new ModelVenue({ window: 10_000, cutAt: () => false });
const turn = () => new Promise((resolve) => setImmediate(resolve));

async function until(isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error('It never came true.');
    await turn();
  }
}

describe('private channels', () => {
  it('every event once and in order, wherever the connection is cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer(),
        fc.subarray(['orders', 'my_trades', 'balances'] as const, { minLength: 1 }),
        async (seed, channels) => {
          let isCalm = false;
          const random = createRandom(seed);
          const cutAt = () => !isCalm && random.below(8) === 0;
          const venue = new ModelVenue({ window: 10_000, cutAt });
          const streams = open(venue);
          const numbers: number[] = [];
          const resets: string[] = [];
          const states = new Set<string>();
          streams.subscribe(channels, (event) => {
            if (event.type === 'snapshot') states.add(event.channel);
            if (event.type === 'update') numbers.push(Number(event.streamSeq));
            else if (event.type !== 'snapshot') resets.push(event.type);
          });
          await streams.connect();
          await until(() => channels.every((name) => name === 'my_trades' || states.has(name)));
          const first = venue.seq;
          for (let n = 0; n < 90; n += 1) {
            venue.emit((['orders', 'my_trades', 'balances'] as const)[n % 3] ?? 'orders', n);
            if (n % 7 === 0) venue.announceClose();
            for (let turns = random.below(12); turns > 0; turns -= 1) await turn();
          }
          isCalm = true;
          const wanted = venue.events.filter(
            ({ seq, channel }) => seq > first && (channels as readonly string[]).includes(channel),
          );
          await until(() => numbers.at(-1) === wanted.at(-1)?.seq);
          expect(resets).toEqual([]);
          // What came between subscribing and `connect` may have been told too.
          expect(numbers.filter((seq) => seq > first)).toEqual(wanted.map(({ seq }) => seq));
          expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('a gap beyond the window is told as a reset, then the state comes anew', async () => {
    const venue = new ModelVenue({ window: 5, cutAt: () => false });
    const streams = open(venue);
    const told: string[] = [];
    streams.subscribe(['orders', 'my_trades'], (event) => {
      told.push(
        `${event.channel} ${event.type}${event.type === 'reset' ? ` ${event.reason}` : ''}`,
      );
    });
    await until(() => told.includes('orders snapshot'));
    venue.isDown = true;
    for (const socket of venue.sockets) socket.drop(1006);
    for (let n = 0; n < 6; n += 1) venue.emit('orders', n);
    venue.isDown = false;
    await until(() => told.filter((one) => one === 'orders snapshot').length === 2);
    venue.emit('my_trades', 'after');
    await until(() => told.includes('my_trades update'));
    expect(told).toEqual([
      'orders snapshot',
      'orders reset window',
      'my_trades reset window',
      'orders snapshot',
      'my_trades update',
    ]);
  });

  it('refuses a second consumer and a caller without a key', async () => {
    const streams = open(steady());
    await streams.subscribe('orders').ready;
    await expect(streams.subscribe('orders').ready).rejects.toThrow(/followed already/);
    const { key: _key, secret: _secret, ...nobody } = KEY as Partial<typeof KEY>;
    const others = new Streams({ url: 'http://venue.example', ...nobody });
    await expect(others.subscribe('orders').next()).rejects.toThrow(/need/);
  });
});

describe('orders', () => {
  it('are placed once each, however often answers are lost', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        let isCalm = false;
        const random = createRandom(seed);
        const cutAt = () => !isCalm && random.below(6) === 0;
        const venue = new ModelVenue({ window: 100, cutAt });
        const streams = open(venue);
        const placing = Array.from({ length: 10 }, () =>
          streams.order.create({
            symbol: 'btcusdt',
            side: 'buy',
            type: 'limit',
            price: '1',
            volume: '1',
          }),
        );
        setTimeout(() => (isCalm = true), 50);
        const placed = await Promise.all(placing);
        expect(new Set(placed.map(({ orderId }) => orderId)).size).toBe(10);
        expect(venue.orders.size).toBe(10);
      }),
      { numRuns: 15 },
    );
  });

  it('end when their caller gives up, or their time is over', async () => {
    const venue = steady();
    venue.isDown = true;
    const streams = open(venue, { totalMs: 50 });
    const order = {
      symbol: 'btcusdt',
      side: 'buy',
      type: 'limit',
      price: '1',
      volume: '1',
    } as const;
    const ending = new AbortController();
    const given = streams.order.create(order, { signal: ending.signal });
    ending.abort(new Error('enough'));
    await expect(given).rejects.toThrow('enough');
    await expect(streams.order.create(order)).rejects.toMatchObject({
      code: 'TIMEOUT',
      outcome: 'none',
    });
    expect(venue.orders.size).toBe(0);
  });
});

describe('public channels', () => {
  it('begin again with a snapshot on every connection, and go on from the newest alone', async () => {
    const venue = steady();
    const streams = open(venue);
    const told: unknown[] = [];
    streams.subscribe('depth:btcusdt', (event) =>
      told.push(event.type === 'update' ? event.data : event.type),
    );
    await until(() => told.length === 1);
    venue.announceClose();
    await until(() => venue.opened === 2 && venue.sockets.size === 1);
    venue.publish('depth:btcusdt', 'one');
    await until(() => told.length === 3);
    for (const socket of venue.sockets) socket.drop(1006);
    await until(() => told.length === 4);
    venue.publish('depth:btcusdt', 'two');
    await until(() => told.length === 5);
    expect(told).toEqual(['snapshot', 'snapshot', 'one', 'snapshot', 'two']);
  });

  it('a channel that does not exist fails alone', async () => {
    const venue = steady();
    const streams = open(venue);
    const wrong = streams.subscribe(['ticker:btcusdt', 'ticker:nosuch']);
    const right = streams.subscribe(['ticker:btcusdt', 'best:btcusdt']);
    await expect(wrong.ready).rejects.toMatchObject({ code: '4001' });
    await right.ready;
    // What came before the refusal can still be read.
    if (wrong.buffered > 0) expect((await wrong.next()).value).toMatchObject({ type: 'snapshot' });
    await expect(wrong.next()).rejects.toMatchObject({ code: '4001' });
    expect((await right.next()).value).toMatchObject({ type: 'snapshot' });
  });

  it('a slow reader of a book gets a fresh snapshot instead of a book with holes', async () => {
    const venue = steady();
    const streams = open(venue, { bufferMax: 10 });
    const subscription = streams.subscribe('depth:btcusdt');
    await until(() => subscription.buffered === 1);
    for (let n = 0; n < 50; n += 1) venue.publish('depth:btcusdt', n);
    await until(() => subscription.dropped > 0 && subscription.buffered === 1);
    venue.publish('depth:btcusdt', 'after');
    await until(() => subscription.buffered === 2);
    const [first, second] = [await subscription.next(), await subscription.next()];
    expect([first.value, second.value]).toMatchObject([{ type: 'snapshot' }, { data: 'after' }]);
  });

  it('closing ends every loop, and nothing comes after it', async () => {
    const venue = steady();
    const streams = open(venue);
    const subscription = streams.subscribe('ticker:btcusdt');
    await subscription.ready;
    const loop = (async () => {
      let count = 0;
      for await (const _event of subscription) count += 1;
      return count;
    })();
    await turn();
    await streams.close();
    expect(await loop).toBeLessThanOrEqual(1);
    await until(() => venue.sockets.size === 0);
    await expect(streams.connect()).rejects.toThrow(/closed/);
  });
});
