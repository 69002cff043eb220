import { crc32 } from 'node:zlib';
import { Value } from 'typebox/value';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Random } from '../../../../../packages/matching/sim/random.ts';
import { undocumented } from '../../../testing/undocumented.ts';
import { openDesk, type Desk, type Params } from '../../../testing/trading/desk.ts';
import { openStream, type Pushed, type StreamClient } from '../../../testing/trading/stream.ts';
import { send, type Trader } from '../../../testing/trader.ts';
import { CHANNELS } from '../channels.ts';
import { matchChannel } from '../channel.ts';

let desk: Desk;
let maker: Trader;
let taker: Trader;
const open: StreamClient[] = [];
beforeAll(async () => {
  desk = await openDesk(
    {},
    { terms: { btcusdt: { priceBandPercent: '90', maxOpenOrders: 5000 } } },
  );
  maker = await desk.trader();
  taker = await desk.trader();
});
beforeEach(async () => {
  await desk.delete(maker, 'order/cancel_all');
  await desk.delete(taker, 'order/cancel_all');
});
afterEach(async () => {
  for (const client of open.splice(0)) {
    checkShapes(client.pushes);
    client.cut();
    await client.closed;
  }
});
afterAll(() => desk.close());

async function follow(...channels: string[]): Promise<StreamClient> {
  const client = await openStream(desk.server);
  open.push(client);
  await client.get('subscribe', { channels });
  return client;
}

const get = async <T>(path: string): Promise<T> =>
  (await send(`${desk.server.baseUrl}/public/${path}`)).body.result as T;

const buy = (price: string, volume = '0.01', params: Params = {}) =>
  desk.place(maker, { price, volume, side: 'buy', ...params });
const sell = (price: string, volume = '0.01', params: Params = {}) =>
  desk.place(taker, { price, volume, side: 'sell', ...params });

interface Level {
  price: string;
  volume: string;
}
interface DepthData {
  symbol: string;
  prevUpdateId?: string;
  updateId: string;
  bids: Level[];
  asks: Level[];
  checksum: string;
}

/** Every push is what its channel declares, no more and no less. */
function checkShapes(pushes: readonly Pushed[]): void {
  for (const { channel, type, data } of pushes) {
    if (channel === undefined) continue;
    const declared = CHANNELS.find((one) => matchChannel(one, channel) !== undefined);
    const schema = type === 'snapshot' ? declared?.snapshot : declared?.update;
    if (schema === undefined) throw new Error(`${channel} has no ${type}.`);
    expect([...Value.Errors(schema, data)], channel).toEqual([]);
    expect(undocumented(data, schema), channel).toEqual([]);
  }
}

/** A book as a client keeps it; throws where a client would have to subscribe again. */
class Watched {
  readonly bids = new Map<string, string>();
  readonly asks = new Map<string, string>();
  updateId = '';
  #seen = 0;

