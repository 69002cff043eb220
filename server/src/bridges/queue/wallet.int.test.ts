// What owners hear of their coins, on a real Litecoin node: by the event queue and by the channel `wallet`.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { QueueClient, type QueueEvent } from './test-client.ts';
import { hasLitecoind } from '../../testing/chains/litecoin.ts';
import { openLitecoinVenue, type LitecoinVenue } from '../../testing/chains/litecoin-venue.ts';
import { examplePerson } from '../../testing/example.ts';
import { openStream, type Pushed } from '../../testing/trading/stream.ts';
import type { Deposit } from '../../trading/custody/deposits/shapes.ts';
import type { WalletEvent } from '../../trading/custody/events.ts';
import type { Withdrawal } from '../../trading/custody/withdrawals/shapes.ts';

const LONG = 180_000;
const WALLET = ['deposit', 'withdrawal'];

const resourceOf = (event: WalletEvent): Deposit | Withdrawal =>
  event.type === 'deposit' ? event.deposit : event.withdrawal;
const wallet = (events: readonly QueueEvent[]) => events as unknown as WalletEvent[];
const lines = (events: readonly QueueEvent[]): string[] =>
  wallet(events).map((event) => {
    const { status, statusReason } = resourceOf(event);
    return `${event.type} ${status}${statusReason === '' ? '' : `/${statusReason}`}`;
  });

describe.skipIf(!hasLitecoind)('events of deposits and withdrawals', () => {
  let venue: LitecoinVenue;
  beforeAll(async () => {
    venue = await openLitecoinVenue();
  }, LONG);
  afterAll(() => venue.close());

  async function person() {
    const { world } = venue;
    const known = await examplePerson(world.ctx);
    const queue = await QueueClient.register(world.server, known, [...WALLET, 'balance']);
    return { known, queue };
  }

  it(
    'tell the life of a deposit and of a withdrawal, once each, to their owner only',
    async () => {
      const { world, node } = venue;
      const [own, other] = [await person(), await person()];
      await world.trader({ userId: other.known.id });
      const silent = await QueueClient.register(world.server, own.known, ['message']);
      const owner = await venue.ownerWith('5', { userId: own.known.id });
      const stream = await openStream(world.server);
      await stream.login(owner.trader);
      await stream.get('subscribe', { channels: ['wallet', 'balances'] });
      const snapshot = await stream.until((p) => p.channel === 'wallet');
      expect(snapshot).toMatchObject({ type: 'snapshot', data: await owner.trader.deposits() });
      const wanted = (seen: readonly QueueEvent[]) =>
        seen.filter(({ type }) => WALLET.includes(type));
      await own.queue.collect((seen) => lines(wanted(seen)).includes('deposit credited'));
      expect(lines(wanted(own.queue.seen))).toEqual(['deposit confirming', 'deposit credited']);
      expect(wallet(wanted(own.queue.seen)).map((event) => event.accountId)).toEqual(
        Array<string>(2).fill(String(owner.trader.accountId)),
      );
      const [first, last] = wallet(wanted(own.queue.seen)).map(resourceOf);
      expect(first).toMatchObject({ amount: '5', confirmations: '1', creditedAt: '' });
      // What is told is what the answer shows.
      expect([last]).toEqual(await owner.trader.deposits());

      const paid = await venue.paying(async () => {
        const { withdrawId } = await owner.payOut('1');
        await owner.until(withdrawId, 'confirming');
        await node.mine(2);
        return owner.until(withdrawId, 'completed');
      });
      await own.queue.collect((seen) => lines(wanted(seen)).includes('withdrawal completed'));
      const ofWithdrawal = wanted(own.queue.seen).filter(({ type }) => type === 'withdrawal');
      expect(lines(ofWithdrawal)).toEqual([
        'withdrawal awaiting_confirmation/requested',
        'withdrawal awaiting_confirmation',
        'withdrawal queued',
        'withdrawal signing',
        'withdrawal broadcasting',
        'withdrawal confirming',
        'withdrawal completed',
      ]);
      const told = wallet(ofWithdrawal).map(resourceOf);
      expect(told.at(-1)).toEqual(paid);
      expect(told.findIndex(({ txid }) => txid !== '')).toBe(4);

      const isEnd = (p: Pushed) =>
        p.channel === 'wallet' && (p.data as Withdrawal).status === 'completed';
      expect((await stream.until(isEnd)).data).toEqual(paid);
      const pushed = stream.pushes.filter((p) => p.channel === 'wallet' && p.type === 'update');
      expect(pushed.map(({ data }) => data)).toEqual(told);
      await stream.close();

      // More blocks and the ledger's own notes are no news, and nobody else hears anything.
      const before = wanted(own.queue.seen).length;
      await node.mine(3);
      await expect
        .poll(async () => (await owner.find(paid.withdrawId)).confirmations)
        .toBe(String(Number(paid.confirmations) + 3));
      await own.queue.collect(() => true);
      expect(wanted(own.queue.seen)).toHaveLength(before);
      expect(wanted(await other.queue.collect(() => true))).toEqual([]);
      expect(await silent.collect(() => true)).toEqual([]);
    },
    LONG,
  );

  it(
    'tell a cancel, and what is paid within the venue to both sides',
    async () => {
      const [own, other] = [await person(), await person()];
      const owner = await venue.ownerWith('3', { userId: own.known.id });
      const friend = await venue.world.trader({ userId: other.known.id });
      const { withdrawId } = await owner.payOut('1');
      await owner.ask('withdraw_cancel', { withdrawId }, 'DELETE');
      const address = await friend.address('ltc');
      const inside = await owner.payOut('1', address);
      await owner.until(inside.withdrawId, 'completed');
      await own.queue.collect((seen) =>
        lines(seen.filter(({ type }) => type === 'withdrawal')).includes('withdrawal completed'),
      );
      const seen = own.queue.seen.filter(({ type }) => type === 'withdrawal');
      expect(lines(seen)).toEqual([
        'withdrawal awaiting_confirmation/requested',
        'withdrawal awaiting_confirmation',
        'withdrawal queued',
        'withdrawal canceled/by_owner',
        'withdrawal awaiting_confirmation/requested',
        'withdrawal awaiting_confirmation',
        'withdrawal completed',
      ]);
      await other.queue.collect((got) => got.some(({ type }) => type === 'deposit'));
      const got = other.queue.seen.filter(({ type }) => type === 'deposit');
      expect(lines(got)).toEqual(['deposit credited']);
      expect(wallet(got).map(resourceOf)).toEqual(await friend.deposits());
    },
    LONG,
  );

  it(
    'tell when a block leaves the chain, and when it is back',
    async () => {
      const { world, node } = venue;
      const own = await person();
      const trader = await world.trader({ userId: own.known.id });
      await expect.poll(() => trader.address('ltc').catch(String)).not.toMatch(/Error/);
      const txid = await node.pay(await trader.address('ltc'), '2');
      await node.mine(1);
      await trader.until(txid, 'confirming');
      await node.abandon(1);
      await node.mineEmpty();
      await node.mineEmpty();
      await trader.until(txid, 'detected');
      await node.mine(2);
      await trader.until(txid, 'credited');
      await own.queue.collect((seen) =>
        lines(seen.filter(({ type }) => type === 'deposit')).includes('deposit credited'),
      );
      expect(lines(own.queue.seen.filter(({ type }) => type === 'deposit'))).toEqual([
        'deposit confirming',
        'deposit detected',
        'deposit confirming',
        'deposit credited',
      ]);
    },
    LONG,
  );
});
