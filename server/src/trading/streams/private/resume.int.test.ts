import { describe, expect, it } from 'vitest';
import { clusterSettings } from '../../../testing/context.ts';
import { createRandom, type Random } from '../../../testing/random.ts';
import { startTestServer } from '../../../testing/server.ts';
import { LIMIT, openDesk, type Desk } from '../../../testing/trading/desk.ts';
import { openStream, type Pushed, type StreamClient } from '../../../testing/trading/stream.ts';
import type { Trader } from '../../../testing/trader.ts';

const ALL = ['orders', 'my_trades', 'balances'];
const SETTINGS = {
  STREAM_FRAMES_PER_SECOND_MAX: '10000',
  STREAM_CONNECTIONS_PER_ADDRESS_MAX: '1000',
};

async function connect(server: { origin: string }, trader: Trader): Promise<StreamClient> {
  const client = await openStream(server);
  await client.login(trader);
  return client;
}

const updates = (client: StreamClient): Pushed[] =>
  client.pushes.filter(({ type }) => type === 'update');
const seqOf = ({ streamSeq = '' }: Pushed): number => Number(streamSeq);

/** Orders of two people that rest, trade and go. */
async function trade(desk: Desk, people: readonly Trader[], random: Random, count: number) {
  for (let n = 0; n < count; n += 1) {
    const trader = people[random.below(people.length)] as Trader;
    const price = `${64_000 + random.below(4)}.00`;
    const side = random.below(2) === 0 ? 'buy' : 'sell';
    await desk.place(trader, { ...LIMIT, side, price });
    if (random.below(10) === 0) await desk.delete(trader, 'order/cancel_all');
  }
}

describe('a private stream', () => {
  it('that is cut twenty times and resumed, here or at another process, is the one that was never cut', async () => {
    const settings = { ...clusterSettings(), ...SETTINGS };
    const desk = await openDesk({ settings });
    const second = await startTestServer({
      settings: { ...settings, TRADING_RATE_LIMIT: '100000' },
      databaseUrl: desk.server.databaseUrl,
      withRelay: false,
    });
    try {
      const random = createRandom(17);
      const people = [await desk.trader(), await desk.trader()];
      const [own] = people as [Trader];
      const whole = await connect(desk.server, own);
      await whole.get('subscribe', { channels: ALL });
      const first = await whole.until(({ channel }) => channel === 'orders');
      const elsewhere = await connect(second, own);
      await elsewhere.get('subscribe', { channels: ALL });
      await elsewhere.until(({ channel }) => channel === 'orders');
      const got: Pushed[] = [];
      let lastSeq = seqOf(first);
      for (let cut = 0; cut < 20; cut += 1) {
        const client = await connect(random.below(2) === 0 ? desk.server : second, own);
        await Promise.all([
          trade(desk, people, random, 5),
          client.get('resume', { fromSeq: String(lastSeq) }),
        ]);
        client.cut();
        got.push(...updates(client));
        lastSeq = seqOf(got.at(-1) ?? first);
        await trade(desk, people, random, 2);
      }
      const last = await connect(second, own);
      await last.get('resume', { fromSeq: String(lastSeq) });
      const end = await desk.place(own, { price: '50000.00' });
      const isEnd = (push: Pushed) =>
        push.channel === 'balances' &&
        push.type === 'update' &&
        Number(push.engineSeq) >= Number(end.engineSeq);
      await Promise.all([whole, elsewhere, last].map((client) => client.until(isEnd)));
      got.push(...updates(last));
      const expected = updates(whole);
      expect(expected.map(seqOf)).toEqual(expected.map((_, index) => seqOf(first) + 1 + index));
      expect(got).toEqual(expected);
      expect(updates(elsewhere)).toEqual(expected);
      for (const client of [whole, elsewhere, last]) await client.close();
    } finally {
      await second.close();
      await desk.close();
    }
  });

  it('can be resumed as far back as it is kept, and no further', async () => {
    const desk = await openDesk({ settings: SETTINGS });
    try {
      const trader = await desk.trader();
      const client = await connect(desk.server, trader);
      await desk.place(trader, { price: '50000.00' });
      const newest = async () =>
        (await client.get<{ streamSeq: string }>('resume', { fromSeq: '0' })).streamSeq;
      // The order has been answered; what it caused is on its way.
      await expect.poll(async () => Number(await newest())).toBeGreaterThan(2);
      const streamSeq = await newest();
      const refusedAt = async (fromSeq: number) =>
        (await client.ask('resume', { fromSeq: String(fromSeq) })).error;
      // From the future.
      expect(await refusedAt(Number(streamSeq) + 1)).toMatchObject({ code: '2011' });
      const { owner } = desk.server;
      const { accountId } = trader;
      await owner.query(
        "UPDATE trading_stream_pages SET at = now() - interval '16 minutes' WHERE account_id = $1 AND first_seq = 1",
        [accountId],
      );
      expect(await refusedAt(0)).toMatchObject({ code: '2011', details: { streamSeq } });
      expect(await refusedAt(Number(streamSeq) - 1)).toBeUndefined();
      await client.close();
      // Ten thousand events later.
      await owner.query(
        'UPDATE trading_stream_counts SET seq = seq + 10000 WHERE account_id = $1',
        [accountId],
      );
      const later = await connect(desk.server, trader);
      expect(
        (await later.ask('resume', { fromSeq: String(Number(streamSeq) - 1) })).error,
      ).toMatchObject({ code: '2011' });
      expect(
        (await later.ask('resume', { fromSeq: String(Number(streamSeq) + 10_000) })).status,
      ).toBe('true');
      await later.close();
    } finally {
      await desk.close();
    }
  });
});