  read(pushes: readonly Pushed[]): this {
    for (const { type, data } of pushes.slice(this.#seen)) this.#take(type, data as DepthData);
    this.#seen = pushes.length;
    return this;
  }

  #take(type: string, { prevUpdateId, updateId, bids, asks, checksum }: DepthData): void {
    if (type === 'snapshot') {
      this.bids.clear();
      this.asks.clear();
    } else if (prevUpdateId !== this.updateId) throw new Error('A gap in the differences.');
    this.updateId = updateId;
    for (const { price, volume } of bids) set(this.bids, price, volume);
    for (const { price, volume } of asks) set(this.asks, price, volume);
    expect(this.#checksum()).toBe(checksum);
  }

  get sides() {
    const sorted = (levels: Map<string, string>, sign: number) =>
      [...levels]
        .map(([price, volume]) => ({ price, volume }))
        .sort((a, b) => sign * (Number(a.price) - Number(b.price)));
    return { bids: sorted(this.bids, -1), asks: sorted(this.asks, 1) };
  }

  #checksum(): string {
    const { bids, asks } = this.sides;
    const parts: string[] = [];
    for (let n = 0; n < 25; n += 1) {
      for (const level of [bids[n], asks[n]]) if (level) parts.push(level.price, level.volume);
    }
    return String(crc32(parts.join(':')));
  }
}

function set(levels: Map<string, string>, price: string, volume: string): void {
  if (Number(volume) === 0) levels.delete(price);
  else levels.set(price, volume);
}

describe('a watched book', () => {
  it('equals the fetched one after random orders, every checksum right, batched and event by event', async () => {
    const early = await follow('depth:btcusdt', 'depth_fast:btcusdt');
    const random = new Random(11n);
    const late: StreamClient[] = [];
    for (let round = 0; round < 24; round += 1) {
      const placing: Promise<unknown>[] = [];
      for (let n = 0; n < 8; n += 1) {
        const isBuy = random.chance(0.5);
        const price = `${isBuy ? random.between(63_000, 64_010) : random.between(63_990, 65_000)}.00`;
        const volume = `0.0${random.between(10, 90)}`;
        placing.push(isBuy ? buy(price, volume) : sell(price, volume));
      }
      if (round % 8 === 4) late.push(await follow('depth:btcusdt', 'depth_fast:btcusdt'));
      await Promise.all(placing);
      if (round % 9 === 8) await desk.delete(maker, 'order/cancel_all');
    }
    const caughtUp = async (client: StreamClient, channel: string) => {
      const watched = new Watched();
      let fetched = await get<DepthData>('depth?symbol=btcusdt&limit=1000');
      const look = async () => {
        fetched = await get<DepthData>('depth?symbol=btcusdt&limit=1000');
        return Number(watched.read(client.of(channel)).updateId) - Number(fetched.updateId);
      };
      await expect.poll(look, { timeout: 10_000, interval: 150 }).toBe(0);
      expect(watched.sides).toEqual({ bids: fetched.bids, asks: fetched.asks });
    };
    for (const client of [early, ...late]) {
      await caughtUp(client, 'depth:btcusdt');
      await caughtUp(client, 'depth_fast:btcusdt');
      const fast = client.of('depth_fast:btcusdt').filter(({ type }) => type === 'update');
      for (const { data } of fast) {
        const { prevUpdateId, updateId } = data as DepthData;
        expect(Number(updateId)).toBe(Number(prevUpdateId) + 1);
      }
      const batched = client.of('depth:btcusdt').filter(({ type }) => type === 'update');
      expect(batched.length).toBeLessThan(fast.length);
      expect(client.of('depth:btcusdt')[0]?.type).toBe('snapshot');
      expect(client.of('depth:btcusdt').filter(({ type }) => type === 'snapshot')).toHaveLength(1);
    }
  });

  it('has its top, and its best prices with each change of them', async () => {
    await expect
      .poll(async () => (await get<DepthData>('depth?symbol=btcusdt')).bids, { timeout: 10_000 })
      .toEqual([]);
    await expect
      .poll(async () => (await get<DepthData>('depth?symbol=btcusdt')).asks, { timeout: 10_000 })
      .toEqual([]);
    const client = await follow('book:btcusdt:5', 'best:btcusdt');
    expect(client.of('best:btcusdt')[0]).toMatchObject({
      type: 'snapshot',
      data: { symbol: 'btcusdt', bidPrice: '', askPrice: '' },
    });
    await buy('63000.00');
    await sell('65000.00', '0.02');
    await buy('62000.00');
    await buy('63500.00', '0.03');
    await client.until(
      ({ channel, data }) => channel === 'book:btcusdt:5' && (data as DepthData).bids.length === 3,
    );
    const best = client.of('best:btcusdt').map(({ data }) => data as Record<string, string>);
    // The order behind the best one changed neither price.
    expect(best.map(({ bidPrice, askPrice }) => [bidPrice, askPrice])).toEqual([
      ['', ''],
      ['63000.00', ''],
      ['63000.00', '65000.00'],
      ['63500.00', '65000.00'],
    ]);
    const [fetched] = await get<unknown[]>('best_prices?symbol=btcusdt');
    expect(best.at(-1)).toEqual(fetched);
    const top = client.of('book:btcusdt:5').at(-1)?.data as DepthData;
    expect(top.bids.map(({ price }) => price)).toEqual(['63500.00', '63000.00', '62000.00']);
    expect(top.asks).toEqual([{ price: '65000.00', volume: '0.020000' }]);
  });

  it('of a market that nobody traded in is empty', async () => {
    const client = await follow('depth:ethusdt');
    const push = await client.until(({ channel }) => channel === 'depth:ethusdt');
    expect(push.data).toMatchObject({ symbol: 'ethusdt', bids: [], asks: [], checksum: '0' });
  });
});

interface PublicTrade {
  tradeId: string;
  price: string;
}

describe('trades', () => {
  it('come as the last 50 and then one by one, without a gap, as they are fetched', async () => {
    const first = await follow('trades:btcusdt');
    for (let n = 0; n < 30; n += 1) await desk.trade(`${64_000 + n}.00`);
    const middle = await follow('trades:btcusdt');
    for (let n = 0; n < 30; n += 1) await desk.trade(`${64_000 - n}.00`);
    const last = await follow('trades:btcusdt');
    const fetched = (await get<PublicTrade[]>('last_trades?symbol=btcusdt&limit=1000')).reverse();
    for (const client of [first, middle, last]) {
      const seen = () => client.of('trades:btcusdt').flatMap(({ data }) => data as PublicTrade[]);
      await expect.poll(() => seen().at(-1)).toEqual(fetched.at(-1));
      // A snapshot and what followed is a stretch of the history: nothing missing, nothing twice.
      expect(seen()).toEqual(fetched.slice(-seen().length));
    }
    const snapshot = last.of('trades:btcusdt')[0];
    expect(snapshot?.type).toBe('snapshot');
    expect(snapshot?.data).toHaveLength(50);
    expect(snapshot?.data).toEqual(fetched.slice(-50));
  });

  it('make tickers and candles, which equal the fetched ones', async () => {
    const channels = ['ticker:btcusdt', 'tickers', 'candles:btcusdt:1h', 'candles:btcusdt:1M'];
    const client = await follow(...channels);
    for (const channel of channels) await client.until((push) => push.channel === channel);
    await desk.trade('64321.00');
    await desk.trade('64123.00');
    const timeless = (ticker: Record<string, string>) => ({ ...ticker, time: '', openTime: '' });
    const latest = (channel: string) => client.of(channel).at(-1)?.data;
    const fetchTicker = async () => {
      const [ticker] = await get<Record<string, string>[]>('tickers?symbol=btcusdt');
      return timeless(ticker ?? {});
    };
    const tradeCount = (data: unknown) => (data as Record<string, string>)['tradeCount'];
    const before = Number(tradeCount(client.of('ticker:btcusdt')[0]?.data));
    // What is fetched may be a second old.
    await expect
      .poll(async () => tradeCount(await fetchTicker()), { timeout: 5000 })
      .toBe(String(before + 2));
    await expect
      .poll(() => timeless(latest('ticker:btcusdt') as Record<string, string>), { timeout: 5000 })
      .toEqual(await fetchTicker());
    await expect
      .poll(() => (latest('tickers') as Record<string, string>[]).map(timeless), { timeout: 5000 })
      .toEqual([await fetchTicker()]);
    expect(client.of('tickers')[0]?.data).toHaveLength((await get<unknown[]>('tickers')).length);
    for (const resolution of ['1h', '1M']) {
      const candles = await get<unknown[]>(
        `candlesticks?symbol=btcusdt&resolution=${resolution}&limit=1`,
      );
      await expect
        .poll(() => latest(`candles:btcusdt:${resolution}`), { timeout: 5000 })
        .toEqual(candles[0]);
    }
  });
});

describe('the state of the venue', () => {
  it('is told at once when a phase changes', async () => {
    const client = await follow('status', 'auction:ethusdt');
    const snapshot = await client.until(({ channel }) => channel === 'status');
    const { markets } = snapshot.data as { markets: { symbol: string; phase: string }[] };
    expect(markets.find(({ symbol }) => symbol === 'btcusdt')?.phase).toBe('continuous');
    expect(snapshot.data).toMatchObject({ service: { engine: 'ok' } });
    await desk.venue.setPhase('ethusdt', 'auction');
    const told = await client.until(
      ({ channel, type }) => channel === 'status' && type === 'update',
    );
    expect(told.data).toEqual({
      markets: [{ symbol: 'ethusdt', phase: 'auction', until: '', reason: '' }],
      networks: [],
    });
  });

  it('includes what an auction would trade', async () => {
    const client = await follow('auction:ethusdt');
    await buy('3210.00', '1', { symbol: 'ethusdt' });
    await sell('3200.00', '0.4', { symbol: 'ethusdt' });
    const push = await client.until(
      ({ type, data }) => type === 'update' && (data as Record<string, string>)['imbalance'] !== '',
    );
    await expect
      .poll(() => client.of('auction:ethusdt').at(-1)?.data, { timeout: 5000 })
      .toEqual(await get('auction?symbol=ethusdt'));
    expect(push.data).toMatchObject({ symbol: 'ethusdt', phase: 'auction' });
    await desk.venue.setPhase('ethusdt', 'halted');
  });
});
